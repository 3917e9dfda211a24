/** What goes wrong on the way of an event to the webhook. The rule that was set last comes first. */
export interface WebhookRule {
  /** The events it is for: of this customer; null: of all. */
  customer: string | null;
  /** Of types that begin so; null: of all. */
  type: string | null;
  delayMs: number | null;
  /** Kept back until released. */
  hold: boolean | null;
  /** Sent so many times in all. */
  repeat: number | null;
  /** Never sent. */
  drop: boolean | null;
  /** Events that the rule is still for; null: until reset. */
  count: number | null;
}

export interface WebhookFate {
  delayMs: number;
  hold: boolean;
  repeat: number;
  drop: boolean;
}

export class WebhookRules {
  #rules: WebhookRule[] = [];

  add(rule: WebhookRule): void {
    this.#rules.unshift(rule);
  }

  clear(): void {
    this.#rules = [];
  }

  /** Lets later events of the customer (null: of all) pass. */
  stopHolding(customer: string | null): void {
    for (const rule of this.#rules)
      if (customer === null || rule.customer === customer) rule.hold = null;
  }

  /** What becomes of an event; counts it. */
  take(event: { type: string; customer: string | null }): WebhookFate {
    const rules = this.#rules.filter(
      ({ customer, type, count }) =>
        (customer === null || customer === event.customer) &&
        (type === null || event.type.startsWith(type)) &&
        count !== 0,
    );
    for (const rule of rules) if (rule.count !== null) rule.count -= 1;
    const first = <K extends keyof WebhookFate>(key: K) =>
      rules.find((rule) => rule[key] !== null)?.[key] ?? null;
    return {
      delayMs: first("delayMs") ?? 0,
      hold: first("hold") ?? false,
      repeat: first("repeat") ?? 1,
      drop: first("drop") ?? false,
    };
  }
}
