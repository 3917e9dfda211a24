import type Stripe from "stripe";
import * as z from "zod";
import type { Billing, BillingEvent } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";
import { storedText } from "#shared/fields.ts";

/** Largest difference between the signature's time and ours, in both directions. */
const toleranceSeconds = 300;

/** Event types that can change a plan. */
const planEvents = new Set([
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "customer.subscription.paused",
  "customer.subscription.resumed",
  "customer.deleted",
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.payment_action_required",
]);

/** An id or a type, which are stored and logged. */
const name = storedText(255).check(z.minLength(1));

const reference = z.union([name, z.object({ id: name }).transform(({ id }) => id)]);

const eventSchema = z.object({
  id: name,
  type: name,
  data: z.object({ object: z.object({ id: name, customer: reference.nullish() }) }),
});

/**
 * Verifies and parses an event that Stripe signed within the tolerance of `now`.
 *
 * @throws AppError `validation_failed` for anything else.
 */
export async function readSignedEvent(
  stripe: Stripe,
  secret: string,
  { body, signature, now }: Parameters<Billing["readEvent"]>[0],
): Promise<BillingEvent> {
  let verified: unknown;
  try {
    verified = await stripe.webhooks.constructEventAsync(
      body,
      signature,
      secret,
      toleranceSeconds,
      undefined,
      now.getTime(),
    );
  } catch (error) {
    throw new AppError("validation_failed", {
      detail: "not signed by Stripe, or not now",
      cause: error,
    });
  }
  // The SDK rejects old signatures, but not those from the future.
  if (readSignatureTime(signature) - Math.floor(now.getTime() / 1_000) > toleranceSeconds)
    throw new AppError("validation_failed", { detail: "signed in the future" });
  const parsed = eventSchema.safeParse(verified);
  if (!parsed.success) throw new AppError("validation_failed", { detail: "no event" });
  const { id, type, data } = parsed.data;
  const { object } = data;
  const customerId = type === "customer.deleted" ? object.id : object.customer;
  return { id, type, customerId: planEvents.has(type) ? (customerId ?? null) : null };
}

/** Seconds since 1970, parsed as the SDK does: the last of several counts. */
function readSignatureTime(header: string): number {
  const times = header
    .split(",")
    .map((part) => part.split("="))
    .filter(([name]) => name === "t");
  return Number.parseInt(times.at(-1)?.[1] ?? "", 10);
}
