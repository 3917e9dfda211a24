import type { BillingSettings } from "#server/context.ts";
import { createIsSet, hasIntegration, stripeIdNames, type Variables } from "./settings.ts";

export interface StripeSettings {
  url: string;
  secretKey: string;
  webhookSecret: string;
}

/** Ids in the stand-in of Stripe; with real keys every id must be configured. */
const standInIds = {
  STRIPE_PRO_PRODUCT: "prod_pro",
  STRIPE_PRO_MONTHLY_PRICE: "price_pro_monthly",
  STRIPE_PRO_ANNUAL_PRICE: "price_pro_annual",
  STRIPE_PREMIUM_PRODUCT: "prod_premium",
  STRIPE_PREMIUM_MONTHLY_PRICE: "price_premium_monthly",
  STRIPE_PREMIUM_ANNUAL_PRICE: "price_premium_annual",
} as const satisfies Record<(typeof stripeIdNames)[number], string>;

/** Lists settings that contradict each other. */
export function listBillingProblems(v: Variables): string[] {
  const problems: string[] = [];
  const prices = stripeIdNames
    .filter((name) => name.endsWith("PRICE"))
    .map((name) => v[name])
    .filter((price) => price !== undefined);
  if (new Set(prices).size < prices.length) problems.push("STRIPE_…_PRICE: two are the same");
  if (v.APP_ENV === "production" && v.BILLING_MODE === "test")
    problems.push("BILLING_MODE: test is not allowed in production");
  return problems;
}

/** True for a key of Stripe's sandbox, where checkout pages look real but charge nothing. */
export function isSandboxKey({ secretKey }: StripeSettings): boolean {
  return /^[a-z]+_test_/.test(secretKey);
}

/** `local` is the embedded stack's address; empty in production. */
export function resolveBilling(
  v: Variables,
  local: string,
): { stripe: StripeSettings; billing: BillingSettings; standIn: boolean } {
  const id = (name: keyof typeof standInIds) => v[name] ?? standInIds[name];
  const standIn = !hasIntegration("payments", createIsSet(v));
  const url = v.STRIPE_URL ?? (standIn ? local : "https://api.stripe.com");
  return {
    stripe: {
      url,
      secretKey: v.STRIPE_SECRET_KEY ?? "sk_test_stand_in",
      webhookSecret: v.STRIPE_WEBHOOK_SECRET ?? "whsec_stand_in",
    },
    billing: {
      mode: v.BILLING_MODE,
      annualSavingPercent: v.ANNUAL_SAVING_PERCENT,
      prices: {
        pro: {
          product: id("STRIPE_PRO_PRODUCT"),
          month: id("STRIPE_PRO_MONTHLY_PRICE"),
          year: id("STRIPE_PRO_ANNUAL_PRICE"),
        },
        premium: {
          product: id("STRIPE_PREMIUM_PRODUCT"),
          month: id("STRIPE_PREMIUM_MONTHLY_PRICE"),
          year: id("STRIPE_PREMIUM_ANNUAL_PRICE"),
        },
      },
    },
    standIn: standIn || (local !== "" && url.startsWith(local)),
  };
}
