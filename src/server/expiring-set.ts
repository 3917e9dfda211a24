/** Keys that are remembered for a constant time, in ms. */
export class ExpiringSet {
  readonly lifetimeMs: number;
  /** A `Map` lists first what was added first, and so ends first. */
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

  /** How many keys are remembered; those that ended since the last `has` are among them. */
  get size(): number {
    return this.#endsAt.size;
  }
}
