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

/** Whole seconds around a span of the lecture's clock, such as `0:12` and `0:15`. */
const getTimes = (startMs: number, endMs: number) => ({
  from: formatClock(Math.floor(startMs / 1_000)),
  to: formatClock(Math.ceil(endMs / 1_000)),
});

/** More spans than these are counted. */
const listedMax = 8;

/** Spans of the lecture's clock, ms: `0:12–0:15, 1:02–1:04`. */
export function formatTimes(
  t: Translate,
  spans: readonly { startMs: number; endMs: number }[],
): string {
  const times = spans.slice(0, listedMax).map(({ startMs, endMs }) => {
    const { from, to } = getTimes(startMs, endMs);
    return `${from}–${to}`;
  });
  const count = spans.length - times.length;
  return [...times, ...(count > 0 ? [t("gap.others", { count })] : [])].join(t("gap.separator"));
}

export function formatGap(t: Translate, gap: Gap): string {
  const { atMs, lengthMs, reason } = gap;
  if (reason === "noWords") return t("gap.noWords", getTimes(atMs, atMs + (lengthMs ?? 0)));
  const text = t(`gap.${reason}`);
  if (lengthMs === null) return t("gap.open", { reason: text });
  return t("gap.text", { length: formatLength(t, lengthMs), reason: text });
}
