import { BookOpen, Feather, Gem, type LucideIcon } from "lucide-react";
import { useId } from "react";
import { type InterfaceLanguage, useLanguage } from "#client/i18n/bundle.ts";
import { browserClock } from "#client/lib/clock.ts";
import { formatDay } from "#client/lib/dates.ts";
import { formatReset, getMonthEnd } from "#client/lib/reset-times.ts";
import { formatNumber } from "#client/lib/text.ts";
import { useSiteInfo } from "#client/state/queries.tsx";
import { hasPlans } from "#client/state/site-info.ts";
import { useSubscription } from "#client/state/subscription.ts";
import { LoadFailure } from "#client/ui/placeholder.tsx";
import { UsageMeter } from "#client/ui/progress.tsx";
import { Skeleton } from "#client/ui/skeleton.tsx";
import { getLimitSeconds, type SubscriptionInfo, type Tier } from "#shared/plans.ts";
import { useT } from "./messages/index.ts";

const planIcons: Record<Tier, LucideIcon> = { free: BookOpen, pro: Feather, premium: Gem };

export function PlanUsage() {
  const t = useT();
  const { info, state, retry } = useSubscription();
  if (state === "known") return <Usage plan={info} />;
  if (state === "failed") return <LoadFailure text={t("profile.usageFailed")} onRetry={retry} />;
  return (
    <div role="status" className="grid gap-3">
      <span className="sr-only">{t("common.loading")}</span>
      <Skeleton className="h-6 w-40" />
      <Skeleton className="h-2 w-full" />
    </div>
  );
}

function Usage({ plan }: { plan: SubscriptionInfo }) {
  const t = useT();
  const id = useId();
  const language = useLanguage();
  const { data: site } = useSiteInfo();
  const { usedHours, limitHours, percent } = getUsage(plan, language);
  const ends = plan.subscriptionStatus === "cancelled" || plan.cancelAtPeriodEnd;
  const hasLimit = plan.hourLimit !== null;
  const text = hasLimit
    ? t("profile.hours", { used: usedHours, limit: limitHours })
    : t("profile.hoursFreely", { used: usedHours });
  const PlanIcon = planIcons[plan.subscriptionTier];
  return (
    <div className="grid gap-2.5">
      <div hidden={!hasPlans(site)} className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="inline-flex items-center gap-1.5 rounded-full bg-jade-wash py-0.5 pr-2.5 pl-2 font-semibold text-jade text-sm">
          <PlanIcon className="size-3.5" aria-hidden="true" />
          {t(`plan.${plan.subscriptionTier}`)}
        </span>
        {plan.subscriptionTier !== "free" && plan.subscriptionEnd ? (
          <span className="text-ink-3">
            {t(ends ? "profile.endsOn" : "profile.renewsOn", {
              date: formatDay(plan.subscriptionEnd, language),
            })}
          </span>
        ) : null}
      </div>
      <div className="mt-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <span id={id} className="font-medium">
          {t("profile.usage")}
        </span>
        <span className="tabular text-ink-2">{text}</span>
      </div>
      {hasLimit ? (
        <>
          <UsageMeter labelledBy={id} text={text} percent={percent} />
          <p className="text-ink-3 text-sm">
            {t("profile.resets", { date: formatReset(getMonthEnd(browserClock.now()), language) })}
          </p>
        </>
      ) : null}
    </div>
  );
}

/** The hours with two decimals, and the used part of the month's allowance, 0 to 100. */
export function getUsage(
  { timeUsedThisMonth, hourLimit }: Pick<SubscriptionInfo, "timeUsedThisMonth" | "hourLimit">,
  language: InterfaceLanguage,
) {
  const allowed = getLimitSeconds({ hourLimit });
  const share = allowed > 0 ? timeUsedThisMonth / allowed : 1;
  return {
    usedHours: formatNumber(timeUsedThisMonth / 3600, language, 2),
    limitHours: formatNumber(hourLimit ?? 0, language, 2),
    percent: Math.min(100, Math.max(0, share * 100)),
  };
}
