import { type Account, newId } from "./account.ts";
import type { Customer, Invoice, Line, Subscription } from "./model.ts";
import { prefixOf } from "./wire/customer.ts";
import { wireInvoice } from "./wire/invoice.ts";

const day = 86_400;
/** When a payment that failed is tried again, after each failure in turn; then it is given up. */
const retryAfter = [3 * day, 5 * day, 7 * day];
/** What a period of the calendar counts for where periods are shortened. */
const usualPeriod = 30 * day;

/** What an invoice of `lines` would be. Nothing is kept and nobody is charged. */
export function draftInvoice(
  account: Account,
  subscription: Subscription,
  reason: Invoice["reason"],
  lines: Line[],
): Invoice {
  const customer = account.customer(subscription.customer);
  const now = account.clock.now(customer.id);
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  // A total below 0 becomes credit; a total above it uses credit up.
  const owed = Math.max(0, total + Math.min(0, customer.balance));
  return {
    id: newId("in"),
    number: `${prefixOf(customer)}-${String(customer.invoiceCount + 1).padStart(4, "0")}`,
    customer: customer.id,
    subscription: subscription.id,
    created: now,
    status: "draft",
    reason,
    lines,
    periodStart: reason === "subscription_create" ? now : subscription.item.periodStart,
    periodEnd: reason === "subscription_create" ? now : subscription.item.periodEnd,
    total,
    amountDue: owed,
    amountPaid: 0,
    startingBalance: customer.balance,
    endingBalance: null,
    attempts: 0,
    nextAttempt: null,
    finalizedAt: null,
    paidAt: null,
    metadata: { ...subscription.metadata },
  };
}

/** Keeps an invoice and makes it owed; credit is used up by it. Its payment is another step. */
export function finalize(account: Account, invoice: Invoice, subscription: Subscription): void {
  const customer = account.customer(invoice.customer);
  customer.invoiceCount += 1;
  account.invoices.set(invoice.id, invoice);
  subscription.latestInvoice = invoice.id;
  publish(account, "invoice.created", invoice);
  customer.balance += invoice.total - invoice.amountDue;
  invoice.endingBalance = customer.balance;
  invoice.status = "open";
  invoice.finalizedAt = account.clock.now(customer.id);
  publish(account, "invoice.finalized", invoice);
}

/**
 * Charges the customer's card for an open invoice.
 *
 * @returns whether it is paid. Where it is not, `nextAttempt` says when it is tried again.
 */
export function attemptPayment(account: Account, invoice: Invoice): boolean {
  const customer = account.customer(invoice.customer);
  const now = account.clock.now(customer.id);
  const before = wireInvoice(account, invoice);
  invoice.attempts += 1;
  if (invoice.amountDue > 0 && !chargeable(customer)) {
    const after = retryAfter[invoice.attempts - 1];
    invoice.nextAttempt = after === undefined ? null : now + scaled(account, after);
    publish(account, "invoice.payment_failed", invoice);
    publish(account, "invoice.updated", invoice, before);
    return false;
  }
  invoice.status = "paid";
  invoice.amountPaid = invoice.amountDue;
  invoice.paidAt = now;
  invoice.nextAttempt = null;
  publish(account, "invoice.updated", invoice, before);
  publish(account, "invoice.paid", invoice);
  publish(account, "invoice.payment_succeeded", invoice);
  return true;
}

/** Stops collecting what is still owed for a subscription that has ended. */
export function stopCollecting(account: Account, subscription: Subscription): void {
  for (const invoice of account.invoices.values()) {
    if (invoice.subscription !== subscription.id || invoice.nextAttempt === null) continue;
    const before = wireInvoice(account, invoice);
    invoice.nextAttempt = null;
    publish(account, "invoice.updated", invoice, before);
  }
}

/** The open invoices of a subscription, oldest first. */
export const openInvoices = (account: Account, { id }: Subscription): Invoice[] =>
  [...account.invoices.values()].filter(
    ({ subscription, status }) => subscription === id && status === "open",
  );

export const chargeable = ({ card }: Customer): boolean => card !== null && !card.declines;

/** Shortened as the periods are, at least 1 s. */
const scaled = ({ periodSeconds }: Account, seconds: number) =>
  periodSeconds === null
    ? seconds
    : Math.max(1, Math.round((seconds / usualPeriod) * periodSeconds));

function publish(account: Account, type: string, invoice: Invoice, before?: object): void {
  account.publish(type, invoice.customer, wireInvoice(account, invoice), before);
}
