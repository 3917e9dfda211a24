import { useEffect, useState } from "react";
import { toApiError } from "#client/lib/call-server.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { useValue } from "#client/lib/hooks.ts";
import { forgetStoredLink, type MailLink, mailLink } from "#client/state/mail-link.ts";

/** Why a link failed. `unclear`: the server did not check it, and it may be tried again. */
export type LinkFailure =
  | { phase: "expired" }
  | { phase: "error" }
  | { phase: "unclear"; text: string };

export function toLinkFailure(failure: unknown): LinkFailure {
  switch (toApiError(failure).code) {
    case "token_expired":
      return { phase: "expired" };
    case "token_invalid":
    case "validation_failed":
      return { phase: "error" };
    default:
      return { phase: "unclear", text: getErrorMessage(failure) };
  }
}

type UseLink<State> = (link: MailLink) => Promise<State>;

/** A link that carries secrets. */
export type UsableLink = Exclude<MailLink, { kind: "refused" }>;

/**
 * Runs `run` once per link, and again after an unclear result: links are valid once, and React may run an effect twice.
 * Not for a link that was refused already.
 */
export function memoizePerLink<State extends { phase: string }>(
  run: (link: UsableLink) => Promise<State>,
): UseLink<State | LinkFailure> {
  const results = new WeakMap<MailLink, Promise<State | LinkFailure>>();
  async function runOnce(link: MailLink): Promise<State | LinkFailure> {
    const state = await (link.kind === "refused" ? toRefusedState(link.message) : run(link));
    if (state.phase === "unclear") results.delete(link);
    else forgetStoredLink();
    return state;
  }
  return (link) => {
    const result = results.get(link) ?? runOnce(link);
    results.set(link, result);
    return result;
  };
}

const toRefusedState = (message: string): LinkFailure => ({
  phase: /expired/iu.test(message) ? "expired" : "error",
});

const loading = { phase: "loading" } as const;

/** The state of the link that the page was opened with, from `run`; without a link, from `getInitial`. */
export function useMailLink<State extends { phase: string }>(
  run: UseLink<State>,
  getInitial: () => State,
) {
  const link = useValue(mailLink);
  const [state, setState] = useState<State | typeof loading>(() => (link ? loading : getInitial()));
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt runs again
  useEffect(() => {
    if (!link) return;
    let current = true;
    setState(loading);
    void run(link).then((next) => {
      if (current) setState(next);
    });
    return () => {
      current = false;
    };
  }, [link, run, attempt]);

  return { state, setState, tryAgain: () => setAttempt(attempt + 1) };
}
