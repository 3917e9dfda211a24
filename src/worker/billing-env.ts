import type { BillingSettings } from "#server/context.ts";
import {
  createIsSet,
  hasIntegration,
  stripeIdNames,
  stripeSecretNames,
  type Variables,
} from "./settings.ts";

/** Lists settings that contradict each other. */
export function listBillingProblems(v: Variables): string[] {
  const problems: string[] = [];
  const prices = stripeIdNames
    .filter((name) => name.endsWith("PRICE"))
    .map((name) => v[name])
    .filter((price) => price !== undefined);
  if (new Set(prices).size < prices.length) problems.push("STRIPE_…_PRICE: two are the same");
  if (v.APP_ENV !== "development" && v.BILLING_MODE === "test")
    problems.push("BILLING_MODE: test is not allowed in production");
  if (v.APP_ENV === "self-hosted")
    problems.push(
      ...[...stripeSecretNames, ...stripeIdNames, "STRIPE_URL" as const]
        .filter((name) => v[name] !== undefined)
        .map((name) => `${name}: a self-hosted site has no payments`),
    );
  else if (v.HOURS_PER_MONTH !== undefined)
    problems.push("HOURS_PER_MONTH: for self-hosted sites; elsewhere the plan decides");
  return problems;
}

/** True for a key of Stripe's sandbox, where checkout pages look real but charge nothing. */
export function isSandboxKey(secretKey: string): boolean {
  return /^[a-z]+_test_/.test(secretKey);
}

/**
 * With real keys every id is configured; the ids here are those of Stripe's stand-in. `local` is the
 * embedded stack's address; empty in production.
 */
export function resolveBilling(v: Variables, local: string) {
  const isStandIn = local !== "" && !hasIntegration("payments", createIsSet(v));
  const url = v.STRIPE_URL ?? (isStandIn ? local : "https://api.stripe.com");
  const billing: BillingSettings = {
    mode:
      v.APP_ENV === "self-hosted" ? { hoursPerMonth: v.HOURS_PER_MONTH ?? null } : v.BILLING_MODE,
    annualSavingPercent: v.ANNUAL_SAVING_PERCENT,
    prices: {
      pro: {
        product: v.STRIPE_PRO_PRODUCT ?? "prod_pro",
        month: v.STRIPE_PRO_MONTHLY_PRICE ?? "price_pro_monthly",
        year: v.STRIPE_PRO_ANNUAL_PRICE ?? "price_pro_annual",
      },
      premium: {
        product: v.STRIPE_PREMIUM_PRODUCT ?? "prod_premium",
        month: v.STRIPE_PREMIUM_MONTHLY_PRICE ?? "price_premium_monthly",
        year: v.STRIPE_PREMIUM_ANNUAL_PRICE ?? "price_premium_annual",
      },
    },
  };
  return {
    stripe: {
      url,
      secretKey: v.STRIPE_SECRET_KEY ?? "sk_test_stand_in",
      webhookSecret: v.STRIPE_WEBHOOK_SECRET ?? "whsec_stand_in",
    },
    billing,
    standIn: isStandIn || (local !== "" && url.startsWith(local)),
  };
}
