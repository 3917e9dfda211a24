import { useEffect, useState } from "react";
import { useValue } from "#client/lib/signal.ts";
import { forgetStoredLink, mailLink } from "#client/state/mail-link.ts";
import type { OncePerLink } from "./link-outcome.ts";

const loading = { at: "loading" } as const;

interface LinkState<State> {
  state: State;
  setState: (next: State) => void;
  tryAgain: () => void;
}

/** The result of `run` for the link that the page was opened with; of `getInitial` where there was none. */
export function useMailLink<State extends { at: string }>(
  run: OncePerLink<State>,
  getInitial: () => State,
): LinkState<State | typeof loading> {
  const link = useValue(mailLink);
  const [state, setState] = useState<State | typeof loading>(() => (link ? loading : getInitial()));
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt runs again
  useEffect(() => {
    if (!link) return;
    let current = true;
    setState(loading);
    void run(link).then((next) => {
      if (next.at !== "unclear") forgetStoredLink();
      if (current) setState(next);
    });
    return () => {
      current = false;
    };
  }, [link, run, attempt]);

  function tryAgain() {
    if (link) run.forget(link);
    setAttempt(attempt + 1);
  }

  return { state, setState, tryAgain };
}
