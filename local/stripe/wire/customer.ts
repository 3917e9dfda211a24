import type Stripe from "stripe";
import type { Account } from "../account.ts";
import type { Customer } from "../model.ts";

export function wireCustomer(account: Account, customer: Customer): Stripe.Customer {
  const unpaid = [...account.subscriptions.values()].some(
    ({ customer: owner, status }) =>
      owner === customer.id && (status === "past_due" || status === "unpaid"),
  );
  return {
    id: customer.id,
    object: "customer",
    address: null,
    balance: customer.balance,
    created: customer.created,
    currency: customer.invoiceCount > 0 ? "usd" : null,
    customer_account: null,
    default_source: null,
    delinquent: unpaid,
    description: customer.description,
    discount: null,
    email: customer.email,
    invoice_prefix: prefixOf(customer),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: customer.card?.id ?? null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: customer.metadata,
    name: customer.name,
    next_invoice_sequence: customer.invoiceCount + 1,
    phone: customer.phone,
    preferred_locales: customer.preferredLocales,
    shipping: null,
    tax_exempt: "none",
    test_clock: null,
  };
}

export const wireDeletedCustomer = ({ id }: Customer): Stripe.DeletedCustomer => ({
  id,
  object: "customer",
  deleted: true,
});

/** Invoice numbers of the customer begin so. */
export const prefixOf = ({ id }: Customer) => id.slice(-8).toUpperCase();
