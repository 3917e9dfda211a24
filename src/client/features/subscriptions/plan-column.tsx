import { Check } from "lucide-react";
import { useId } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { formatDay } from "#client/lib/dates.ts";
import { formatNumber } from "#client/lib/text.ts";
import { Button } from "#client/ui/button.tsx";
import { spokenLanguages } from "#shared/languages.ts";
import type { BillingInterval, PlanDefinition, SubscriptionInfo } from "#shared/plans.ts";
import { type Translate, useT } from "./messages/index.ts";
import { formatDollars, getCost, getOffer, type Offer } from "./offers.ts";

interface PlanColumnProps {
  plan: PlanDefinition;
  interval: BillingInterval;
  info: SubscriptionInfo;
  busy: boolean;
  onChoose: (offer: Offer, plan: PlanDefinition) => void;
}

export function PlanColumn({ plan, interval, info, busy, onChoose }: PlanColumnProps) {
  const t = useT();
  const language = useLanguage();
  const id = useId();
  const offer = getOffer(plan, interval, info);
  const { monthCents, paymentCents } = getCost(plan, interval);
  const isCurrent = plan.tier === info.subscriptionTier;
  const label = getButtonLabel(offer, plan, interval, t);
  return (
    <li
      aria-labelledby={id}
      aria-current={isCurrent ? "true" : undefined}
      className="flex flex-col border-rule p-6 not-first:border-t min-[46rem]:p-5 min-[46rem]:not-first:border-t-0 min-[46rem]:not-first:border-l book:p-6"
    >
      <div className="flex min-h-7 items-center justify-between gap-3">
        <h2 id={id} className="font-semibold text-lg tracking-tight">
          {t(`plan.${plan.tier}`)}
        </h2>
        {isCurrent ? (
          <span className="rounded-full bg-jade-wash px-2.5 py-0.5 font-semibold text-jade text-sm">
            {t("plans.current")}
          </span>
        ) : null}
      </div>
      <p className="tabular mt-4 font-semibold text-2xl tracking-tight">
        {formatDollars(monthCents)}
        <span className="font-normal text-base text-ink-3 tracking-normal">
          {t("plans.perMonth")}
        </span>
      </p>
      <p className="tabular text-ink-3 text-sm">
        {plan.tier === "free"
          ? t("plans.noPayment")
          : interval === "month"
            ? t("plans.billedMonthly")
            : t("plans.billedAnnually", { price: formatDollars(paymentCents) })}
      </p>
      <p className="tabular mt-5 border-rule border-t pt-5 font-medium">
        {t("plans.hours", { hours: plan.hoursPerMonth })}
      </p>
      <ul className="mt-2.5 mb-6 grid gap-2 text-ink-2 last:mb-0">
        {plan.features.map((feature) => (
          <li key={feature} className="flex items-start gap-2.5">
            <Check className="mt-0.75 size-3.5 shrink-0 text-jade" />
            {t(`plans.feature.${feature}`, { languages: spokenLanguages.length })}
          </li>
        ))}
        <li className="tabular flex items-start gap-2.5">
          <Check className="mt-0.75 size-3.5 shrink-0 text-jade" />
          {t("plans.readers", { readers: formatNumber(plan.readersMax, language) })}
        </li>
      </ul>
      {label ? (
        <Button
          look={getButtonLook(offer)}
          disabled={busy}
          className="mt-auto w-full"
          onClick={() => onChoose(offer, plan)}
        >
          {label}
        </Button>
      ) : null}
      {offer.kind === "scheduled" ? (
        <p className="mt-auto py-2.5 text-center text-ink-2">
          {t("plans.startsOn", { date: formatDay(offer.startsOn, language) })}
        </p>
      ) : null}
    </li>
  );
}

/** Upgrades have the strongest look. */
const getButtonLook = (offer: Offer) =>
  offer.kind === "checkout" ||
  offer.kind === "resume" ||
  (offer.kind === "change" && offer.to === "higher")
    ? "ink"
    : "plain";

function getButtonLabel(
  offer: Offer,
  { tier }: PlanDefinition,
  interval: BillingInterval,
  t: Translate,
): string | null {
  const plan = t(`plan.${tier}`);
  switch (offer.kind) {
    case "none":
    case "scheduled":
      return null;
    case "checkout":
      return t("plans.upgrade", { plan });
    case "resume":
      return t("plans.resume", { plan });
    case "downgrade":
      return t("plans.downgrade");
    case "change":
      if (offer.to === "higher") return t("plans.upgrade", { plan });
      if (offer.to === "lower") return t("plans.change", { plan });
      return t(interval === "year" ? "plans.toAnnual" : "plans.toMonthly");
    default:
      return offer satisfies never;
  }
}
