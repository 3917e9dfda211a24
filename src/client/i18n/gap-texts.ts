import { formatClock, toHoursAndMinutes } from "#client/lib/dates.ts";
import type { Gap } from "#shared/recorded-take.ts";
import type { Translate } from "./gaps/index.ts";

/** Seconds, at least 1; from a minute on with minutes, and from an hour on without seconds. */
export function formatLength(t: Translate, ms: number): string {
  const total = Math.max(1, Math.round(ms / 1_000));
  const { hours, minutes } = toHoursAndMinutes(total);
  if (hours > 0) return t("gap.hours", { hours, minutes });
  if (minutes > 0) return t("gap.minutes", { minutes, seconds: total % 60 });
  return t("gap.seconds", { seconds: total });
}

/** Whole seconds around a time on the lecture's clock, such as `0:12` and `0:15`. */
export const getTimes = ({ atMs, lengthMs }: Pick<Gap, "atMs" | "lengthMs">) => ({
  from: formatClock(Math.floor(atMs / 1_000)),
  to: formatClock(Math.ceil((atMs + (lengthMs ?? 0)) / 1_000)),
});

export function formatGap(t: Translate, gap: Gap): string {
  const { lengthMs, reason } = gap;
  if (reason === "noWords") return t("gap.noWords", getTimes(gap));
  const text = t(`gap.${reason}`);
  if (lengthMs === null) return t("gap.open", { reason: text });
  return t("gap.text", { length: formatLength(t, lengthMs), reason: text });
}
