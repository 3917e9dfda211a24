import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import { vi } from "vitest";
import { createStripeStandIn } from "../../../../local/stripe/stand-in.ts";
import type { Wait } from "../../../../local/wait.ts";
import { control, serve } from "../serve.ts";

export const secretKey = "sk_test_stand_in";
const webhookSecret = "whsec_stand_in";

/** A request to the webhook, before anything is believed about it. */
interface Delivery {
  body: string;
  signature: string;
}

interface Options {
  /** Where the account is kept; absent: in memory alone. */
  dataFile?: string;
  fetchClient?: boolean;
  /** The stand-in is not told where the webhook is. */
  withoutWebhook?: boolean;
  /** ISO 8601. */
  start?: string;
}

/** The stand-in on a port, an official client before it and a webhook behind it, with a clock by hand. */
export async function openShop({
  dataFile,
  fetchClient = false,
  withoutWebhook = false,
  start,
}: Options = {}) {
  const time = { now: new Date(start ?? "2026-11-20T12:00:00.000Z") };
  const waits = new Waits();
  const standIn = createStripeStandIn({
    now: () => time.now,
    wait: waits.wait,
    ...(dataFile ? { dataFile } : {}),
  });
  const server = await serve(standIn);
  const { hostname, port } = new URL(server.url);
  const stripe = new Stripe(secretKey, {
    host: hostname,
    port,
    protocol: "http",
    maxNetworkRetries: 0,
    telemetry: false,
    ...(fetchClient ? { httpClient: Stripe.createFetchHttpClient() } : {}),
  });

  const deliveries: Delivery[] = [];
  const webhook = { answer: 200 };
  const receiver = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    deliveries.push({ body, signature: String(request.headers["stripe-signature"]) });
    response.writeHead(webhook.answer).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  if (!withoutWebhook) standIn.setWebhookUrl(receiverUrl);

  const order = (body: object) =>
    control(server.url, "/stripe/", body) as Promise<Record<string, unknown>>;
  const post = (page: string, form: Record<string, string>) =>
    fetch(page, { method: "POST", body: new URLSearchParams(form), redirect: "manual" });

  return {
    ...{ url: server.url, stripe, time, waits, webhook, deliveries, order, post, receiverUrl },

    /** Types of the events that the webhook was sent, each time it was. */
    types: () => deliveries.map(({ body }) => (JSON.parse(body) as Stripe.Event).type),

    /** The delivery is a signed event by the client's own reckoning. */
    verified: ({ body, signature }: Delivery) =>
      stripe.webhooks.constructEventAsync(
        body,
        signature,
        webhookSecret,
        300,
        undefined,
        time.now.getTime(),
      ),

    /** A customer with a checkout session that is not paid yet. */
    async openCheckout(price = "price_pro_monthly", extra: object = {}) {
      const customer = await stripe.customers.create({
        email: "reader@example.org",
        metadata: { user_id: "u1" },
      });
      const session = await stripe.checkout.sessions.create({
        ...{ mode: "subscription", customer: customer.id, client_reference_id: "u1" },
        line_items: [{ price, quantity: 1 }],
        success_url: "https://dualect.test/profile?checkout=success&id={CHECKOUT_SESSION_ID}",
        cancel_url: "https://dualect.test/profile?checkout=cancel",
        subscription_data: { metadata: { user_id: "u1" } },
        ...extra,
      });
      return { customer, session, page: session.url ?? "" };
    },

    /** A customer whose checkout was paid, and the subscription. */
    async subscribe(price = "price_pro_monthly") {
      const { customer, session, page } = await this.openCheckout(price);
      await post(page, { action: "pay" });
      const done = await stripe.checkout.sessions.retrieve(session.id);
      const subscription = await stripe.subscriptions.retrieve(String(done.subscription));
      return { customer, subscription, item: subscription.items.data[0]?.id ?? "" };
    },

    /** The stand-in's own clock moves on; what is due happens and is delivered. */
    later: (seconds: number, rest: object = {}) =>
      order({ advanceSeconds: seconds, settle: true, ...rest }),

    async close() {
      await server.close();
      receiver.closeAllConnections();
      await new Promise((resolve) => receiver.close(resolve));
    },
  };
}
export type Shop = Awaited<ReturnType<typeof openShop>>;

export const day = 86_400;

/** Waiting that ends when `pass` says so much time is over, or the signal aborts. */
class Waits {
  #now = 0;
  #open: { due: number; ms: number; end: () => void }[] = [];

  readonly wait: Wait = (ms, signal) => {
    if (ms <= 0 || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const entry = { due: this.#now + ms, ms, end: resolve };
      this.#open.push(entry);
      signal.addEventListener("abort", () => {
        this.#open = this.#open.filter((one) => one !== entry);
        resolve();
      });
    });
  };

  pass(ms: number): void {
    this.#now += ms;
    const over = this.#open.filter(({ due }) => due <= this.#now);
    this.#open = this.#open.filter(({ due }) => due > this.#now);
    for (const { end } of over) end();
  }

  /** Resolves once something waits exactly `ms`. */
  async until(ms: number): Promise<void> {
    await vi.waitUntil(() => this.#open.some((one) => one.ms === ms), { interval: 5 });
  }
}
