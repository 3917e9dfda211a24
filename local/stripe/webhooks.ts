import { createHmac } from "node:crypto";
import type { Wait } from "#local/wait.ts";
import type { Account } from "./account.ts";
import type { StoredEvent } from "./model.ts";
import { toEvent } from "./wire.ts";

export const standInWebhookSecret = "whsec_stand_in";

/** How long is waited after each failure in turn; Stripe goes on for days, in longer steps. */
const backoffMs = [250, 1_000, 4_000, 15_000, 60_000, 300_000, 900_000];
const answerTimeoutMs = 20_000;

/** Sends events to the webhook: signed, at least once, side by side, again until 2xx. */
export class Webhooks {
  #url: string | null = null;
  /** Customers whose events are kept back. */
  readonly heldCustomers = new Set<string>();
  heldEvents: readonly StoredEvent[] = [];
  readonly #running = new Set<Promise<void>>();

  /** @param onSettled is called when an event was answered with 2xx, or given up. */
  constructor(
    private readonly account: Account,
    private readonly wait: Wait,
    private readonly closing: AbortSignal,
    private readonly onSettled: () => void,
  ) {}

  /** From now on events go to `url`; those that had nowhere to go, too. */
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
   * Sends what is held of a customer, one after another and each `repeat` times, and holds no more.
   *
   * @param order ids of held events; those that it does not name follow in the order of events.
   */
  async release(customer: string, order: readonly string[], repeat: number): Promise<void> {
    this.heldCustomers.delete(customer);
    const events = this.heldEvents.filter((event) => event.customer === customer);
    this.heldEvents = this.heldEvents.filter((event) => event.customer !== customer);
    const rank = ({ id }: StoredEvent) => (order.includes(id) ? order.indexOf(id) : order.length);
    for (const event of events.sort((a, b) => rank(a) - rank(b)))
      for (let count = 0; count < repeat; count += 1) await this.#start(event);
  }

  /** Resolves when nothing is on its way any more. */
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
    for (const pause of [...backoffMs, null]) {
      if (await this.#post(body)) break;
      if (pause !== null) await this.wait(pause, this.closing);
      // What was not sent is sent after the next start.
      if (this.closing.aborted) return;
    }
    event.pending = false;
    this.account.state.events = this.account.state.events.filter(({ pending }) => pending);
    this.onSettled();
  }

  /** Whether the webhook answered with 2xx. Each attempt is signed anew, in real time. */
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
