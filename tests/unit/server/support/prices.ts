import type { BillingSettings } from "#server/context.ts";

/** The embedded stack's price ids. */
export const prices: BillingSettings["prices"] = {
  pro: { product: "prod_pro", month: "price_pro_monthly", year: "price_pro_annual" },
  premium: {
    product: "prod_premium",
    month: "price_premium_monthly",
    year: "price_premium_annual",
  },
};
