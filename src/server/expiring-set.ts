/** A set whose keys expire after a fixed time, in ms. Beyond `sizeMax` keys, the oldest makes room for a new one. */
export class ExpiringSet {
  readonly lifetimeMs: number;
  readonly #sizeMax: number;
  /** Insertion order, so the first entries expire first. */
  readonly #endsAt = new Map<string, number>();

  constructor(lifetimeMs: number, sizeMax = Number.POSITIVE_INFINITY) {
    this.lifetimeMs = lifetimeMs;
    this.#sizeMax = sizeMax;
  }

  add(key: string, now: number): void {
    this.#endsAt.delete(key);
    this.#endsAt.set(key, now + this.lifetimeMs);
    const [oldest] = this.#endsAt.keys();
    if (this.#endsAt.size > this.#sizeMax && oldest !== undefined) this.#endsAt.delete(oldest);
  }

  has(key: string, now: number): boolean {
    for (const [old, endsAt] of this.#endsAt) {
      if (endsAt > now) break;
      this.#endsAt.delete(old);
    }
    return this.#endsAt.has(key);
  }

  /** Number of stored keys, including those that have expired since the last `has`. */
  get size(): number {
    return this.#endsAt.size;
  }
}
