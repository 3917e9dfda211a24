import type Stripe from "stripe";
import type { Account } from "./account.ts";
import type { Checkout, Customer, Invoice, StoredEvent, Subscription } from "./model.ts";

/** The API version of these shapes: the installed client's. */
export const apiVersion = "2026-10-28.endive";

/** A subset of the fields of Stripe's object, at every depth. */
type Part<T> = T extends readonly (infer One)[]
  ? Part<One>[]
  : T extends object
    ? { [Key in keyof T]?: Part<T[Key]> }
    : T;

export function toCustomer({ id, email, metadata, balance }: Customer): Part<Stripe.Customer> {
  return { id, object: "customer", email, metadata, balance };
}

export function toCheckout(account: Account, session: Checkout): Part<Stripe.Checkout.Session> {
  const { id, customer, metadata, status, subscription, expiresAt } = session;
  const url = status === "open" ? `${account.origin}/stripe/checkout/${id}` : null;
  const object = "checkout.session";
  return { id, object, customer, metadata, status, subscription, expires_at: expiresAt, url };
}

export function toSubscription(account: Account, one: Subscription): Part<Stripe.Subscription> {
  const { id, customer, status, created, metadata, item } = one;
  const { id: price, product, interval } = account.getPrice(item.price);
  return {
    id,
    object: "subscription",
    customer,
    status,
    created,
    metadata,
    cancel_at: one.cancelAt,
    cancel_at_period_end: one.cancelAtPeriodEnd,
    items: {
      object: "list",
      data: [
        {
          id: item.id,
          current_period_end: item.periodEnd,
          current_period_start: item.periodStart,
          price: { id: price, product, recurring: { interval } },
        },
      ],
    },
  };
}

export function toInvoice(invoice: Invoice): Part<Stripe.Invoice> {
  const { id, customer, status, total, amountDue } = invoice;
  return { id, object: "invoice", customer, status, total, amount_due: amountDue };
}

export const toEvent = ({ id, type, created, object }: StoredEvent) => ({
  id,
  object: "event",
  api_version: apiVersion,
  type,
  created,
  data: { object },
});
