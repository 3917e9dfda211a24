import { type Account, newId } from "./account.ts";
import { cardDeclined } from "./errors.ts";
import {
  attemptPayment,
  chargeable,
  draftInvoice,
  finalize,
  openInvoices,
  stopCollecting,
} from "./invoices.ts";
import type { Invoice, Subscription } from "./model.ts";
import { periodEnd } from "./periods.ts";
import { type PriceChange, periodLine, planChange, unusedTime } from "./proration.ts";
import { type WireSubscription, wireSubscription } from "./wire/subscription.ts";

interface NewSubscription {
  customer: string;
  price: string;
  quantity: number;
  description: string | null;
  metadata: Record<string, string>;
}

/** Subscribes a customer whose card pays, and charges the first period. */
export function subscribe(account: Account, wanted: NewSubscription): Subscription {
  const now = account.clock.now(wanted.customer);
  const { interval } = account.price(wanted.price);
  const end = periodEnd(now, interval, now, account.periodSeconds);
  const subscription: Subscription = {
    id: newId("sub"),
    customer: wanted.customer,
    created: now,
    anchor: now,
    status: "incomplete",
    item: {
      id: newId("si", 14),
      created: now,
      price: wanted.price,
      quantity: wanted.quantity,
      periodStart: now,
      periodEnd: end,
      metadata: {},
    },
    cancelAtPeriodEnd: false,
    cancelAt: null,
    canceledAt: null,
    endedAt: null,
    cancellation: { comment: null, feedback: null, reason: null },
    description: wanted.description,
    paymentMethod: account.customer(wanted.customer).card?.id ?? null,
    metadata: wanted.metadata,
    latestInvoice: null,
    pending: [],
  };
  account.subscriptions.set(subscription.id, subscription);
  account.publish(
    "customer.subscription.created",
    wanted.customer,
    wireSubscription(account, subscription),
  );
  const lines = [periodLine(account, wanted.price, wanted.quantity, now, end)];
  changing(account, subscription, () => {
    const invoice = draftInvoice(account, subscription, "subscription_create", lines);
    finalize(account, invoice, subscription);
    if (attemptPayment(account, invoice)) subscription.status = "active";
  });
  return subscription;
}

/**
 * Carries out `change`, then tells the webhook what is different about the subscription: nothing
 * where nothing is.
 */
export function changing(account: Account, subscription: Subscription, change: () => void): void {
  const before = wireSubscription(account, subscription);
  change();
  const after = wireSubscription(account, subscription);
  if (JSON.stringify(before) !== JSON.stringify(after)) told(account, subscription, after, before);
}

function told(
  account: Account,
  { customer, status }: Subscription,
  after: WireSubscription,
  before: WireSubscription,
): void {
  if (status === "canceled" && before.status !== "canceled")
    account.publish("customer.subscription.deleted", customer, after);
  else account.publish("customer.subscription.updated", customer, after, before);
}

/**
 * Moves a subscription to another price; call within `changing`. Prorations wait for the next
 * invoice, unless a new period begins or they are to be invoiced at once.
 *
 * @param mustPay refuse the whole change where what it costs now cannot be paid.
 * @throws ApiError card_declined
 */
export function changePrice(
  account: Account,
  subscription: Subscription,
  change: PriceChange,
  mustPay: boolean,
): void {
  const { anchor, periodStart, periodEnd, prorations, charge } = planChange(
    account,
    subscription,
    change,
  );
  const invoiced = charge !== null || change.behavior === "always_invoice";
  const lines = [...subscription.pending, ...prorations, ...(charge ? [charge] : [])];
  if (invoiced && mustPay && lines.length > 0) {
    const { amountDue } = draftInvoice(account, subscription, "subscription_update", lines);
    if (amountDue > 0 && !chargeable(account.customer(subscription.customer))) throw cardDeclined();
  }
  const followsPeriod = subscription.cancelAt === subscription.item.periodEnd;
  subscription.anchor = anchor;
  Object.assign(subscription.item, {
    price: change.price,
    quantity: change.quantity,
    periodStart,
    periodEnd,
  });
  if (subscription.cancelAtPeriodEnd && followsPeriod) subscription.cancelAt = periodEnd;
  subscription.pending = invoiced ? [] : lines;
  if (invoiced && lines.length > 0) charged(account, subscription, "subscription_update", lines);
}

