type Settings = Record<string, unknown>;

/**
 * What goes wrong, by rule: each says what it is for (`subject`; absent: all), some values, and after how
 * many times its `fail` is over (`count`; absent: at a reset). For each value the rule that was set last
 * comes first.
 */
export class FailureRules<What extends { fail?: unknown }> {
  #rules: { subject: string | undefined; what: What; count: number }[] = [];

  /** Adds a rule, unless it says nothing; after a reset where one is asked for. Returns all rules. */
  set({ reset, subject, what, count = Number.POSITIVE_INFINITY }: NewRule<What>): object[] {
    if (reset) this.#rules = [];
    const isSaid = Object.values(what as Settings).some((value) => value !== undefined);
    if (isSaid) this.#rules.unshift({ subject, what, count });
    return this.#rules;
  }

  /** The values for what `isMeant` says of subjects; counts the `fail` among them. */
  takeNext(matches: (subject: string) => boolean): Partial<What> {
    const rules = this.#rules.filter(({ subject }) => subject === undefined || matches(subject));
    const failing = rules.find(({ what, count }) => what.fail !== undefined && count > 0);
    if (failing) failing.count -= 1;
    const said = rules.toReversed().map(({ what }) => omitUndefined(what));
    return Object.assign({}, ...said, { fail: failing?.what.fail });
  }
}

interface NewRule<What> {
  reset?: true | undefined;
  subject?: string | undefined;
  what: What;
  count?: number | undefined;
}

const omitUndefined = (what: Settings) =>
  Object.fromEntries(Object.entries(what).filter(([, value]) => value !== undefined));
