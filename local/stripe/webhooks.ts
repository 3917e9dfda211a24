import { createHmac } from "node:crypto";
import type { Wait } from "#local/wait.ts";
import type { Account } from "./account.ts";
import type { StoredEvent } from "./model.ts";
import { toEvent } from "./wire.ts";

export const standInWebhookSecret = "whsec_stand_in";

/** Delays after each failed attempt. (Stripe itself retries for days, with longer delays.) */
const backoffMs = [250, 1_000, 4_000, 15_000, 60_000, 300_000, 900_000];
const answerTimeoutMs = 20_000;

/** Delivers events to the webhook: signed, in parallel, with retries until an answer of 2xx (at least once). */
export class Webhooks {
  #url: string | null = null;
  /** Customers whose events are held until `release`. */
  readonly heldCustomers = new Set<string>();
  heldEvents: readonly StoredEvent[] = [];
  readonly #running = new Set<Promise<void>>();

  /** @param onSettled called when an event is answered with 2xx or given up. */
  constructor(
    private readonly account: Account,
    private readonly wait: Wait,
    private readonly closing: AbortSignal,
    private readonly onSettled: () => void,
  ) {}

  /** Sets the address. The first call also sends the events that waited for one. */
  setUrl(url: string): void {
    const isFirst = this.#url === null;
    this.#url = url;
    if (isFirst) for (const event of this.account.state.events) this.send(event);
  }

  send(event: StoredEvent): void {
    if (this.#url === null || !event.pending) return;
    if (this.heldCustomers.has(event.customer)) this.heldEvents = [...this.heldEvents, event];
    else void this.#start(event);
  }

  /**
   * Sends a customer's held events one after another, each `repeat` times, and stops holding them.
   *
   * @param order ids of held events; the other events follow in their original order.
   */
  async release(customer: string, order: readonly string[], repeat: number): Promise<void> {
    this.heldCustomers.delete(customer);
    const events = this.heldEvents.filter((event) => event.customer === customer);
    this.heldEvents = this.heldEvents.filter((event) => event.customer !== customer);
    const rank = ({ id }: StoredEvent) => (order.includes(id) ? order.indexOf(id) : order.length);
    for (const event of events.sort((a, b) => rank(a) - rank(b)))
      for (let count = 0; count < repeat; count += 1) await this.#start(event);
  }

  /** Resolves when no delivery is in progress. */
  async waitUntilIdle(): Promise<void> {
    while (this.#running.size > 0) await Promise.race(this.#running);
  }

  #start(event: StoredEvent): Promise<void> {
    const running = this.#deliver(event).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  async #deliver(event: StoredEvent): Promise<void> {
    const body = JSON.stringify(toEvent(event));
    for (const delayMs of [...backoffMs, null]) {
      if (await this.#post(body)) break;
      if (delayMs !== null) await this.wait(delayMs, this.closing);
      // Undelivered events are sent after the next start.
      if (this.closing.aborted) return;
    }
    event.pending = false;
    this.account.state.events = this.account.state.events.filter(({ pending }) => pending);
    this.onSettled();
  }

  /** True if the webhook answers with 2xx. Each attempt is signed with the real time. */
  async #post(body: string): Promise<boolean> {
    const at = this.account.now();
    const v1 = createHmac("sha256", standInWebhookSecret).update(`${at}.${body}`).digest("hex");
    try {
      const response = await fetch(this.#url ?? "", {
        method: "POST",
        headers: { "content-type": "application/json", "stripe-signature": `t=${at},v1=${v1}` },
        body,
        redirect: "manual",
        signal: AbortSignal.any([this.closing, AbortSignal.timeout(answerTimeoutMs)]),
      });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  }
}
