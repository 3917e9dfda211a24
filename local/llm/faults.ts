import * as z from "zod";

const failure = z.union([
  z.int().min(400).max(599),
  z.enum(["refuse", "garbage", "cut", "end", "stall", "length", "error"]),
]);
export type Failure = z.infer<typeof failure>;

export const control = z.strictObject({
  reset: z.optional(z.literal(true)),
  delayMs: z.optional(z.int().min(0).max(600_000)),
  chunkMs: z.optional(z.int().min(0).max(60_000)),
  fail: z.optional(failure),
  answer: z.optional(z.string()),
  windowTokens: z.optional(z.int().min(1)),
  count: z.optional(z.int().min(1)),
  match: z.optional(z.string().min(1)),
});

interface Rule {
  match: string | null;
  delayMs: number | null;
  chunkMs: number | null;
  answer: string | null;
  windowTokens: number | null;
  fail: Failure | null;
  /** Requests that are still to fail; null: until reset. */
  count: number | null;
}

export interface Fault {
  delayMs: number;
  chunkMs: number;
  /** In place of the demonstration. */
  answer: string | null;
  /** Tokens that a prompt may have. */
  windowTokens: number;
  fail: Failure | null;
}

/** What goes wrong, by rule. The rule that was set last comes first. */
export class FaultRules {
  #rules: Rule[] = [];

  /** Adds what `body` sets as one rule, after a reset where it asks for one; hands back all rules. */
  set(body: z.infer<typeof control>): readonly Rule[] {
    const { reset, match, count, ...what } = body;
    if (reset) this.#rules = [];
    if (Object.keys(what).length > 0) {
      this.#rules.unshift({
        match: match ?? null,
        delayMs: what.delayMs ?? null,
        chunkMs: what.chunkMs ?? null,
        answer: what.answer ?? null,
        windowTokens: what.windowTokens ?? null,
        fail: what.fail ?? null,
        count: count ?? null,
      });
    }
    return this.#rules;
  }

  /** The fault of a request about `text`; counts it. */
  take(text: string): Fault {
    const rules = this.#rules.filter(({ match }) => match === null || text.includes(match));
    const failing = rules.find(({ fail, count }) => fail !== null && count !== 0);
    if (failing && failing.count !== null) failing.count -= 1;
    return {
      answer: rules.find(({ answer }) => answer !== null)?.answer ?? null,
      windowTokens:
        rules.find(({ windowTokens }) => windowTokens !== null)?.windowTokens ??
        Number.POSITIVE_INFINITY,
      delayMs: rules.find(({ delayMs }) => delayMs !== null)?.delayMs ?? 0,
      chunkMs: rules.find(({ chunkMs }) => chunkMs !== null)?.chunkMs ?? 0,
      fail: failing?.fail ?? null,
    };
  }
}
