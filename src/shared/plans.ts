/** Subscription tiers, lowest first. Prices and limits are in the plans table. */
export const tiers = ["free", "pro", "premium"] as const;
export type Tier = (typeof tiers)[number];

export const paidTiers = ["pro", "premium"] as const satisfies readonly Tier[];
export type PaidTier = (typeof paidTiers)[number];

export const subscriptionStatuses = ["active", "inactive", "cancelled"] as const;
type SubscriptionStatus = (typeof subscriptionStatuses)[number];

export const billingIntervals = ["month", "year"] as const;
export type BillingInterval = (typeof billingIntervals)[number];

/** `past_due`: the last payment failed; the user can correct that in the billing portal. */
export const paymentStates = ["ok", "past_due"] as const;
type PaymentState = (typeof paymentStates)[number];

/** The user's plan and usage (`subscriptions.check`). */
export interface SubscriptionInfo {
  /** The tier in effect. */
  subscriptionTier: Tier;
  /** `cancelled` keeps its tier until `subscriptionEnd`. */
  subscriptionStatus: SubscriptionStatus;
  /** True while the tier in effect is a paid one. */
  subscribed: boolean;
  /** ISO 8601: when an active plan renews or a cancelled one ends; null for Free. */
  subscriptionEnd: string | null;
  /** Hours per month; null: no limit. */
  hourLimit: number | null;
  /** Recorded seconds in the current calendar month (UTC). */
  timeUsedThisMonth: number;
  /** The plan ends at `subscriptionEnd` instead of renewing. */
  cancelAtPeriodEnd: boolean;
  paymentState: PaymentState;
  /** Billing interval; null for Free. */
  interval: BillingInterval | null;
  /** The plan comes from a simulated payment, so the payment provider has no subscription for it. */
  simulated: boolean;
}

/** The seconds of a month's hours. */
export const getLimitSeconds = ({ hourLimit }: Pick<SubscriptionInfo, "hourLimit">): number =>
  hourLimit === null ? Number.POSITIVE_INFINITY : hourLimit * 3_600;

/** Used while nobody is signed in. */
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

/** What a tier offers besides hours; the page has a message for each. */
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
  /** Readers of one shared lecture at once. */
  readersMax: number;
  /** US cents per month with monthly billing; 0 for Free. */
  monthlyPriceCents: number;
  /** US cents per year with yearly billing; 0 for Free. */
  annualPriceCents: number;
  /** Input of `subscriptions.checkout`; null for Free. */
  monthlyPriceId: string | null;
  annualPriceId: string | null;
  features: readonly PlanFeature[];
}

/** Response of `subscriptions.plans`; the plans are in the order of `tiers`. */
export interface PlansInfo {
  plans: PlanDefinition[];
  /** Discount of yearly billing over twelve months, in per cent. */
  annualSavingPercent: number;
  /** True when `subscriptions.simulatePayment` and `simulateDowngrade` are available. */
  simulation: boolean;
}

/** Response of `subscriptions.checkout`: a payment page, or a paid plan that was changed immediately. */
export type CheckoutResult =
  | { kind: "checkout"; url: string }
  | { kind: "changed"; tier: PaidTier; interval: BillingInterval };

/** Values of the `/profile` query parameter with which a checkout returns. */
export const checkoutOutcomes = ["success", "cancel"] as const;

/** Yearly price in US cents for `monthlyCents` per month, less `savingPercent`, rounded to a cent. */
export function annualPriceCents(monthlyCents: number, savingPercent: number): number {
  return Math.round((monthlyCents * 12 * (100 - savingPercent)) / 100);
}
