import type { Clock } from "#client/lib/clock.ts";

interface Timer {
  at: number;
  order: number;
  run: () => void;
}

/** Lets every promise that can settle do so. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Time that stands still until it is moved. */
export class ManualClock implements Clock {
  #now: number;
  #order = 0;
  readonly #timers = new Set<Timer>();

  constructor(now = Date.UTC(2026, 10, 20, 9, 2)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): () => void {
    this.#order += 1;
    const timer = { at: this.#now + Math.max(0, delayMs), order: this.#order, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Timers that are set. */
  get timers(): number {
    return this.#timers.size;
  }

  /** Moves on by `ms`; timers run at their time, in order, and promises settle in between. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settle();
    for (;;) {
      const due = [...this.#timers].filter((timer) => timer.at <= until);
      const next = due.sort((a, b) => a.at - b.at || a.order - b.order)[0];
      if (next === undefined) break;
      this.#now = Math.max(this.#now, next.at);
      this.#timers.delete(next);
      next.run();
      await settle();
    }
    this.#now = until;
  }

  /** The page is blocked or frozen for `ms`: timers that are due run later. */
  async block(ms: number): Promise<void> {
    await settle();
    this.#now += ms;
  }

  /** Moves on in steps of 50 ms until `condition` holds. @throws after `limitMs` */
  async until(condition: () => boolean, limitMs = 60_000): Promise<void> {
    await settle();
    for (let waited = 0; !condition(); waited += 50) {
      if (waited >= limitMs) throw new Error("the condition did not come true");
      await this.advance(50);
    }
  }
}
