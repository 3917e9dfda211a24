import type { Clock } from "#client/lib/clock.ts";
import type { Stretch } from "./stretches.ts";

/**
 * A clock on which computing takes as long as it takes on this machine, and everything else no time. Computing time is
 * that of the processor, so that other programs on the machine do not count, except what runs in other threads.
 */
export class SimulatedClock implements Clock {
  /** When something was computed, ms on this clock; in order. */
  readonly busy: Stretch[] = [];
  #now = 0;
  readonly #timers = new Set<{ at: number; run: () => void }>();
  #work: Promise<unknown> | null = null;

  /**
   * `slowness`: computing takes so many times longer than here. `getOtherMs`: how long this thread has waited for others
   * that compute, ms.
   */
  constructor(
    private readonly slowness: number,
    private readonly getOtherMs = () => 0,
  ) {}

  now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, delayMs), run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Computes something, one at a time. */
  async compute<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#work !== null) throw new Error("something is being computed already");
    const since = process.threadCpuUsage();
    const otherMs = this.getOtherMs();
    const working = work();
    this.#work = working.catch(() => {});
    try {
      return await working;
    } finally {
      this.#work = null;
      const { user, system } = process.threadCpuUsage(since);
      const computedMs = (user + system) / 1_000 + this.getOtherMs() - otherMs;
      const ms = computedMs * this.slowness;
      this.busy.push({ startMs: this.#now, endMs: this.#now + ms });
      await new Promise<void>((resolve) => this.after(ms, resolve));
    }
  }

  /** Moves on to `ms`; timers run at their time, in order, and promises settle in between. */
  async advanceTo(ms: number): Promise<void> {
    while (await this.#advance(ms));
    this.#now = Math.max(this.#now, ms);
  }

  /** Moves on until `hasEnded`. @throws when nothing is left that could come */
  async advanceUntil(hasEnded: () => boolean): Promise<void> {
    while (!hasEnded())
      if (!(await this.#advance(Number.POSITIVE_INFINITY)) && !hasEnded())
        throw new Error("nothing is left to do");
  }

  /** One timer, or what is being computed. False: there is no timer until `ms`. */
  async #advance(ms: number): Promise<boolean> {
    await new Promise(setImmediate);
    if (this.#work !== null) {
      await this.#work;
      return true;
    }
    let next: { at: number; run: () => void } | undefined;
    for (const timer of this.#timers)
      if (timer.at <= ms && (next === undefined || timer.at < next.at)) next = timer;
    if (next === undefined) return false;
    this.#timers.delete(next);
    this.#now = next.at;
    next.run();
    return true;
  }
}
