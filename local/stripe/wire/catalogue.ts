import type Stripe from "stripe";
import type { Catalogue, Price, Product } from "../catalogue.ts";

/** As JSON, where the client's types have an object for decimals. */
export type WirePrice = Omit<Stripe.Price, "unit_amount_decimal"> & { unit_amount_decimal: string };
export type WirePlan = Omit<Stripe.Plan, "amount_decimal"> & { amount_decimal: string };

export const wireProduct = (
  { id, name }: Product,
  { created, prices }: Catalogue,
): Stripe.Product => ({
  id,
  object: "product",
  active: true,
  created,
  default_price: prices.find(({ product }) => product === id)?.id ?? null,
  description: null,
  images: [],
  livemode: false,
  marketing_features: [],
  metadata: {},
  name,
  package_dimensions: null,
  shippable: null,
  statement_descriptor: null,
  tax_code: null,
  tax_details: null,
  type: "service",
  unit_label: null,
  updated: created,
  url: null,
});

export const wirePrice = (price: Price, { created }: Catalogue): WirePrice => ({
  id: price.id,
  object: "price",
  active: true,
  billing_scheme: "per_unit",
  created,
  currency: "usd",
  custom_unit_amount: null,
  livemode: false,
  lookup_key: price.lookupKey,
  metadata: {},
  nickname: null,
  product: price.product,
  recurring: {
    interval: price.interval,
    interval_count: 1,
    meter: null,
    trial_period_days: null,
    usage_type: "licensed",
  },
  tax_behavior: "unspecified",
  tiers_mode: null,
  transform_quantity: null,
  type: "recurring",
  unit_amount: price.amount,
  unit_amount_decimal: String(price.amount),
});

/** The price in its old form, which subscription items still carry. */
export const wirePlan = (price: Price, { created }: Catalogue): WirePlan => ({
  id: price.id,
  object: "plan",
  active: true,
  amount: price.amount,
  amount_decimal: String(price.amount),
  billing_scheme: "per_unit",
  created,
  currency: "usd",
  interval: price.interval,
  interval_count: 1,
  livemode: false,
  metadata: {},
  meter: null,
  nickname: null,
  product: price.product,
  tiers_mode: null,
  transform_usage: null,
  trial_period_days: null,
  usage_type: "licensed",
});
