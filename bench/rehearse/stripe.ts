import { randomUUID } from "node:crypto";
import Stripe from "stripe";
import { type Billing, type BillingSubscription, UnknownCustomer } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";
import { connectBilling } from "#worker/adapters/stripe.ts";
import { stripeIdNames } from "#worker/settings.ts";
import { createExchange, type Exchange } from "./exchange.ts";
import { recordCalls } from "./record-fetch.ts";
import { type RehearsedService, type Side, wrongKey } from "./service.ts";

const vocabulary = new Set(["object", "status", "type", "code", "param", "interval"]);
const email = "rehearsal@example.com";
const pages = { successUrl: "https://example.com/yes", cancelUrl: "https://example.com/no" };

/** What the adapter makes of a call: `toFact` of its result, or its error without Stripe's message. */
async function call<T>(
  name: string,
  run: () => Promise<T>,
  toFact: (result: T) => string = () => "done",
): Promise<{ exchange: Exchange; result: T | undefined }> {
  let result: T | undefined;
  let outcome = "";
  const answers = await recordCalls(async () => {
    try {
      result = await run();
      outcome = toFact(result);
    } catch (error) {
      outcome = toOutcome(error);
    }
  });
  const facts = { "the adapter reads": outcome };
  return { exchange: createExchange(name, answers, vocabulary, { facts }), result };
}

function toOutcome(error: unknown): string {
  if (error instanceof UnknownCustomer) return "an unknown customer";
  if (error instanceof AppError) return error.code;
  // The id of the request differs each time.
  return error instanceof Error ? `${error.name} ${error.message.replace(/ req_\w+/, "")}` : "";
}

/** Pays for a subscription: at Stripe with its card for tests, at the stand-in on its page. */
async function subscribe(side: Side, customerId: string, priceId: string, page: string) {
  if (side.isStandIn) {
    await fetch(page, { method: "POST", body: "action=pay", redirect: "manual" });
    return;
  }
  const stripe = new Stripe(side.settings.stripe.secretKey);
  const { id } = await stripe.paymentMethods.attach("pm_card_visa", { customer: customerId });
  await stripe.subscriptions.create({
    customer: customerId,
    items: [{ price: priceId }],
    default_payment_method: id,
  });
}

/** A call that the adapter never makes. */
async function sendUnknownParameter({ settings: { stripe } }: Side): Promise<Exchange> {
  const answers = await recordCalls(() =>
    fetch(`${stripe.url}/v1/customers`, {
      method: "POST",
      headers: { authorization: `Bearer ${stripe.secretKey}` },
      body: new URLSearchParams({ email, rehearsal: "1" }),
    }),
  );
  return createExchange("an unknown parameter", answers, vocabulary);
}

const describe = (list: readonly BillingSubscription[]): string =>
  list.map(({ status, interval }) => `${status}, by the ${interval}`).join("; ") || "none";

async function runCalls(side: Side, billing: Billing, customerId: string): Promise<Exchange[]> {
  const { pro } = side.settings.prices;
  const found: Exchange[] = [];
  const record = async <T>(...args: Parameters<typeof call<T>>): Promise<T | undefined> => {
    const { exchange, result } = await call(...args);
    found.push(exchange);
    return result;
  };
  const checkout = { customerId, userId: "rehearsal", priceId: pro.month, ...pages };
  const list = (name: string) =>
    record(name, () => billing.listSubscriptions({ customerId }), describe);
  await record("no subscriptions", () => billing.listSubscriptions({ customerId }), describe);
  const page = await record("a page to pay", () => billing.createCheckout(checkout));
  const isKept = (kept: string | null) => (kept === null ? "no page" : "a page");
  await record(
    "its page again",
    () => billing.closeCheckouts({ customerId, keepPriceId: pro.month }),
    isKept,
  );
  const portal = { customerId, returnUrl: pages.successUrl };
  await record("the customer's portal", () => billing.openPortal(portal));
  await subscribe(side, customerId, pro.month, page ?? "");
  const [subscription] = (await list("a subscription")) ?? [];
  if (subscription) {
    await record("cancelling it", () =>
      billing.setCancelAtPeriodEnd({ subscription, cancel: true }),
    );
    const [ending = subscription] = (await list("a subscription that ends")) ?? [];
    await record("keeping it", () =>
      billing.setCancelAtPeriodEnd({ subscription: ending, cancel: false }),
    );
    const yearly = { subscription, priceId: pro.year };
    await record("another price", () => billing.changePrice(yearly));
    await list("a subscription by the year");
    const { id: subscriptionId } = subscription;
    await record("ending it now", () => billing.cancelNow({ subscriptionId, credit: true }));
  }
  await record("closing its pages", () =>
    billing.closeCheckouts({ customerId, keepPriceId: null }),
  );
  await record("a wrong price", () => billing.createCheckout({ ...checkout, priceId: "price_0" }));
  return found;
}

export const stripe: RehearsedService = {
  name: "Stripe",
  settings: ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_URL", ...stripeIdNames],
  findMissing: (isSet) => (isSet("STRIPE_SECRET_KEY") ? null : "STRIPE_SECRET_KEY"),
  estimateCost: () => ({
    work: "a customer and a subscription in the sandbox, both deleted at the end",
    dollars: 0,
    basis: "no money moves there",
  }),
  async run(side) {
    const billing = connectBilling(side.settings.stripe);
    const person = { userId: `rehearsal-${randomUUID()}`, email };
    const create = () => billing.createCustomer({ ...person, key: person.userId });
    const created = await call("a customer", create);
    const customerId = created.result;
    if (customerId === undefined) return [created.exchange];
    const again = await call("the same customer again", create, (id) =>
      id === customerId ? "the same" : "another",
    );
    const listed = await call(
      "customers by address",
      () => billing.findCustomers(person),
      (ids) => `${ids.length}`,
    );
    try {
      const exchanges = await runCalls(side, billing, customerId);
      const deleted = await call("deleting the customer", () =>
        billing.deleteCustomer({ customerId }),
      );
      const priceId = side.settings.prices.pro.month;
      const gone = await call("a deleted customer", () =>
        billing.createCheckout({ customerId, userId: person.userId, priceId, ...pages }),
      );
      const key = { ...side.settings.stripe, secretKey: `sk_test_${wrongKey}` };
      const refused = await call("a wrong key", () => connectBilling(key).findCustomers(person));
      const unknown = await sendUnknownParameter(side);
      const others = [created, again, listed, deleted, gone, refused];
      return [...exchanges, ...others.map(({ exchange }) => exchange), unknown];
    } finally {
      // Also after a failure in the middle; who is deleted already is no error.
      await billing.deleteCustomer({ customerId });
    }
  },
};
