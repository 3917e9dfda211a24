import { type Clock, Timer } from "./clock.ts";

/** Tries something again after delays that grow with each failure. */
export class RetryTimer extends Timer {
  #failures = 0;

  /** `getDelayMs`: the delay after `failures` earlier failures. */
  constructor(
    clock: Clock,
    private readonly getDelayMs: (failures: number) => number,
    private readonly run: () => void,
  ) {
    super(clock);
  }

  /** Failures in a row. */
  get failures(): number {
    return this.#failures;
  }

  /** It has failed: `run` is called after the next delay, which `change` may make longer. */
  schedule(change = (delayMs: number) => delayMs): void {
    this.start(change(this.getDelayMs(this.#failures)), this.run);
    this.#failures += 1;
  }

  /** `run` is called in `delayMs` instead. */
  postpone(delayMs: number): void {
    this.start(delayMs, this.run);
  }

  /** Calls `run` now if it waits. False if it does not. */
  runNow(): boolean {
    if (!this.isRunning) return false;
    this.cancel();
    this.run();
    return true;
  }

  /** It has succeeded: the next delay is the first one again. */
  reset(): void {
    this.#failures = 0;
  }
}
