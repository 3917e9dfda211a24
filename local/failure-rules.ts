type Settings = Record<string, unknown>;

/**
 * Failure injection for the stand-ins. A rule applies to one `subject` (absent: to every request), holds some
 * settings, and its `fail` setting is used up after `count` requests (absent: it lasts until a reset). For
 * each setting, the rule that was added last wins.
 */
export class FailureRules<Effect extends { fail?: unknown }> {
  #rules: { subject: string | undefined; effect: Effect; count: number }[] = [];

  /** Removes all rules if `reset` is set, then adds a rule unless it has no settings. Returns all rules. */
  set({ reset, subject, effect, count = Number.POSITIVE_INFINITY }: NewRule<Effect>): object[] {
    if (reset) this.#rules = [];
    const hasSettings = Object.values(effect as Settings).some((value) => value !== undefined);
    if (hasSettings) this.#rules.unshift({ subject, effect, count });
    return this.#rules;
  }

  /** The settings for a request whose subjects pass `matches`. Uses up one count of the `fail` setting. */
  takeNext(matches: (subject: string) => boolean): Partial<Effect> {
    const rules = this.#rules.filter(({ subject }) => subject === undefined || matches(subject));
    const failing = rules.find(({ effect, count }) => effect.fail !== undefined && count > 0);
    if (failing) failing.count -= 1;
    const settings = rules.toReversed().map(({ effect }) => omitUndefined(effect));
    return Object.assign({}, ...settings, { fail: failing?.effect.fail });
  }
}

interface NewRule<Effect> {
  reset?: true | undefined;
  subject?: string | undefined;
  effect: Effect;
  count?: number | undefined;
}

const omitUndefined = (settings: Settings) =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
