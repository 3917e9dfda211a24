import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { useT } from "#client/features/mock/messages/index.ts";
import { getButtonClass } from "#client/ui/button.tsx";
import { hours } from "./sample.ts";

export function Usage() {
  const t = useT();
  const id = useId();
  const text = t("mock.usage.hours", {
    used: hours.used.toFixed(2),
    limit: hours.limit.toFixed(2),
  });
  const percent = (hours.used / hours.limit) * 100;
  return (
    <div className="mt-auto grid gap-2 px-2.5 pt-6 pb-1">
      <span id={id} className="font-[550] text-ink-3 text-xs">
        {t("mock.usage.title")}
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: a <meter> cannot be dressed in every browser */}
      <div
        role="meter"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={text}
        className="h-1.5 overflow-hidden rounded-full bg-paper-3"
      >
        <div className="h-full rounded-full bg-jade" style={{ width: `${percent}%` }} />
      </div>
      <span className="tabular text-ink-2 text-sm">{text}</span>
      <Link to="/subscription2" className={`${getButtonClass({ size: "small" })} mt-1`}>
        {t("mock.usage.subscribe")}
      </Link>
    </div>
  );
}
