import type { BillingInterval, PlanDefinition, SubscriptionInfo } from "../../../shared/plans.ts";
import type { Translate } from "../../i18n/index.ts";
import { formatDay } from "../../lib/dates.ts";
import { changePlan, downgrade, planPaid } from "./billing.ts";
import type { Offer } from "./offers.ts";

export interface Question {
  title: string;
  text: string;
  /** On the button that says yes. */
  yes: string;
}

export interface Asked extends Question {
  /** What a yes does. */
  run: () => Promise<void>;
}

interface Circumstances {
  interval: BillingInterval;
  info: SubscriptionInfo;
  /** The plan that is left when a paid one ends. */
  free: PlanDefinition | undefined;
  t: Translate;
}

/** What has to be asked before `offer` is taken; null where nothing would happen. */
export function questionOf(
  offer: Offer,
  { tier }: PlanDefinition,
  { interval, info, free, t }: Circumstances,
): Asked | null {
  if (offer.kind === "change" && tier !== "free")
    return {
      title: t("plans.changeTitle", { plan: planPaid(tier, interval) }),
      text: t("plans.changeAsk"),
      yes: t("plans.confirmChange"),
      run: () => changePlan(offer.priceId),
    };
  if (offer.kind === "downgrade" && info.subscriptionEnd)
    return {
      title: t("plans.downgradeTitle"),
      text: t("plans.downgradeAsk", {
        plan: t(`plan.${info.subscriptionTier}`),
        date: formatDay(info.subscriptionEnd),
        hours: free?.hoursPerMonth ?? 0,
      }),
      yes: t("plans.downgrade"),
      run: downgrade,
    };
  return null;
}
