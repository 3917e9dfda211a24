import * as z from "zod";

const failure = z.union([z.int().min(400).max(599), z.enum(["refuse", "garbage", "lose-answer"])]);
export type Failure = z.infer<typeof failure>;

export const control = z.strictObject({
  reset: z.optional(z.literal(true)),
  delayMs: z.optional(z.int().min(0).max(600_000)),
  fail: z.optional(failure),
  count: z.optional(z.int().min(1)),
  to: z.optional(z.string().min(1)),
});

interface Rule {
  /** The mails it is for: those to this address; null: all. */
  to: string | null;
  delayMs: number | null;
  fail: Failure | null;
  /** Mails that are still to fail; null: until reset. */
  count: number | null;
}

/** What goes wrong, by rule. The rule that was set last comes first. */
export class FaultRules {
  #rules: Rule[] = [];

  /** Adds what `body` sets as one rule, after a reset where it asks for one; hands back all rules. */
  set({ reset, to, delayMs, fail, count }: z.infer<typeof control>): readonly Rule[] {
    if (reset) this.#rules = [];
    if (delayMs !== undefined || fail !== undefined) {
      this.#rules.unshift({
        to: to?.toLowerCase() ?? null,
        delayMs: delayMs ?? null,
        fail: fail ?? null,
        count: count ?? null,
      });
    }
    return this.#rules;
  }

  /** What goes wrong with a mail to `addresses`; counts it. */
  take(addresses: readonly string[]): { delayMs: number; fail: Failure | null } {
    const named = addresses.map((address) => address.toLowerCase());
    const rules = this.#rules.filter(
      ({ to }) => to === null || named.some((address) => address.includes(to)),
    );
    const failing = rules.find(({ fail, count }) => fail !== null && count !== 0);
    if (failing && failing.count !== null) failing.count -= 1;
    return {
      delayMs: rules.find(({ delayMs }) => delayMs !== null)?.delayMs ?? 0,
      fail: failing?.fail ?? null,
    };
  }
}
