import { getLanguage } from "#client/i18n/bundle.ts";
import { formatDay } from "#client/lib/dates.ts";
import type { BillingInterval, PlanDefinition, SubscriptionInfo } from "#shared/plans.ts";
import { changePlan, downgrade, formatPlan, type Outcome, resume } from "./billing.ts";
import type { Translate } from "./messages/index.ts";
import type { Offer } from "./offers.ts";

export interface PlanQuestion {
  title: string;
  text: string;
  confirmLabel: string;
  /** Runs the confirmed action. */
  run: (password?: string) => Promise<Outcome>;
}

interface QuestionContext {
  interval: BillingInterval;
  info: SubscriptionInfo;
  free: PlanDefinition | undefined;
  t: Translate;
}

export function getResumeQuestion({ tier }: PlanDefinition, t: Translate): PlanQuestion {
  const title = t("plans.resume", { plan: t(`plan.${tier}`) });
  return { title, text: t("plans.resumeAsk"), confirmLabel: title, run: resume };
}

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
        date: formatDay(info.subscriptionEnd, getLanguage()),
        hours: free?.hoursPerMonth ?? 0,
      }),
      confirmLabel: t("plans.downgrade"),
      run: downgrade,
    };
  return null;
}
