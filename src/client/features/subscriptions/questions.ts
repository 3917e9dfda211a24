import { formatDay } from "#client/lib/dates.ts";
import type { BillingInterval, PlanDefinition, SubscriptionInfo } from "#shared/plans.ts";
import { changePlan, downgrade, formatPlan, resume } from "./billing.ts";
import type { Translate } from "./messages/index.ts";
import type { Offer } from "./offers.ts";

export interface PlanQuestion {
  title: string;
  text: string;
  confirmLabel: string;
  /** Runs the confirmed action. "password": nothing was done; it must be called with the password. */
  run: (password?: string) => Promise<"password" | "done">;
}

interface QuestionContext {
  interval: BillingInterval;
  info: SubscriptionInfo;
  free: PlanDefinition | undefined;
  t: Translate;
}

export const getResumeQuestion = ({ tier }: PlanDefinition, t: Translate): PlanQuestion => ({
  title: t("plans.resume", { plan: t(`plan.${tier}`) }),
  text: t("plans.resumeAsk"),
  confirmLabel: t("plans.resume", { plan: t(`plan.${tier}`) }),
  run: resume,
});

/** The question to confirm before `offer` is taken; null where there is nothing to confirm. */
export function getQuestion(
  offer: Offer,
  { tier }: PlanDefinition,
  { interval, info, free, t }: QuestionContext,
): PlanQuestion | null {
  if (offer.kind === "change" && tier !== "free")
    return {
      title: t("plans.changeTitle", { plan: formatPlan(tier, interval) }),
      text: t("plans.changeText"),
      confirmLabel: t("plans.confirmChange"),
      run: (password) => changePlan(offer.priceId, password),
    };
  if (offer.kind === "downgrade" && info.subscriptionEnd)
    return {
      title: t("plans.downgradeTitle"),
      text: t("plans.downgradeAsk", {
        plan: t(`plan.${info.subscriptionTier}`),
        date: formatDay(info.subscriptionEnd),
        hours: free?.hoursPerMonth ?? 0,
      }),
      confirmLabel: t("plans.downgrade"),
      run: async () => {
        await downgrade();
        return "done";
      },
    };
  return null;
}
