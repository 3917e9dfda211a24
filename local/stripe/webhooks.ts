import { createHmac } from "node:crypto";
import type { Wait } from "../wait.ts";
import type { Account } from "./account.ts";
import type { StoredEvent } from "./model.ts";
import { type WebhookRule, WebhookRules } from "./webhook-rules.ts";
import { wireEvent } from "./wire/session.ts";

/** The types that the product's endpoint is to be registered for (docs/deploy.md). */
const usualTypes = [
  "checkout.session.completed",
  "customer.deleted",
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "invoice.paid",
  "invoice.payment_failed",
];

/** How long is waited after each failure in turn; Stripe goes on for days, in longer steps. */
const backOffMs = [250, 1_000, 4_000, 15_000, 60_000, 300_000, 900_000];
const answerMs = 20_000;

/** One attempt to deliver an event. */
export interface Attempt {
  id: string;
  type: string;
  /** The webhook's answer; null: there was none. */
  status: number | null;
}

interface Options {
  account: Account;
  secret: string;
  wait: Wait;
  closing: AbortSignal;
  /** Told when an event was answered with 2xx, or given up. */
  onSettled: () => void;
}

/** Sends events to the webhook: signed, at least once, in no promised order, again until 2xx. */
export class Webhooks {
  readonly rules = new WebhookRules();
  types: readonly string[] = usualTypes;
  #url: string | null = null;
  #held: StoredEvent[] = [];
  #attempts: Attempt[] = [];
  readonly #running = new Set<Promise<void>>();
  #ended = new AbortController();
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  get url(): string | null {
    return this.#url;
  }

  /** What the control's answer shows. */
  report() {
    return {
      webhookUrl: this.#url,
      held: this.#held.map(({ id, type, customer }) => ({ id, type, customer })),
      underway: this.#running.size,
      attempts: this.#attempts,
    };
  }

  /** From now on events go to `url`; those that had nowhere to go, too. */
  setUrl(url: string): void {
    const first = this.#url === null;
    this.#url = url;
    if (!first) return;
    for (const event of this.#options.account.events.values()) if (event.pending) this.take(event);
  }

  /** Sends an event on its way, as the rules say. */
  take(event: StoredEvent): void {
    if (!this.types.some((type) => type === "*" || type === event.type)) {
      event.pending = false;
      return;
    }
    if (this.#url === null) return;
    const { delayMs, hold, repeat, drop } = this.rules.take(event);
    if (drop) event.pending = false;
    else if (hold) this.#held.push(event);
    else for (let n = 0; n < repeat; n += 1) this.#run(this.#deliver(event, delayMs));
  }

  addRule(rule: WebhookRule): void {
    this.rules.add(rule);
  }

  /**
   * Sends what is held, one after another in the given order, and holds nothing more.
   *
   * @param order `"reversed"`, or ids of held events; those it does not name follow in their order.
   */
  async release(
    customer: string | null,
    order: "as held" | "reversed" | readonly string[],
    repeat: number,
  ): Promise<void> {
    this.rules.stopHolding(customer);
    const mine = this.#held.filter((event) => customer === null || event.customer === customer);
    this.#held = this.#held.filter((event) => !mine.includes(event));
    const sorted =
      order === "as held"
        ? mine
        : order === "reversed"
          ? mine.toReversed()
          : mine.toSorted((a, b) => place(order, a) - place(order, b));
    for (const event of sorted)
      for (let n = 0; n < repeat; n += 1) await this.#run(this.#deliver(event, 0));
  }

  /** Sends an event that is kept once more, whatever became of it before. */
  async resend(event: StoredEvent): Promise<void> {
    await this.#run(this.#deliver(event, 0));
  }

  /** Sends any body under any signature, once, and hands back the webhook's status. */
  async send(body: string, signature: string): Promise<number | null> {
    return this.#url === null ? null : this.#post(this.#url, body, signature);
  }

  /** `Stripe-Signature` of a body, signed at a second since the epoch. */
  sign(body: string, at: number, secret = this.#options.secret): string {
    const v1 = createHmac("sha256", secret).update(`${at}.${body}`).digest("hex");
    return `t=${at},v1=${v1}`;
  }

  /** Resolves when nothing is on its way any more. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.race(this.#running);
  }

  /** Forgets everything but the address. */
  reset(): void {
    this.rules.clear();
    this.types = usualTypes;
    this.#held = [];
    this.#attempts = [];
    this.#ended.abort();
    this.#ended = new AbortController();
  }

  #run(work: Promise<void>): Promise<void> {
    const tracked = work.finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
    return tracked;
  }

  async #deliver(event: StoredEvent, delayMs: number): Promise<void> {
    const { wait, closing, account, onSettled } = this.#options;
    const ended = AbortSignal.any([closing, this.#ended.signal]);
    const body = JSON.stringify(wireEvent(event));
    await wait(delayMs, ended);
    for (const pause of [...backOffMs, null]) {
      if (ended.aborted || this.#url === null) return;
      const status = await this.#post(
        this.#url,
        body,
        // Each attempt is signed anew, as Stripe does.
        this.sign(body, account.clock.real()),
      );
      if (ended.aborted) return;
      this.#attempts = [...this.#attempts, { id: event.id, type: event.type, status }].slice(-500);
      if (status !== null && status >= 200 && status < 300) break;
      if (pause !== null) await wait(pause, ended);
    }
    event.pending = false;
    onSettled();
  }

  async #post(url: string, body: string, signature: string): Promise<number | null> {
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json; charset=utf-8",
          "stripe-signature": signature,
          "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
        },
        body,
        // Stripe follows none.
        redirect: "manual",
        signal: AbortSignal.any([this.#options.closing, AbortSignal.timeout(answerMs)]),
      });
      await response.body?.cancel();
      return response.status;
    } catch {
      return null;
    }
  }
}

function place(order: readonly string[], { id }: StoredEvent): number {
  const index = order.indexOf(id);
  return index < 0 ? order.length : index;
}
