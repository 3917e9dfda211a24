import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import { standInSecretKey } from "#local/stripe/api.ts";
import { createStripeStandIn } from "#local/stripe/stand-in.ts";
import { standInWebhookSecret } from "#local/stripe/webhooks.ts";
import { control as sendControl, serve } from "#tests/unit/local/serve.ts";

const daySeconds = 86_400;

interface Options {
  /** Where the account is kept; absent: in memory alone. */
  dataFile?: string;
  /** ISO 8601. */
  start?: string;
}

/** Starts the stand-in with a fixed clock, the official client, and a webhook receiver. */
export async function startStripe({ dataFile, start = "2026-11-20T12:00:00.000Z" }: Options = {}) {
  const now = new Date(start);
  const standIn = createStripeStandIn({
    now: () => now,
    // Retries follow immediately.
    wait: async () => {},
    ...(dataFile ? { dataFile } : {}),
  });
  const server = await serve(standIn);
  const { hostname, port } = new URL(server.url);
  const stripe = new Stripe(standInSecretKey, {
    host: hostname,
    port,
    protocol: "http",
    maxNetworkRetries: 0,
    telemetry: false,
  });

  /** Verified events, and the statuses with which the webhook answers them in turn (then 200). */
  const events: Stripe.Event[] = [];
  const answers: number[] = [];
  const receiver = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const signature = String(request.headers["stripe-signature"]);
    const { webhooks } = stripe;
    const [secret, at] = [standInWebhookSecret, now.getTime()];
    events.push(await webhooks.constructEventAsync(body, signature, secret, 300, undefined, at));
    response.writeHead(answers.shift() ?? 200).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  standIn.setWebhookUrl(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`);

  const control = (body: object) =>
    sendControl(server.url, "/stripe/", body) as Promise<{ now: string; held: { id: string }[] }>;
  const post = (page: string, form: Record<string, string>) =>
    fetch(page, { method: "POST", body: new URLSearchParams(form), redirect: "manual" });
  const openCheckout = async (price = "price_pro_monthly") => {
    const metadata = { user_id: "u1" };
    const customer = await stripe.customers.create({ email: "reader@example.org", metadata });
    const session = await stripe.checkout.sessions.create({
      mode: "subscription",
      customer: customer.id,
      client_reference_id: "u1",
      metadata,
      line_items: [{ price, quantity: 1 }],
      subscription_data: { metadata },
      success_url: "https://dualect.test/profile?checkout=success",
      cancel_url: "https://dualect.test/profile?checkout=cancel",
    });
    return { customer: customer.id, session, page: session.url ?? "" };
  };

  return {
    url: server.url,
    stripe,
    events,
    answers,
    control,
    post,
    openCheckout,
    types: () => events.map(({ type }) => type),
    /** The customer's only subscription, in any status. */
    async getSubscription(customer: string) {
      const { data } = await stripe.subscriptions.list({ customer, status: "all" });
      const [subscription, ...others] = data;
      const item = subscription?.items.data[0];
      if (!subscription || !item || others.length > 0) throw new Error("not one subscription");
      return { ...subscription, item };
    },
    /** Creates a customer who pays on the checkout page. */
    async subscribe(price?: string) {
      const { customer, page } = await openCheckout(price);
      await post(page, { action: "pay" });
      return customer;
    },
    /** Moves a customer's clock forward and waits until all due events are delivered. */
    advanceDays: (customer: string, days: number) =>
      control({ customer, advanceSeconds: days * daySeconds, settle: true }),
    async close() {
      await server.close();
      receiver.closeAllConnections();
      await new Promise((resolve) => receiver.close(resolve));
    },
  };
}
export type StripeFixture = Awaited<ReturnType<typeof startStripe>>;
