/** Subscription tiers, lowest first. What a tier costs and allows is in the plans table. */
export const tiers = ["free", "pro", "premium"] as const;
export type Tier = (typeof tiers)[number];

export const paidTiers = ["pro", "premium"] as const satisfies readonly Tier[];
export type PaidTier = (typeof paidTiers)[number];

export const subscriptionStatuses = ["active", "inactive", "cancelled"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

export const billingIntervals = ["month", "year"] as const;
export type BillingInterval = (typeof billingIntervals)[number];

/** `past_due`: the last payment failed, and the user can put that right in the billing portal. */
export const paymentStates = ["ok", "past_due"] as const;
export type PaymentState = (typeof paymentStates)[number];

/** What the client holds of the user's plan (`subscriptions.check`). */
export interface SubscriptionInfo {
  /** The tier that counts now. */
  subscriptionTier: Tier;
  /** `cancelled` keeps its tier until `subscriptionEnd`. */
  subscriptionStatus: SubscriptionStatus;
  /** True while the tier that counts is a paid one. */
  subscribed: boolean;
  /** ISO 8601: when an active plan renews or a cancelled one ends; null for Free. */
  subscriptionEnd: string | null;
  /** Hours a month. */
  hourLimit: number;
  /** Recorded seconds in the current calendar month (UTC). */
  timeUsedThisMonth: number;
  /** The plan ends at `subscriptionEnd` instead of renewing. */
  cancelAtPeriodEnd: boolean;
  paymentState: PaymentState;
  /** How often the plan is paid; null for Free. */
  interval: BillingInterval | null;
  /** The plan came from a simulated payment: no provider knows of it. */
  simulated: boolean;
}

/** What holds while nobody is signed in. */
export const noSubscription: SubscriptionInfo = {
  subscriptionTier: "free",
  subscriptionStatus: "inactive",
  subscribed: false,
  subscriptionEnd: null,
  hourLimit: 1,
  timeUsedThisMonth: 0,
  cancelAtPeriodEnd: false,
  paymentState: "ok",
  interval: null,
  simulated: false,
};

/** What a tier offers beside its hours; the page has messages for them. */
export type PlanFeature =
  | "basic_transcription"
  | "priority_transcription"
  | "translation"
  | "summaries"
  | "priority_support";

export const planFeatures: Record<Tier, readonly PlanFeature[]> = {
  free: ["basic_transcription", "translation"],
  pro: ["priority_transcription", "translation", "summaries"],
  premium: ["priority_transcription", "translation", "summaries", "priority_support"],
};

export interface PlanDefinition {
  tier: Tier;
  name: string;
  hoursPerMonth: number;
  /** US cents a month, paid by the month; 0 for Free. */
  monthlyPriceCents: number;
  /** US cents a year, paid by the year; 0 for Free. */
  annualPriceCents: number;
  /** What `subscriptions.checkout` takes; null for Free. */
  monthlyPriceId: string | null;
  annualPriceId: string | null;
  features: readonly PlanFeature[];
}

/** `subscriptions.plans`; the plans are in the order of `tiers`. */
export interface PlansInfo {
  plans: PlanDefinition[];
  /** Per cent that a year costs less than twelve months. */
  annualSavingPercent: number;
  /** Whether `subscriptions.simulatePayment` and `simulateDowngrade` exist. */
  simulation: boolean;
}

/** Where `subscriptions.checkout` led: to a page to pay on, or to a paid plan that was changed at once. */
export type CheckoutResult =
  | { kind: "checkout"; url: string }
  | { kind: "changed"; tier: PaidTier; interval: BillingInterval };

/** Queries of `/profile` that a checkout comes back with. */
export const checkoutOutcomes = ["success", "cancel"] as const;

/** US cents a year for a plan of `monthlyCents`, with `savingPercent` off; to the nearest cent. */
export function annualPriceCents(monthlyCents: number, savingPercent: number): number {
  return Math.round((monthlyCents * 12 * (100 - savingPercent)) / 100);
}
