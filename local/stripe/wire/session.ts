import type Stripe from "stripe";
import type { Account } from "../account.ts";
import type { Checkout, Portal, StoredEvent } from "../model.ts";
import { apiVersion } from "../version.ts";
import { type WirePrice, wirePrice } from "./catalogue.ts";

export type WireLineItem = Omit<Stripe.LineItem, "price"> & { price: WirePrice };

export function wireCheckout(account: Account, checkout: Checkout): Stripe.Checkout.Session {
  const { id, status } = checkout;
  const total = account.price(checkout.price).amount * checkout.quantity;
  const customer = checkout.customer ? account.customers.get(checkout.customer) : undefined;
  const email = customer?.email ?? checkout.customerEmail;
  return {
    id,
    object: "checkout.session",
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: checkout.allowPromotionCodes,
    allowed_payment_method_types: null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: checkout.billingAddressCollection,
    cancel_url: checkout.cancelUrl,
    client_reference_id: checkout.clientReferenceId,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: checkout.created,
    currency: "usd",
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: checkout.customer,
    customer_account: null,
    customer_creation: checkout.customer ? null : "always",
    customer_details: email
      ? {
          address: null,
          business_name: null,
          email,
          individual_name: null,
          name: customer?.name ?? null,
          phone: customer?.phone ?? null,
          tax_exempt: "none",
          tax_ids: null,
        }
      : null,
    customer_email: checkout.customerEmail,
    discounts: [],
    expires_at: checkout.expiresAt,
    integration_identifier: null,
    invoice: checkout.invoice,
    invoice_creation: null,
    livemode: false,
    locale: checkout.locale,
    managed_payments: null,
    metadata: checkout.metadata,
    mode: "subscription",
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: checkout.paymentMethodCollection,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    payment_status: status === "complete" ? "paid" : "unpaid",
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status,
    submit_type: checkout.submitType,
    subscription: checkout.subscription,
    success_url: checkout.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: "hosted_page",
    url: status === "open" ? `${account.origin}/stripe/checkout/${id}` : null,
    wallet_options: null,
  };
}

export function wireLineItems(account: Account, checkout: Checkout): WireLineItem[] {
  const price = account.price(checkout.price);
  const total = price.amount * checkout.quantity;
  return [
    {
      id: checkout.id.replace(/^cs_test_/, "li_"),
      object: "item",
      adjustable_quantity: null,
      amount_discount: 0,
      amount_subtotal: total,
      amount_tax: 0,
      amount_total: total,
      currency: "usd",
      description: account.products.get(price.product)?.name ?? null,
      metadata: {},
      price: wirePrice(price, account.catalogue),
      quantity: checkout.quantity,
    },
  ];
}

export const wirePortal = ({ origin }: Account, portal: Portal): Stripe.BillingPortal.Session => ({
  id: portal.id,
  object: "billing_portal.session",
  configuration: "bpc_stand_in",
  created: portal.created,
  customer: portal.customer,
  customer_account: null,
  flow: null,
  livemode: false,
  locale: portal.locale,
  on_behalf_of: null,
  return_url: portal.returnUrl,
  url: `${origin}/stripe/portal/${portal.id}`,
});

/** What the webhook is sent, and what `GET /v1/events/:id` answers. */
export const wireEvent = (event: StoredEvent) => ({
  id: event.id,
  object: "event",
  api_version: apiVersion,
  created: event.created,
  data: {
    object: event.object,
    ...(event.previous ? { previous_attributes: event.previous } : {}),
  },
  livemode: false,
  pending_webhooks: event.pending ? 1 : 0,
  request: { id: event.requestId, idempotency_key: event.idempotencyKey },
  type: event.type,
});
