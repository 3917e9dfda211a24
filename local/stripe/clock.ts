/**
 * The time that billing goes by. All customers share one; one customer's can be put ahead of it, as
 * with Stripe's test clocks.
 */
export class Clock {
  #aheadMs = 0;
  readonly #customersMs = new Map<string, number>();
  /** The second at which something is being caught up on. */
  #held: { customer: string | null; at: number } | null = null;
  readonly #real: () => Date;

  constructor(real: () => Date) {
    this.#real = real;
  }

  /** The time by the wall, which signatures carry. Seconds since the epoch. */
  real(): number {
    return Math.floor(this.#real().getTime() / 1_000);
  }

  /** Seconds since the epoch. Without a customer: the time that all share. */
  now(customer: string | null = null): number {
    if (this.#held && this.#held.customer === customer) return this.#held.at;
    const own = customer === null ? 0 : (this.#customersMs.get(customer) ?? 0);
    return Math.floor((this.#real().getTime() + this.#aheadMs + own) / 1_000);
  }

  /** Runs `work` while it is `at` for the customer. */
  during(customer: string | null, at: number, work: () => void): void {
    this.#held = { customer, at };
    try {
      work();
    } finally {
      this.#held = null;
    }
  }

  advance(seconds: number, customer: string | null): void {
    if (customer === null) this.#aheadMs += seconds * 1_000;
    else this.#customersMs.set(customer, (this.#customersMs.get(customer) ?? 0) + seconds * 1_000);
  }

  reset(): void {
    this.#aheadMs = 0;
    this.#customersMs.clear();
  }

  /** Kept with the data: subscriptions are dated by it. */
  toJSON(): { aheadMs: number; customersMs: Record<string, number> } {
    return { aheadMs: this.#aheadMs, customersMs: Object.fromEntries(this.#customersMs) };
  }

  restore({ aheadMs, customersMs }: ReturnType<Clock["toJSON"]>): void {
    this.reset();
    this.#aheadMs = aheadMs;
    for (const [customer, ms] of Object.entries(customersMs)) this.#customersMs.set(customer, ms);
  }
}
