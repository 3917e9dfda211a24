import type { Clock } from "#client/lib/clock.ts";

/** Earlier, the measured speed says little. */
const measuredMinMs = 3_000;

/** Estimates from the speed so far when some work ends. */
export class TimeLeft {
  #start: { at: number; done: number } | null = null;

  constructor(private readonly clock: Pick<Clock, "now">) {}

  /** Seconds until `done` is `total`, in any unit; null: not known yet. */
  measure(done: number, total: number): number | null {
    const now = this.clock.now();
    // Until something is done, the work waits.
    if (this.#start === null || done <= this.#start.done) this.#start = { at: now, done };
    const elapsedMs = now - this.#start.at;
    const progress = done - this.#start.done;
    if (elapsedMs < measuredMinMs || progress <= 0) return null;
    return Math.ceil((Math.max(0, total - done) * elapsedMs) / progress / 1_000);
  }
}
