import type Stripe from "stripe";
import type { Account } from "../account.ts";
import type { Item, Subscription } from "../model.ts";
import { type WirePlan, type WirePrice, wirePlan, wirePrice } from "./catalogue.ts";

type WireItem = Omit<Stripe.SubscriptionItem, "price" | "plan"> & {
  price: WirePrice;
  plan: WirePlan;
};
export type WireSubscription = Omit<Stripe.Subscription, "items"> & {
  items: Omit<Stripe.ApiList<Stripe.SubscriptionItem>, "data"> & { data: WireItem[] };
};

export function wireSubscription(account: Account, subscription: Subscription): WireSubscription {
  const { id, customer, status, cancellation } = subscription;
  return {
    id,
    object: "subscription",
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: subscription.anchor,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: "included" }, type: "flexible" },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: subscription.cancelAt,
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    canceled_at: subscription.canceledAt,
    cancellation_details: {
      comment: cancellation.comment,
      feedback: cancellation.feedback as Stripe.Subscription.CancellationDetails.Feedback | null,
      feedback_option: null,
      reason: cancellation.reason as Stripe.Subscription.CancellationDetails.Reason | null,
    },
    collection_method: "charge_automatically",
    created: subscription.created,
    currency: "usd",
    customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: subscription.paymentMethod,
    default_source: null,
    default_tax_rates: [],
    description: subscription.description,
    discounts: [],
    ended_at: subscription.endedAt,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: "self" },
    },
    items: {
      object: "list",
      data: [wireItem(account, subscription, subscription.item)],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: subscription.latestInvoice,
    livemode: false,
    managed_payments: null,
    metadata: subscription.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: "off",
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: subscription.created,
    status,
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: "create_invoice" },
    },
    trial_start: null,
  };
}

function wireItem(account: Account, { id }: Subscription, item: Item): WireItem {
  const price = account.price(item.price);
  return {
    id: item.id,
    object: "subscription_item",
    billing_thresholds: null,
    created: item.created,
    current_period_end: item.periodEnd,
    current_period_start: item.periodStart,
    current_trial: null,
    discounts: [],
    metadata: item.metadata,
    plan: wirePlan(price, account.catalogue),
    price: wirePrice(price, account.catalogue),
    quantity: item.quantity,
    subscription: id,
    tax_rates: [],
  };
}
