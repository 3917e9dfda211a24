import type { Interval } from "./periods.ts";

export interface Product {
  id: string;
  name: string;
}

export interface Price {
  id: string;
  product: string;
  lookupKey: string;
  /** Cents, in US dollars. */
  amount: number;
  interval: Interval;
}

/** What one plan costs, in cents. */
export interface PlanPrices {
  monthly: number;
  annual: number;
}

export interface Catalogue {
  products: readonly Product[];
  prices: readonly Price[];
  /** When both were made: long ago. */
  created: number;
}

/** 12 months less 20 %, in whole cents. */
const annualOf = (monthly: number) => Math.round(monthly * 12 * 0.8);

const usualPrices: { pro: PlanPrices; premium: PlanPrices } = {
  pro: { monthly: 1_399, annual: annualOf(1_399) },
  premium: { monthly: 3_499, annual: annualOf(3_499) },
};

/** Two products, each with a monthly and an annual price, under names that never change. */
export function createCatalogue(plans = usualPrices): Catalogue {
  const names = { pro: "Pro", premium: "Premium" };
  const tiers = ["pro", "premium"] as const;
  return {
    created: Date.UTC(2026, 0, 1) / 1_000,
    products: tiers.map((tier) => ({ id: `prod_${tier}`, name: `Dualect ${names[tier]}` })),
    prices: tiers.flatMap((tier) =>
      (["month", "year"] as const).map((interval) => {
        const name = `${tier}_${interval === "month" ? "monthly" : "annual"}`;
        return {
          id: `price_${name}`,
          product: `prod_${tier}`,
          lookupKey: name,
          amount: interval === "month" ? plans[tier].monthly : plans[tier].annual,
          interval,
        };
      }),
    ),
  };
}
