import { type Account, newId } from "./account.ts";
import type { Price } from "./catalogue.ts";
import { ApiError } from "./errors.ts";
import type { Checkout, Customer, Invoice, Subscription } from "./model.ts";
import { toCheckout, toInvoice, toSubscription } from "./wire.ts";

const day = 86_400;
/** Delays before a failed payment is retried, in seconds; after the last one it is given up. */
const retryAfter = [3 * day, 5 * day, 7 * day];

/**
 * `count` months after `anchor`, at the same time of day (UTC). A month that is too short uses its last day:
 * 31 January is followed by 28 February and 31 March.
 */
function addMonths(anchor: number, count: number): number {
  const date = new Date(anchor * 1_000);
  const dayOfMonth = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + count, 1);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.setUTCDate(Math.min(dayOfMonth, last)) / 1_000;
}

/** The end of the period that contains `at`. */
function getPeriodEnd(anchor: number, interval: Price["interval"], at: number): number {
  const step = interval === "year" ? 12 : 1;
  let months = step;
  while (addMonths(anchor, months) <= at) months += step;
  return addMonths(anchor, months);
}

const canPay = ({ card }: Customer): boolean => card !== null && !card.declines;

/** The amount that a customer owes for `total` after their credit. */
const toAmountDue = ({ balance }: Customer, total: number) => Math.max(0, total + balance);

/** Completes an open session: stores a card, starts the subscription, collects the first payment. */
export function completeCheckout(account: Account, checkout: Checkout): void {
  const { customer, price } = checkout;
  const now = account.now(customer);
  const periodEnd = getPeriodEnd(now, account.getPrice(price).interval, now);
  account.customer(customer).card = { declines: false };
  const subscription: Subscription = {
    id: newId("sub"),
    customer,
    created: now,
    metadata: checkout.subscriptionMetadata,
    status: "active",
    item: { id: newId("si"), price, periodStart: now, periodEnd },
    anchor: now,
    cancelAt: null,
    cancelAtPeriodEnd: false,
  };
  account.state.subscriptions.push(subscription);
  const wire = toSubscription(account, subscription);
  account.publish("customer.subscription.created", customer, wire);
  charge(account, subscription, account.getPrice(price).amountCents);
  checkout.status = "complete";
  checkout.subscription = subscription.id;
  account.publish("checkout.session.completed", customer, toCheckout(account, checkout));
}

/** Runs `change` and publishes an event if it changed the subscription. */
export function updateAndPublish(
  account: Account,
  subscription: Subscription,
  change: () => void,
): void {
  const before = JSON.stringify(toSubscription(account, subscription));
  change();
  const after = toSubscription(account, subscription);
  if (JSON.stringify(after) === before) return;
  const type = subscription.status === "canceled" ? "deleted" : "updated";
  account.publish(`customer.subscription.${type}`, subscription.customer, after);
}

/** The value of the rest of the current period, prorated by the second. */
function toRemainder({ item }: Subscription, { amountCents }: Price, at: number): number {
  return Math.round((amountCents * (item.periodEnd - at)) / (item.periodEnd - item.periodStart));
}

/**
 * Changes the price of a subscription and charges the difference immediately. A different interval begins a
 * new period. Call within `updateAndPublish`.
 *
 * @throws ApiError card_declined; nothing changes then.
 */
export function changePrice(account: Account, subscription: Subscription, next: Price): void {
  const { item } = subscription;
  const customer = account.customer(subscription.customer);
  const now = account.now(customer.id);
  const old = account.getPrice(item.price);
  const startsPeriod = old.interval !== next.interval;
  const total =
    (startsPeriod ? next.amountCents : toRemainder(subscription, next, now)) -
    toRemainder(subscription, old, now);
  if (toAmountDue(customer, total) > 0 && !canPay(customer)) {
    const message = "Your card was declined.";
    throw new ApiError(402, { type: "card_error", code: "card_declined", message });
  }
  item.price = next.id;
  if (startsPeriod) {
    subscription.anchor = now;
    Object.assign(item, { periodStart: now, periodEnd: getPeriodEnd(now, next.interval, now) });
  }
  charge(account, subscription, total);
}

