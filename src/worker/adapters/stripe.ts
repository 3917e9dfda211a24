import Stripe from "stripe";
import * as z from "zod";
import {
  type Billing,
  type BillingSubscription,
  billingStatuses,
  UnknownCustomer,
} from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";
import { billingIntervals } from "#shared/plans.ts";
import type { resolveBilling } from "#worker/billing-env.ts";
import { readSignedEvent } from "./stripe-webhook-events.ts";

const answerTimeoutMs = 8_000;
const maxPageSize = 100;
/** A checkout page that expires sooner than this is not reused. */
const minCheckoutRemainingMs = 10 * 60_000;

const seconds = z.number().transform((value) => new Date(value * 1_000));

const subscriptionSchema = z.object({
  id: z.string(),
  status: z.enum(billingStatuses),
  created: seconds,
  cancel_at: seconds.nullable(),
  cancel_at_period_end: z.boolean(),
  items: z.object({
    data: z.tuple(
      [
        z.object({
          id: z.string(),
          current_period_end: seconds,
          price: z.object({
            id: z.string(),
            product: z.string(),
            // Products that were sold manually may have weekly or daily intervals.
            recurring: z.object({ interval: z.enum(billingIntervals).nullable().catch(null) }),
          }),
        }),
      ],
      z.unknown(),
    ),
  }),
});

/** Extracts the fields that the rules need. Since API version 2025-03-31 the period belongs to the item. */
function parseSubscription(answer: unknown): BillingSubscription {
  const { id, status, created, items, ...ending } = subscriptionSchema.parse(answer);
  const [{ id: itemId, current_period_end: currentPeriodEnd, price }] = items.data;
  return {
    id,
    status,
    itemId,
    currentPeriodEnd,
    createdAt: created,
    priceId: price.id,
    productId: price.product,
    interval: price.recurring.interval,
    // The portal may end one on a date instead of with its period.
    endsAt: ending.cancel_at ?? (ending.cancel_at_period_end ? currentPeriodEnd : null),
    endsWithPeriod: ending.cancel_at_period_end,
  };
}

/** An error from Stripe. Holds only names and codes, because the message may repeat what was sent. */
class StripeRefusal extends Error {
  override readonly name = "StripeRefusal";
}

const isMissing = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing";

/** Converts the SDK's errors. @throws AppError or UnknownCustomer */
function throwMapped(error: unknown): never {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const { type, code, param, statusCode, requestId } = error;
  const cause = new StripeRefusal(
    [type, code, param, statusCode, requestId].filter(Boolean).join(" "),
  );
  if (isMissing(error) && param === "customer")
    throw new UnknownCustomer("No such customer", { cause });
  if (statusCode === 402) throw new AppError("payment_failed", { detail: cause.message, cause });
  const isTransient =
    statusCode === undefined || statusCode === 409 || statusCode === 429 || statusCode >= 500;
  if (isTransient)
    throw new AppError("unavailable", { detail: cause.message, cause, retryAfterSeconds: 5 });
  throw cause;
}

/** For what has ended already. */
function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throwMapped(error);
}

type Settings = ReturnType<typeof resolveBilling>["stripe"];

/** Stripe, or whatever speaks its protocol at `url`. */
export function connectBilling({ url, secretKey, webhookSecret }: Settings): Billing {
  const { protocol, hostname, port } = new URL(url);
  const stripe = new Stripe(secretKey, {
    httpClient: Stripe.createFetchHttpClient(),
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    ...(port ? { port } : {}),
    timeout: answerTimeoutMs,
    // The SDK adds an idempotency key, so a retry is safe.
    maxNetworkRetries: 1,
    telemetry: false,
  });
  const withMappedErrors = async <T>(call: Promise<T>): Promise<T> => call.catch(throwMapped);

  /** Parameters that cancel a scheduled end; only a field that is set may be unset. */
  const toRenewalParams = ({ endsAt, endsWithPeriod }: BillingSubscription) => {
    if (endsWithPeriod) return { cancel_at_period_end: false };
    return endsAt ? { cancel_at: "" as const } : {};
  };

  return {
    async createCustomer({ userId, email, key }) {
      const { id } = await withMappedErrors(
        stripe.customers.create({ email, metadata: { user_id: userId } }, { idempotencyKey: key }),
      );
      return id;
    },

    // The list is consistent; Stripe's search may be a minute behind.
    async findCustomers({ userId, email }) {
      const { data } = await withMappedErrors(stripe.customers.list({ email, limit: maxPageSize }));
      return data.filter(({ metadata }) => metadata.user_id === userId).map(({ id }) => id);
    },

    async deleteCustomer({ customerId }) {
      await stripe.customers.del(customerId).catch(ignoreMissing);
    },

    async closeCheckouts({ customerId, keepPriceId }) {
      const { data } = await withMappedErrors(
        stripe.checkout.sessions.list({ customer: customerId, status: "open", limit: maxPageSize }),
      );
      let kept: string | null = null;
      for (const { id, url: page, metadata, expires_at: expiresAt } of data) {
        const isUsable = expiresAt * 1_000 > Date.now() + minCheckoutRemainingMs;
        if (!kept && page && isUsable && keepPriceId && metadata?.price_id === keepPriceId) {
          kept = page;
          continue;
        }
        await stripe.checkout.sessions.expire(id).catch((error) => {
          // It was completed or expired in the meantime.
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throwMapped(error);
        });
      }
      return kept;
    },

    async createCheckout({ customerId, userId, priceId, successUrl, cancelUrl }) {
      const { url: page } = await withMappedErrors(
        stripe.checkout.sessions.create({
          mode: "subscription",
          customer: customerId,
          client_reference_id: userId,
          line_items: [{ price: priceId, quantity: 1 }],
          metadata: { user_id: userId, price_id: priceId },
          subscription_data: { metadata: { user_id: userId } },
          success_url: successUrl,
          cancel_url: cancelUrl,
        }),
      );
      if (!page) throw new StripeRefusal("a checkout session without a page");
      return page;
    },

    async openPortal({ customerId, returnUrl }) {
      const { url: page } = await withMappedErrors(
        stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl }),
      );
      return page;
    },

    async listSubscriptions({ customerId }) {
      try {
        const { data } = await withMappedErrors(
          stripe.subscriptions.list({ customer: customerId, limit: maxPageSize }),
        );
        return data.map(parseSubscription);
      } catch (error) {
        if (error instanceof UnknownCustomer) return [];
        throw error;
      }
    },

    async changePrice({ subscription, priceId }) {
      await withMappedErrors(
        stripe.subscriptions.update(subscription.id, {
          ...toRenewalParams(subscription),
          items: [{ id: subscription.itemId, price: priceId }],
          proration_behavior: "always_invoice",
          payment_behavior: "error_if_incomplete",
        }),
      );
    },

    async setCancelAtPeriodEnd({ subscription, cancel }) {
      await withMappedErrors(
        stripe.subscriptions.update(
          subscription.id,
          cancel ? { cancel_at_period_end: true } : toRenewalParams(subscription),
        ),
      );
    },

    async cancelNow({ subscriptionId, credit }) {
      const options = credit ? { prorate: true, invoice_now: true } : {};
      await stripe.subscriptions.cancel(subscriptionId, options).catch(ignoreMissing);
    },

    readEvent: (input) => readSignedEvent(stripe, webhookSecret, input),
  };
}