/** Plans the end with the period, or takes that back; call within `changing`. */
export function setCancelAtPeriodEnd(
  account: Account,
  subscription: Subscription,
  wanted: boolean,
): void {
  if (wanted === subscription.cancelAtPeriodEnd) return;
  planEnd(account, subscription, wanted ? subscription.item.periodEnd : null);
  subscription.cancelAtPeriodEnd = wanted;
}

/** Plans the end for a second, or takes that back (null); call within `changing`. */
export function planEnd(account: Account, subscription: Subscription, at: number | null): void {
  subscription.cancelAt = at;
  subscription.cancelAtPeriodEnd = false;
  subscription.canceledAt = at === null ? null : account.clock.now(subscription.customer);
  subscription.cancellation = {
    comment: null,
    feedback: null,
    reason: at === null ? null : "cancellation_requested",
  };
}

/** Ends a subscription for good. Nothing more is collected. Call within `changing`. */
export function end(
  account: Account,
  subscription: Subscription,
  reason: "cancellation_requested" | "payment_failed",
): void {
  const now = account.clock.now(subscription.customer);
  subscription.status = "canceled";
  subscription.canceledAt ??= now;
  subscription.endedAt = now;
  subscription.pending = [];
  subscription.cancellation.reason ??= reason;
  stopCollecting(account, subscription);
}

/** Puts what was paid for and not used aside as credit; call within `changing`. */
export function creditUnused(account: Account, subscription: Subscription): void {
  const at = account.clock.now(subscription.customer);
  const credit = unusedTime(account, subscription, at);
  if (credit) subscription.pending.push(credit);
}

/** Invoices what waits for the next invoice; call within `changing`. */
export function invoicePending(account: Account, subscription: Subscription): void {
  const lines = subscription.pending;
  subscription.pending = [];
  if (lines.length > 0) charged(account, subscription, "subscription_update", lines);
}

/** Ends the period that is over: with the subscription where that was planned, else with the next one. */
export function turnPeriod(account: Account, subscription: Subscription): void {
  const { item, cancelAt, anchor, status } = subscription;
  if (cancelAt !== null && cancelAt <= item.periodEnd) {
    end(account, subscription, "cancellation_requested");
    return;
  }
  const { interval } = account.price(item.price);
  item.periodStart = item.periodEnd;
  item.periodEnd = periodEnd(anchor, interval, item.periodStart, account.periodSeconds);
  const lines = [
    ...subscription.pending,
    periodLine(account, item.price, item.quantity, item.periodStart, item.periodEnd),
  ];
  subscription.pending = [];
  if (status !== "unpaid") {
    charged(account, subscription, "subscription_cycle", lines);
    return;
  }
  // What is owed is still counted, and nobody is charged for it.
  const draft = draftInvoice(account, subscription, "subscription_cycle", lines);
  account.customer(subscription.customer).invoiceCount += 1;
  account.invoices.set(draft.id, draft);
  subscription.latestInvoice = draft.id;
}

/** Tries to collect an open invoice, and lets the subscription follow. Call within `changing`. */
export function collect(account: Account, subscription: Subscription, invoice: Invoice): boolean {
  const paid = attemptPayment(account, invoice);
  if (paid) {
    if (openInvoices(account, subscription).length === 0 && subscription.status !== "canceled")
      subscription.status = "active";
    return true;
  }
  if (subscription.status === "active") subscription.status = "past_due";
  if (invoice.nextAttempt === null && subscription.status === "past_due") {
    if (account.afterRetries === "canceled") end(account, subscription, "payment_failed");
    else subscription.status = account.afterRetries;
  }
  return false;
}

function charged(
  account: Account,
  subscription: Subscription,
  reason: Invoice["reason"],
  lines: Subscription["pending"],
): void {
  const invoice = draftInvoice(account, subscription, reason, lines);
  finalize(account, invoice, subscription);
  collect(account, subscription, invoice);
}
