import { type BillingInterval, billingIntervals } from "#shared/plans.ts";
import { useT } from "./messages/index.ts";

interface IntervalToggleProps {
  value: BillingInterval;
  savingPercent: number;
  onChange: (interval: BillingInterval) => void;
}

export function IntervalToggle({ value, savingPercent, onChange }: IntervalToggleProps) {
  const t = useT();
  return (
    <fieldset className="inline-flex rounded-m border border-rule-control p-0.75">
      <legend className="sr-only">{t("plans.billing")}</legend>
      {billingIntervals.map((interval) => (
        <button
          key={interval}
          type="button"
          aria-pressed={value === interval}
          onClick={() => onChange(interval)}
          className="touch-target inline-flex h-8 items-center gap-2 rounded-s px-4 text-ink-2 text-sm transition-colors duration-150 ease-quiet hover:text-ink aria-pressed:bg-paper-3 aria-pressed:font-[550] aria-pressed:text-ink"
        >
          {t(interval === "year" ? "plans.annual" : "plans.monthly")}
          {interval === "year" ? (
            <span className="font-medium text-jade">
              {t("plans.saving", { percent: savingPercent })}
            </span>
          ) : null}
        </button>
      ))}
    </fieldset>
  );
}
