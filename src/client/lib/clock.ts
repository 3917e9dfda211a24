export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `run` once after `delayMs`. Returns the cancel function. */
  after(delayMs: number, run: () => void): () => void;
}

/** Calls `run` every `periodMs` until the returned function is called. */
export function every(clock: Clock, periodMs: number, run: () => void): () => void {
  let cancel = clock.after(periodMs, tick);
  function tick() {
    cancel = clock.after(periodMs, tick);
    run();
  }
  return () => cancel();
}

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
