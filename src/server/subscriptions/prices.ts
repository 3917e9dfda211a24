import {
  annualPriceCents,
  type BillingInterval,
  type PaidTier,
  type PlanDefinition,
  paidTiers,
  planFeatures,
} from "#shared/plans.ts";

/** The payment provider's ids of our products and prices. */
export type PriceBook = Record<PaidTier, Record<BillingInterval | "product", string>>;

/** Tier and interval of a price, or null for an unknown one. */
export function findPrice(
  book: PriceBook,
  priceId: string,
): { tier: PaidTier; interval: BillingInterval } | null {
  for (const tier of paidTiers) {
    const { month, year } = book[tier];
    if (priceId === month) return { tier, interval: "month" };
    if (priceId === year) return { tier, interval: "year" };
  }
  return null;
}

/** The tier of a subscription; an old price is recognised by its product. */
export function findTier(
  book: PriceBook,
  { priceId, productId }: { priceId: string; productId: string },
): PaidTier | null {
  const found = findPrice(book, priceId);
  return found?.tier ?? paidTiers.find((tier) => book[tier].product === productId) ?? null;
}

/** Combines a row of the plans table with the configured prices. */
export function toPlanDefinition(
  row: Pick<PlanDefinition, "tier" | "name" | "hoursPerMonth" | "monthlyPriceCents" | "readersMax">,
  { prices, annualSavingPercent }: { prices: PriceBook; annualSavingPercent: number },
): PlanDefinition {
  const sold = row.tier === "free" ? null : prices[row.tier];
  return {
    ...row,
    annualPriceCents: annualPriceCents(row.monthlyPriceCents, annualSavingPercent),
    monthlyPriceId: sold?.month ?? null,
    annualPriceId: sold?.year ?? null,
    features: planFeatures[row.tier],
  };
}
