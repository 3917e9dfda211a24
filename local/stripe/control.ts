import { z } from "zod";
import type { Account } from "./account.ts";
import { catchUp } from "./subscriptions.ts";
import type { Webhooks } from "./webhooks.ts";

const name = z.string().min(1);
const count = z.int().min(1).max(100).default(1);
const failure = z.union([z.int().min(400).max(599), z.enum(["refuse", "lose-answer"])]);

/** Body of `POST /stripe/control`; docs/embedded-stripe.md explains each field. */
export const control = z
  .strictObject({
    /** The customer that `advanceSeconds`, `webhooks` and `release` apply to. */
    customer: name.default(""),
    afterRetries: z.enum(["canceled", "unpaid"]).optional(),
    card: z.strictObject({ customer: name, declines: z.boolean() }).optional(),
    webhooks: z.strictObject({ hold: z.literal(true) }).optional(),
    calls: z.strictObject({ match: name, fail: failure, count }).optional(),
    advanceSeconds: z.number().min(0).optional(),
    release: z.optional(z.strictObject({ order: z.array(name).default([]), repeat: count })),
    settle: z.literal(true).optional(),
  })
  .refine(
    ({ customer, advanceSeconds, webhooks, release }) =>
      customer !== "" || (advanceSeconds ?? webhooks ?? release) === undefined,
    { error: "customer: missing" },
  );

/** Applies a control request in the order of its schema; returns the body of the answer. */
export async function runControl(
  account: Account,
  webhooks: Webhooks,
  { customer, afterRetries, card, calls, release, ...rest }: z.infer<typeof control>,
): Promise<object> {
  if (afterRetries) account.afterRetries = afterRetries;
  if (card) account.customer(card.customer).card = { declines: card.declines };
  if (rest.webhooks) webhooks.heldCustomers.add(customer);
  if (calls) account.callFailures.push(calls);
  if (rest.advanceSeconds) account.advance(customer, rest.advanceSeconds);
  catchUp(account);
  if (release) await webhooks.release(customer, release.order, release.repeat);
  if (rest.settle) await webhooks.waitUntilIdle();
  const now = new Date(account.now(customer) * 1_000).toISOString();
  return { now, held: webhooks.heldEvents };
}
