import type { Clock } from "./ports.ts";

export const browserClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Calls `listener` when the network is back or the page is visible again. Returns the unsubscribe function. */
export function onWake(listener: () => void): () => void {
  const visible = () => {
    if (document.visibilityState === "visible") listener();
  };
  addEventListener("online", listener);
  document.addEventListener("visibilitychange", visible);
  return () => {
    removeEventListener("online", listener);
    document.removeEventListener("visibilitychange", visible);
  };
}
