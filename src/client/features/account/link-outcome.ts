import { toApiError } from "#client/lib/api-error.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import type { MailLink } from "#client/state/mail-link.ts";

/** Why a link failed. `unclear`: the server did not check it, and it may be tried again. */
export type LinkFailure = { at: "expired" } | { at: "error" } | { at: "unclear"; text: string };

export function toLinkFailure(failure: unknown): LinkFailure {
  switch (toApiError(failure).code) {
    case "token_expired":
      return { at: "expired" };
    case "token_invalid":
    case "validation_failed":
      return { at: "error" };
    default:
      return { at: "unclear", text: getErrorMessage(failure) };
  }
}

export interface OncePerLink<T> {
  (link: MailLink): Promise<T>;
  /** Makes the next call with this link run again. */
  forget(link: MailLink): void;
}

/** Runs `run` once per link: links are valid once, and React may run an effect twice. */
export function memoizePerLink<T>(run: (link: MailLink) => Promise<T>): OncePerLink<T> {
  const runs = new WeakMap<MailLink, Promise<T>>();
  const runOnce = (link: MailLink) => {
    const running = runs.get(link) ?? run(link);
    runs.set(link, running);
    return running;
  };
  return Object.assign(runOnce, { forget: (link: MailLink) => void runs.delete(link) });
}
