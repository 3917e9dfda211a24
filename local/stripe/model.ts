import { z } from "zod";

/** What the stand-in remembers. Times are seconds since the epoch, amounts are cents. */

const labels = z.record(z.string(), z.string());
const second = z.int();

const customer = z.strictObject({
  id: z.string(),
  created: second,
  email: z.string().nullable(),
  name: z.string().nullable(),
  description: z.string().nullable(),
  phone: z.string().nullable(),
  preferredLocales: z.array(z.string()),
  metadata: labels,
  /** Below 0: credit, which the next invoice uses. */
  balance: z.int(),
  card: z
    .strictObject({
      id: z.string(),
      last4: z.string(),
      /** The next payment fails. */
      declines: z.boolean(),
    })
    .nullable(),
  invoiceCount: z.int(),
  deleted: z.boolean(),
});
export type Customer = z.infer<typeof customer>;

const checkout = z.strictObject({
  id: z.string(),
  created: second,
  expiresAt: second,
  status: z.enum(["open", "complete", "expired"]),
  customer: z.string().nullable(),
  customerEmail: z.string().nullable(),
  clientReferenceId: z.string().nullable(),
  metadata: labels,
  subscriptionMetadata: labels,
  subscriptionDescription: z.string().nullable(),
  price: z.string(),
  quantity: z.int(),
  successUrl: z.string(),
  cancelUrl: z.string().nullable(),
  locale: z.string().nullable(),
  allowPromotionCodes: z.boolean().nullable(),
  billingAddressCollection: z.string().nullable(),
  submitType: z.string().nullable(),
  paymentMethodCollection: z.string(),
  subscription: z.string().nullable(),
  invoice: z.string().nullable(),
});
export type Checkout = z.infer<typeof checkout>;

const portal = z.strictObject({
  id: z.string(),
  created: second,
  customer: z.string(),
  returnUrl: z.string().nullable(),
  locale: z.string().nullable(),
});
export type Portal = z.infer<typeof portal>;

const item = z.strictObject({
  id: z.string(),
  created: second,
  price: z.string(),
  quantity: z.int(),
  periodStart: second,
  periodEnd: second,
  metadata: labels,
});
export type Item = z.infer<typeof item>;

const line = z.strictObject({
  id: z.string(),
  amount: z.int(),
  description: z.string(),
  price: z.string(),
  quantity: z.int(),
  proration: z.boolean(),
  periodStart: second,
  periodEnd: second,
});
export type Line = z.infer<typeof line>;

const subscription = z.strictObject({
  id: z.string(),
  customer: z.string(),
  created: second,
  /** The billing cycle is counted from here. */
  anchor: second,
  status: z.enum(["incomplete", "active", "past_due", "unpaid", "canceled"]),
  item,
  cancelAtPeriodEnd: z.boolean(),
  cancelAt: second.nullable(),
  canceledAt: second.nullable(),
  endedAt: second.nullable(),
  cancellation: z.strictObject({
    comment: z.string().nullable(),
    feedback: z.string().nullable(),
    reason: z.string().nullable(),
  }),
  description: z.string().nullable(),
  paymentMethod: z.string().nullable(),
  metadata: labels,
  latestInvoice: z.string().nullable(),
  /** Prorations that the next invoice takes along. */
  pending: z.array(line),
});
export type Subscription = z.infer<typeof subscription>;

const invoice = z.strictObject({
  id: z.string(),
  number: z.string(),
  customer: z.string(),
  subscription: z.string(),
  created: second,
  status: z.enum(["draft", "open", "paid", "void"]),
  reason: z.enum(["subscription_create", "subscription_cycle", "subscription_update"]),
  lines: z.array(line),
  periodStart: second,
  periodEnd: second,
  total: z.int(),
  amountDue: z.int(),
  amountPaid: z.int(),
  startingBalance: z.int(),
  endingBalance: z.int().nullable(),
  attempts: z.int(),
  nextAttempt: second.nullable(),
  finalizedAt: second.nullable(),
  paidAt: second.nullable(),
  /** The subscription's metadata when the invoice was made. */
  metadata: labels,
});
export type Invoice = z.infer<typeof invoice>;

const event = z.strictObject({
  id: z.string(),
  created: second,
  type: z.string(),
  /** Whom it is about; null for what belongs to nobody. */
  customer: z.string().nullable(),
  object: z.record(z.string(), z.unknown()),
  previous: z.record(z.string(), z.unknown()).nullable(),
  requestId: z.string().nullable(),
  idempotencyKey: z.string().nullable(),
  /** Not yet answered with 2xx by the webhook. */
  pending: z.boolean(),
});
export type StoredEvent = z.infer<typeof event>;

const used = z.strictObject({
  key: z.string(),
  /** Of method, path and parameters. */
  digest: z.string(),
  at: second,
  requestId: z.string(),
  status: z.int(),
  body: z.string(),
});
export type UsedKey = z.infer<typeof used>;

export const stateSchema = z.strictObject({
  version: z.literal(1),
  clock: z.strictObject({ aheadMs: z.number(), customersMs: z.record(z.string(), z.number()) }),
  customers: z.array(customer),
  checkouts: z.array(checkout),
  portals: z.array(portal),
  subscriptions: z.array(subscription),
  invoices: z.array(invoice),
  events: z.array(event),
  keys: z.array(used),
});
export type State = z.infer<typeof stateSchema>;
