export interface Pace {
  /** Number of calls that may start at once; later ones start `intervalMs` apart. */
  burst: number;
  intervalMs: number;
  /** A call that would wait longer is rejected. */
  maxWaitMs: number;
}

/** Each reservation removes at most this many idle keys. */
const maxRemovals = 2;

/**
 * Spaces out the calls of each key, so that no key monopolises a shared thread.
 *
 * It stores times instead of a queue of promises: the runtime stops a request whose caller has disconnected,
 * and requests queued behind it would wait forever.
 */
export class CallSchedule {
  readonly #pace: Pace;
  /** By key, the time from which a full burst is available again; ms since the epoch. */
  readonly #due = new Map<string, number>();

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  /** @returns ms until the call may start, or null if the wait would be too long; then the call is not counted. */
  reserve(key: string, now: number): number | null {
    this.#removeIdle(now);
    const { burst, intervalMs, maxWaitMs } = this.#pace;
    const due = Math.max(now, this.#due.get(key) ?? 0);
    const waitMs = Math.max(0, due - now - (burst - 1) * intervalMs);
    if (waitMs > maxWaitMs) return null;
    this.#due.delete(key);
    this.#due.set(key, due + intervalMs);
    return waitMs;
  }

  /** Delays later calls of the key by `calls` intervals. */
  postpone(key: string, calls: number, now: number): void {
    const due = Math.max(now, this.#due.get(key) ?? 0);
    this.#due.delete(key);
    this.#due.set(key, due + calls * this.#pace.intervalMs);
  }

  /** Number of stored keys. */
  get size(): number {
    return this.#due.size;
  }

  /** Insertion order starts with the least recently used keys. */
  #removeIdle(now: number): void {
    let checked = 0;
    for (const [key, due] of this.#due) {
      if (checked === maxRemovals) return;
      checked += 1;
      if (due <= now) this.#due.delete(key);
    }
  }
}
