import * as z from "zod";
import type { BillingSettings } from "../server/context.ts";

const text = z.string().min(1);

/** The part of the worker's variables that is about payments; `env.ts` reads them. */
export const billingVariables = {
  STRIPE_SECRET_KEY: text.optional(),
  STRIPE_WEBHOOK_SECRET: text.optional(),
  STRIPE_URL: z.url({ protocol: /^https?$/ }).optional(),
  STRIPE_PRO_PRODUCT: text.optional(),
  STRIPE_PRO_MONTHLY_PRICE: text.optional(),
  STRIPE_PRO_ANNUAL_PRICE: text.optional(),
  STRIPE_PREMIUM_PRODUCT: text.optional(),
  STRIPE_PREMIUM_MONTHLY_PRICE: text.optional(),
  STRIPE_PREMIUM_ANNUAL_PRICE: text.optional(),
  BILLING_MODE: z.enum(["live", "test"]).default("live"),
  ANNUAL_SAVING_PERCENT: z.coerce.number().min(0).max(90).default(20),
};

const variables = z.object(billingVariables);
type BillingVariables = z.infer<typeof variables>;

export interface StripeSettings {
  url: string;
  secretKey: string;
  webhookSecret: string;
}

const secretNames = ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"] as const;

/** What the stand-in of Stripe sells under; with real keys every id has to be given. */
const standInIds = {
  STRIPE_PRO_PRODUCT: "prod_pro",
  STRIPE_PRO_MONTHLY_PRICE: "price_pro_monthly",
  STRIPE_PRO_ANNUAL_PRICE: "price_pro_annual",
  STRIPE_PREMIUM_PRODUCT: "prod_premium",
  STRIPE_PREMIUM_MONTHLY_PRICE: "price_premium_monthly",
  STRIPE_PREMIUM_ANNUAL_PRICE: "price_premium_annual",
} as const;
const idNames = Object.keys(standInIds) as (keyof typeof standInIds)[];

const hasStripe = (v: BillingVariables) => secretNames.some((name) => v[name] !== undefined);

/** What is missing or does not go together; `required` where no stand-in may take the place. */
export function billingProblems(
  v: BillingVariables,
  { required, production }: { required: boolean; production: boolean },
): string[] {
  const problems: string[] = [];
  if (required || hasStripe(v)) {
    for (const name of [...secretNames, ...idNames])
      if (!v[name]) problems.push(`${name}: missing`);
    const prices = idNames.filter((name) => name.endsWith("PRICE")).map((name) => v[name]);
    if (new Set(prices).size < prices.length && !prices.includes(undefined))
      problems.push("STRIPE_…_PRICE: two are the same");
  }
  if (production && v.BILLING_MODE === "test")
    problems.push("BILLING_MODE: test is not allowed in production");
  return problems;
}

/** True for a key of Stripe's sandbox: pages to pay on look real and take no money. */
export function isSandboxKey({ secretKey }: StripeSettings): boolean {
  return /^[a-z]+_test_/.test(secretKey);
}

/** `local` is the embedded stack's address; empty in production. */
export function resolveBilling(
  v: BillingVariables,
  local: string,
): { stripe: StripeSettings; billing: BillingSettings; standIn: boolean } {
  const id = (name: keyof typeof standInIds) => v[name] ?? standInIds[name];
  const standIn = !hasStripe(v);
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
