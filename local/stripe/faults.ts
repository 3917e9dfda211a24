/** How a call of the API goes wrong. */
export type Failure = number | "refuse" | "lose-answer" | "timeout";

interface Rule {
  /** The calls it is for: those whose `METHOD /path` contains it; null: all. */
  match: string | null;
  delayMs: number | null;
  fail: Failure | null;
  /** Calls that are still to fail; null: until reset. */
  count: number | null;
}

/** What goes wrong with calls of the API. The rule that was set last comes first. */
export class CallFaults {
  #rules: Rule[] = [];

  add(rule: Rule): void {
    this.#rules.unshift(rule);
  }

  clear(): void {
    this.#rules = [];
  }

  /** The fault of one call; counts it. */
  take(call: string): { delayMs: number; fail: Failure | null } {
    const rules = this.#rules.filter(({ match }) => match === null || call.includes(match));
    const failing = rules.find(({ fail, count }) => fail !== null && count !== 0);
    if (failing && failing.count !== null) failing.count -= 1;
    return {
      delayMs: rules.find(({ delayMs }) => delayMs !== null)?.delayMs ?? 0,
      fail: failing?.fail ?? null,
    };
  }
}
