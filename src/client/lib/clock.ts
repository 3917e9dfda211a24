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

/** At most one call that is due later; a new one takes its place. */
export class Timer {
  #cancel: (() => void) | null = null;

  constructor(private readonly clock: Clock) {}

  get isRunning(): boolean {
    return this.#cancel !== null;
  }

  start(delayMs: number, run: () => void): void {
    this.cancel();
    this.#cancel = this.clock.after(delayMs, () => {
      this.#cancel = null;
      run();
    });
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
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
