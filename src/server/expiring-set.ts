/** A set whose keys expire after a fixed time, in ms. */
export class ExpiringSet {
  readonly lifetimeMs: number;
  /** Insertion order, so the first entries expire first. */
  readonly #endsAt = new Map<string, number>();

  constructor(lifetimeMs: number) {
    this.lifetimeMs = lifetimeMs;
  }

  add(key: string, now: number): void {
    this.#endsAt.delete(key);
    this.#endsAt.set(key, now + this.lifetimeMs);
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
