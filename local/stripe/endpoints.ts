import { z } from "zod";
import { type Account, newId } from "./account.ts";
import { createInvalidRequest, createResourceMissing, getById } from "./errors.ts";
import type { Checkout } from "./model.ts";
import { flag, limit, metadata, parseParameters, text, webAddress } from "./parameters.ts";
import { cancel, changePrice, updateAndPublish } from "./subscriptions.ts";
import { toCheckout, toCustomer, toSubscription } from "./wire.ts";

interface Endpoint {
  /** Matches method and path. */
  pattern: RegExp;
  /** @throws ApiError */
  run(account: Account, form: string, id: string): object;
}

/** @param call for example `DELETE /v1/customers/:id`. */
function createEndpoint<Shape extends z.ZodRawShape>(
  call: string,
  shape: Shape,
  run: (account: Account, input: z.output<z.ZodObject<Shape>>, id: string) => object,
): Endpoint {
  return {
    pattern: new RegExp(`^${call.replace(":id", "([^/]+)")}$`),
    run: (account, form, id) => run(account, parseParameters(z.strictObject(shape), form), id),
  };
}

/** The calls that the product and its tests use. */
export const endpoints: readonly Endpoint[] = [
  createEndpoint("POST /v1/customers", { email: z.email(), metadata }, (account, input) => {
    const rest = { balance: 0, card: null, deleted: false };
    const customer = { id: newId("cus"), ...input, ...rest };
    account.state.customers.push(customer);
    return toCustomer(customer);
  }),

  createEndpoint("GET /v1/customers", { email: text, limit }, ({ state }, input) => {
    const found = state.customers.filter(({ email, deleted }) => email === input.email && !deleted);
    return toList(input.limit, found, toCustomer);
  }),

  createEndpoint("DELETE /v1/customers/:id", {}, (account, _, id) => {
    const customer = account.customer(id);
    for (const subscription of account.state.subscriptions)
      if (subscription.customer === id && subscription.status !== "canceled")
        updateAndPublish(account, subscription, () => cancel(account, subscription));
    for (const checkout of account.state.checkouts)
      if (checkout.customer === id && checkout.status === "open") checkout.status = "expired";
    customer.deleted = true;
    account.publish("customer.deleted", id, toCustomer(customer));
    return { id, object: "customer", deleted: true };
  }),

  createEndpoint(
    "POST /v1/checkout/sessions",
    {
      mode: z.literal("subscription"),
      customer: text,
      client_reference_id: text,
      // Exactly one item: a second one is an unknown parameter.
      line_items: z.strictObject({ 0: z.strictObject({ price: text, quantity: z.literal("1") }) }),
      metadata,
      subscription_data: z.strictObject({ metadata }),
      success_url: webAddress,
      cancel_url: webAddress,
    },
    (account, input) => {
      const { metadata: labels, success_url: successUrl, cancel_url: cancelUrl } = input;
      const customer = account.customer(input.customer, "customer").id;
      const price = account.getPrice(input.line_items[0].price, "line_items[0][price]").id;
      const expiresAt = account.now(customer) + 24 * 3_600;
      const checkout: Checkout = {
        id: newId("cs_test"),
        status: "open",
        customer,
        price,
        subscription: null,
        expiresAt,
        metadata: labels,
        subscriptionMetadata: input.subscription_data.metadata,
        successUrl,
        cancelUrl,
      };
      account.state.checkouts.push(checkout);
      return toCheckout(account, checkout);
    },
  ),

  createEndpoint(
    "GET /v1/checkout/sessions",
    { customer: text, status: z.literal("open"), limit },
    (account, { customer, status, limit: max }) => {
      const { checkouts } = account.state;
      const found = checkouts.filter(
        (checkout) => checkout.customer === customer && checkout.status === status,
      );
      return toList(max, found, (checkout) => toCheckout(account, checkout));
    },
  ),

  createEndpoint("POST /v1/checkout/sessions/:id/expire", {}, (account, _, id) => {
    const checkout = getById(account.state.checkouts, "checkout.session", id);
    if (checkout.status !== "open")
      throw createInvalidRequest(
        `Only an open session can be expired. This one is ${checkout.status}.`,
      );
    checkout.status = "expired";
    return toCheckout(account, checkout);
  }),

  createEndpoint(
    "POST /v1/billing_portal/sessions",
    { customer: text, return_url: webAddress },
    (account, input) => {
      const customer = account.customer(input.customer, "customer").id;
      const id = newId("bps");
      account.state.portals.push({ id, customer, returnUrl: input.return_url });
      return { id, object: "billing_portal.session", url: `${account.origin}/stripe/portal/${id}` };
    },
  ),

  createEndpoint(
    "GET /v1/subscriptions",
    { customer: text, status: z.literal("all").optional(), limit },
    (account, { customer, status, limit: max }) => {
      const { customers, subscriptions } = account.state;
      getById(customers, "customer", customer, "customer");
      const own = subscriptions.filter((subscription) => subscription.customer === customer);
      const found = status ? own : own.filter((subscription) => subscription.status !== "canceled");
      return toList(max, found, (subscription) => toSubscription(account, subscription));
    },
  ),

  createEndpoint(
    "POST /v1/subscriptions/:id",
    {
      cancel_at: z.literal("").optional(),
      cancel_at_period_end: flag.optional(),
      // The id is required: without it Stripe would add a second item.
      items: z.strictObject({ 0: z.strictObject({ id: text, price: text }) }).optional(),
      // The only supported behaviour: charge immediately, or change nothing.
      proration_behavior: z.literal("always_invoice").optional(),
      payment_behavior: z.literal("error_if_incomplete").optional(),
    },
    (account, input, id) => {
      const subscription = getById(account.state.subscriptions, "subscription", id);
      if (subscription.status === "canceled")
        throw createInvalidRequest("A canceled subscription can only update its metadata.");
      const newItem = input.items?.[0];
      const param = input.proration_behavior ? "payment_behavior" : "proration_behavior";
      if (newItem && !(input.proration_behavior && input.payment_behavior))
        throw createInvalidRequest("The stand-in changes a price at once or not at all.", {
          param,
        });
      if (newItem && newItem.id !== subscription.item.id)
        throw createResourceMissing("subscription item", newItem.id, "items[0][id]");
      updateAndPublish(account, subscription, () => {
        if (newItem)
          changePrice(account, subscription, account.getPrice(newItem.price, "items[0][price]"));
        // As with Stripe, `false` does not remove a date in `cancel_at`; an empty `cancel_at` does.
        const hadPeriodEnd = subscription.cancelAtPeriodEnd;
        const hasPeriodEnd = input.cancel_at_period_end ?? hadPeriodEnd;
        if (hasPeriodEnd) subscription.cancelAt = subscription.item.periodEnd;
        else if (hadPeriodEnd || input.cancel_at === "") subscription.cancelAt = null;
        subscription.cancelAtPeriodEnd = hasPeriodEnd;
      });
      return toSubscription(account, subscription);
    },
  ),

  createEndpoint(
    "DELETE /v1/subscriptions/:id",
    { prorate: z.literal("true").optional(), invoice_now: z.literal("true").optional() },
    (account, { prorate, invoice_now: invoiceNow }, id) => {
      const subscription = getById(account.state.subscriptions, "subscription", id);
      if (subscription.status === "canceled") throw createResourceMissing("subscription", id);
      const param = prorate ? "invoice_now" : "prorate";
      if (prorate !== invoiceNow)
        throw createInvalidRequest("The stand-in credits what is left at once or not at all.", {
          param,
        });
      updateAndPublish(account, subscription, () =>
        cancel(account, subscription, prorate !== undefined),
      );
      return toSubscription(account, subscription);
    },
  ),
];

/** One page of a list, newest first. */
function toList<T>(max: number, oldestFirst: readonly T[], toWire: (item: T) => object) {
  const data = oldestFirst.toReversed().slice(0, max).map(toWire);
  return { object: "list", has_more: oldestFirst.length > max, data };
}
