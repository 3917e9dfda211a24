import { annualPriceCents } from "../../src/shared/plans.ts";
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

export interface Catalogue {
  products: readonly Product[];
  prices: readonly Price[];
  /** When both were made: long ago. */
  created: number;
}

/** Cents a month. */
const monthly = { pro: 1_399, premium: 3_499 };

/** Two products, each with a monthly and an annual price, under names that never change. */
export function createCatalogue(annualSavingPercent = 20): Catalogue {
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
          amount:
            interval === "month"
              ? monthly[tier]
              : annualPriceCents(monthly[tier], annualSavingPercent),
          interval,
        };
      }),
    ),
  };
}
