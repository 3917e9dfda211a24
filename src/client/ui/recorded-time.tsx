import { useT } from "#client/i18n/library/index.ts";
import { toHoursAndMinutes } from "#client/lib/dates.ts";

/** Recorded time as 'Xh Ym' or 'Ym'; less than a minute is said so. */
export function RecordedTime({ seconds }: { seconds: number }) {
  const t = useT();
  const { hours, minutes } = toHoursAndMinutes(seconds);
  return (
    <span>
      {hours > 0
        ? t("home.duration.hours", { hours, minutes })
        : minutes > 0
          ? t("home.duration.minutes", { minutes })
          : t("home.duration.short")}
    </span>
  );
}
