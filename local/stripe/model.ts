import { z } from "zod";

// The stand-in's state in memory and in its file. Times are seconds since 1970; amounts are cents.

const id = z.string();
const second = z.int();
const labels = z.record(z.string(), z.string());

const customer = z.object({
  id,
  email: z.string(),
  metadata: labels,
  deleted: z.boolean(),
  /** A negative balance is credit, which the next invoice uses. */
  balance: z.int(),
  card: z.object({ declines: z.boolean() }).nullable(),
});
export type Customer = z.infer<typeof customer>;

const checkout = z.object({
  id,
  customer: id,
  price: id,
  subscription: id.nullable(),
  expiresAt: second,
  metadata: labels,
  subscriptionMetadata: labels,
  successUrl: z.string(),
  cancelUrl: z.string(),
  status: z.enum(["open", "complete", "expired"]),
});
export type Checkout = z.infer<typeof checkout>;

const portal = z.object({ id, customer: id, returnUrl: z.string() });
export type Portal = z.infer<typeof portal>;

const subscription = z.object({
  id,
  customer: id,
  created: second,
  metadata: labels,
  status: z.enum(["active", "past_due", "unpaid", "canceled"]),
  item: z.object({ id, price: id, periodStart: second, periodEnd: second }),
  /** Periods are counted from this time. */
  anchor: second,
  cancelAt: second.nullable(),
  cancelAtPeriodEnd: z.boolean(),
});
export type Subscription = z.infer<typeof subscription>;

const invoice = z.object({
  id,
  customer: id,
  subscription: id,
  created: second,
  status: z.enum(["open", "paid"]),
  /** A negative total becomes credit. */
  total: z.int(),
  amountDue: z.int(),
  attempts: z.int(),
  nextAttempt: second.nullable(),
});
export type Invoice = z.infer<typeof invoice>;

const event = z.object({
  id,
  created: second,
  type: z.string(),
  customer: id,
  object: z.record(z.string(), z.unknown()),
  /** True until the webhook answers with 2xx. */
  pending: z.boolean(),
});
export type StoredEvent = z.infer<typeof event>;

export const stateSchema = z.object({
  version: z.literal(1),
  /** How far each customer's clock is ahead of real time. */
  clock: z.object({ customersMs: z.record(z.string(), z.number()) }),
  customers: z.array(customer),
  checkouts: z.array(checkout),
  portals: z.array(portal),
  subscriptions: z.array(subscription),
  invoices: z.array(invoice),
  events: z.array(event),
  /** Idempotency keys with their requests and answers. */
  keys: z.array(z.object({ key: id, digest: z.string(), at: second, body: z.string() })),
});
export type State = z.infer<typeof stateSchema>;
