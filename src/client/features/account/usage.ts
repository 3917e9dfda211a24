import type { SubscriptionInfo } from "../../../shared/plans.ts";

interface Usage {
  /** Hours with two decimals. */
  usedHours: string;
  limitHours: string;
  /** Of the month's allowance, 0 to 100. */
  percent: number;
}

/** How much of its month a plan has been used. */
export function usageOf({
  timeUsedThisMonth,
  hourLimit,
}: Pick<SubscriptionInfo, "timeUsedThisMonth" | "hourLimit">): Usage {
  const allowed = hourLimit * 3600;
  const share = allowed > 0 ? timeUsedThisMonth / allowed : 1;
  return {
    usedHours: (timeUsedThisMonth / 3600).toFixed(2),
    limitHours: hourLimit.toFixed(2),
    percent: Math.min(100, Math.max(0, share * 100)),
  };
}
