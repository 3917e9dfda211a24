import { annualPriceCents } from "#shared/plans.ts";

export interface Price {
  id: string;
  product: string;
  productName: string;
  amountCents: number;
  interval: "month" | "year";
}

const tiers = [
  { tier: "pro", name: "Pro", monthlyCents: 1_399 },
  { tier: "premium", name: "Premium", monthlyCents: 3_499 },
];

/** Two products in US dollars, each with a monthly and an annual price. The ids never change. */
export function createPrices(annualSavingPercent: number): Price[] {
  return tiers.flatMap(({ tier, name, monthlyCents }) => {
    const product = { product: `prod_${tier}`, productName: `Dualect ${name}` };
    const yearCents = annualPriceCents(monthlyCents, annualSavingPercent);
    return [
      { ...product, id: `price_${tier}_monthly`, amountCents: monthlyCents, interval: "month" },
      { ...product, id: `price_${tier}_annual`, amountCents: yearCents, interval: "year" },
    ] as const;
  });
}
