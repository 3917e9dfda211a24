import { type Account, newId } from "./account.ts";
import type { Checkout, Customer } from "./model.ts";
import { changing, subscribe } from "./subscriptions.ts";
import { wireCustomer } from "./wire/customer.ts";
import { wireCheckout } from "./wire/session.ts";

/** Gives a customer a card that pays, or one whose payments fail. */
export function giveCard(account: Account, customer: Customer, declines: boolean): void {
  const before = wireCustomer(account, customer);
  const card = { id: newId("pm"), last4: declines ? "0341" : "4242", declines };
  customer.card = card;
  const after = wireCustomer(account, customer);
  account.publish("customer.updated", customer.id, after, before);
  for (const subscription of account.subscriptions.values()) {
    if (subscription.customer !== customer.id || subscription.status === "canceled") continue;
    changing(account, subscription, () => {
      subscription.paymentMethod = card.id;
    });
  }
}

/** Completes an open session: card, subscription, first payment, and the event of the session. */
export function completeCheckout(account: Account, checkout: Checkout): void {
  const customer = checkout.customer
    ? account.customer(checkout.customer)
    : newCustomer(account, checkout);
  giveCard(account, customer, false);
  const subscription = subscribe(account, {
    customer: customer.id,
    price: checkout.price,
    quantity: checkout.quantity,
    description: checkout.subscriptionDescription,
    metadata: checkout.subscriptionMetadata,
  });
  checkout.customer = customer.id;
  checkout.status = "complete";
  checkout.subscription = subscription.id;
  checkout.invoice = subscription.latestInvoice;
  account.publish("checkout.session.completed", customer.id, wireCheckout(account, checkout));
}

function newCustomer(account: Account, { customerEmail }: Checkout): Customer {
  const customer: Customer = {
    id: newId("cus", 14),
    created: account.clock.now(),
    email: customerEmail ?? "demo@example.org",
    name: null,
    description: null,
    phone: null,
    preferredLocales: [],
    metadata: {},
    balance: 0,
    card: null,
    invoiceCount: 0,
    deleted: false,
  };
  account.customers.set(customer.id, customer);
  account.publish("customer.created", customer.id, wireCustomer(account, customer));
  return customer;
}
