export interface Pace {
  /** So many begin at once; later ones `intervalMs` apart. */
  burst: number;
  intervalMs: number;
  /** What would wait longer is refused. */
  maxWaitMs: number;
}

/** Callers that wait for nothing are forgotten two at a time, whenever another one comes. */
const maxRemovals = 2;

/**
 * When the calls of each key begin, so that none takes a shared thread for itself alone.
 *
 * It keeps moments and not a queue of promises: a request whose caller has gone stops in its middle,
 * and whoever waited for it would wait for ever.
 */
export class Schedule {
  readonly #pace: Pace;
  /** By key, the moment from which a whole burst may begin again; ms since the epoch. */
  readonly #due = new Map<string, number>();

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  /** @returns ms until the call may begin, or null when that is too long: then it counts as not made. */
  reserve(key: string, now: number): number | null {
    this.#forget(now);
    const { burst, intervalMs, maxWaitMs } = this.#pace;
    const due = Math.max(now, this.#due.get(key) ?? 0);
    const waitMs = Math.max(0, due - now - (burst - 1) * intervalMs);
    if (waitMs > maxWaitMs) return null;
    this.#due.delete(key);
    this.#due.set(key, due + intervalMs);
    return waitMs;
  }

  /** Puts off later calls of the key by `turns` more. */
  postpone(key: string, turns: number, now: number): void {
    const due = Math.max(now, this.#due.get(key) ?? 0);
    this.#due.delete(key);
    this.#due.set(key, due + turns * this.#pace.intervalMs);
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#due.size;
  }

  /** A `Map` lists first what was set first, and so begins with those that called longest ago. */
  #forget(now: number): void {
    let seen = 0;
    for (const [key, due] of this.#due) {
      if (seen === maxRemovals) return;
      seen += 1;
      if (due <= now) this.#due.delete(key);
    }
  }
}