/** Cancels a subscription finally and stops its payment retries. Call within `updateAndPublish`. */
export function cancel(account: Account, subscription: Subscription, credit = false): void {
  const { customer, item } = subscription;
  const left = toRemainder(subscription, account.getPrice(item.price), account.now(customer));
  if (credit) charge(account, subscription, -left);
  subscription.status = "canceled";
  for (const invoice of account.state.invoices)
    if (invoice.subscription === subscription.id) invoice.nextAttempt = null;
}

/** Creates an invoice and tries to collect it. A negative total becomes credit. */
function charge(account: Account, subscription: Subscription, total: number): void {
  const customer = account.customer(subscription.customer);
  const amountDue = toAmountDue(customer, total);
  customer.balance += total - amountDue;
  const created = account.now(customer.id);
  const invoice: Invoice = {
    id: newId("in"),
    customer: customer.id,
    subscription: subscription.id,
    created,
    status: "open",
    total,
    amountDue,
    attempts: 0,
    nextAttempt: null,
  };
  account.state.invoices.push(invoice);
  collect(account, subscription, invoice);
}

/** Tries to collect an open invoice and updates the subscription's status. Call within `updateAndPublish`. */
export function collect(account: Account, subscription: Subscription, invoice: Invoice): boolean {
  const { customer } = invoice;
  const isPaid = invoice.amountDue === 0 || canPay(account.customer(customer));
  const retry = retryAfter[invoice.attempts];
  invoice.attempts += 1;
  invoice.nextAttempt = isPaid || retry === undefined ? null : account.now(customer) + retry;
  if (isPaid) invoice.status = "paid";
  account.publish(isPaid ? "invoice.paid" : "invoice.payment_failed", customer, toInvoice(invoice));
  if (subscription.status === "canceled") return isPaid;
  const isOwed = account.state.invoices.some(
    (one) => one.subscription === subscription.id && one.status === "open",
  );
  if (!isOwed) subscription.status = "active";
  else if (isPaid || subscription.status === "unpaid") return isPaid;
  else if (retry !== undefined) subscription.status = "past_due";
  else if (account.afterRetries === "unpaid") subscription.status = "unpaid";
  else cancel(account, subscription);
  return isPaid;
}

/** Runs everything that is due by now, in order, each with the clock at its due time. */
export function catchUp(account: Account): void {
  const { checkouts, invoices, subscriptions } = account.state;
  for (const one of checkouts)
    if (one.status === "open" && one.expiresAt <= account.now(one.customer)) one.status = "expired";
  const activeOnes = () => subscriptions.filter(({ status }) => status !== "canceled");
  for (;;) {
    const due = activeOnes().flatMap((one) => {
      const at = Math.min(one.item.periodEnd, one.cancelAt ?? one.item.periodEnd);
      const endPeriod = () => (at === one.cancelAt ? cancel(account, one) : renew(account, one));
      const retries = invoices.flatMap((invoice) =>
        invoice.subscription === one.id && invoice.nextAttempt !== null
          ? [{ one, at: invoice.nextAttempt, run: () => void collect(account, one, invoice) }]
          : [],
      );
      return [{ one, at, run: endPeriod }, ...retries];
    });
    const [next] = due
      .filter(({ at, one }) => at <= account.now(one.customer))
      .sort((a, b) => a.at - b.at);
    if (!next) return;
    account.runAt(next.at, () => updateAndPublish(account, next.one, next.run));
  }
}

/** Begins the next period and charges for it, except for an unpaid subscription. */
function renew(account: Account, subscription: Subscription): void {
  const { item, anchor, status } = subscription;
  const price = account.getPrice(item.price);
  item.periodStart = item.periodEnd;
  item.periodEnd = getPeriodEnd(anchor, price.interval, item.periodStart);
  if (status !== "unpaid") charge(account, subscription, price.amountCents);
}
