/** Subscription tiers, lowest first. What a tier costs and allows is in the plans table. */
export const tiers = ["free", "pro", "premium"] as const;
export type Tier = (typeof tiers)[number];

export const subscriptionStatuses = ["active", "inactive", "cancelled"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** What the client holds of the user's plan. */
export interface SubscriptionInfo {
  subscriptionTier: Tier;
  subscriptionStatus: SubscriptionStatus;
  /** ISO 8601, or null where the plan does not end. */
  subscriptionEnd: string | null;
  /** Hours a month. */
  hourLimit: number;
  /** Recorded seconds in the current calendar month (UTC). */
  timeUsedThisMonth: number;
}
