import type { plans } from "./schema.ts";

/** The plans, as first rows of `plans`. Stripe's price ids and the discount for a year are settings of the worker. */
export const planSeed = [
  {
    tier: "free",
    name: "Free",
    hoursPerMonth: 1,
    monthlyPriceCents: 0,
    readersMax: 30,
    readerLanguagesMax: 1,
  },
  {
    tier: "pro",
    name: "Pro",
    hoursPerMonth: 20,
    monthlyPriceCents: 1_399,
    readersMax: 200,
    readerLanguagesMax: 3,
  },
  {
    tier: "premium",
    name: "Premium",
    hoursPerMonth: 100,
    monthlyPriceCents: 3_499,
    readersMax: 1_000,
    readerLanguagesMax: 10,
  },
] as const satisfies (typeof plans.$inferInsert)[];
