import type { Clock } from "./clock.ts";

/** Tries something again after delays that grow with each failure. */
export class RetryTimer {
  #failures = 0;
  #cancel: (() => void) | null = null;

  /** `getDelayMs`: the delay after `failures` earlier failures. */
  constructor(
    private readonly clock: Clock,
    private readonly getDelayMs: (failures: number) => number,
    private readonly run: () => void,
  ) {}

  get isWaiting(): boolean {
    return this.#cancel !== null;
  }
  /** Failures in a row. */
  get failures(): number {
    return this.#failures;
  }

  /** It has failed: `run` is called after the next delay, which `change` may make longer. */
  schedule(change = (delayMs: number) => delayMs): void {
    this.cancel();
    this.#cancel = this.clock.after(change(this.getDelayMs(this.#failures)), () => {
      this.#cancel = null;
      this.run();
    });
    this.#failures += 1;
  }

  /** Calls `run` now if it waits. False if it does not. */
  runNow(): boolean {
    if (!this.isWaiting) return false;
    this.cancel();
    this.run();
    return true;
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** It has succeeded: the next delay is the first one again. */
  reset(): void {
    this.#failures = 0;
  }
}
