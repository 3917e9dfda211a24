import type { plans } from "./schema.ts";

/** The plans of the specification's section 9. Two months free with the annual price; change both in the table. */
export const planSeed = [
  { tier: "free", name: "Free", hoursPerMonth: 1, monthlyPriceCents: 0, annualPriceCents: null },
  {
    tier: "pro",
    name: "Pro",
    hoursPerMonth: 20,
    monthlyPriceCents: 1_399,
    annualPriceCents: 13_990,
  },
  {
    tier: "premium",
    name: "Premium",
    hoursPerMonth: 100,
    monthlyPriceCents: 3_499,
    annualPriceCents: 34_990,
  },
] as const satisfies (typeof plans.$inferInsert)[];
