export type Interval = "month" | "year";

/** How long every period lasts, for tests in real time; null: months and years of the calendar. */
export type PeriodSeconds = number | null;

/**
 * `count` months after `anchor` (seconds since the epoch, UTC), at the anchor's time of day; on the
 * last day of a month that is too short. Counted from the anchor, so 31 January is followed by
 * 28 February and 31 March.
 */
export function monthsAfter(anchor: number, count: number): number {
  const start = new Date(anchor * 1_000);
  const month = start.getUTCMonth() + count;
  const lastDay = new Date(Date.UTC(start.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(start.getUTCDate(), lastDay);
  const midnight = Date.UTC(start.getUTCFullYear(), month, day) / 1_000;
  return midnight + (((anchor % 86_400) + 86_400) % 86_400);
}

/** The end of the period that runs at `at`: the first turn of the cycle after it, in seconds. */
export function periodEnd(
  anchor: number,
  interval: Interval,
  at: number,
  periodSeconds: PeriodSeconds,
): number {
  if (periodSeconds !== null) return at + periodSeconds;
  const step = interval === "year" ? 12 : 1;
  const from = new Date(anchor * 1_000);
  const to = new Date(at * 1_000);
  const months =
    (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  // One turn earlier than the estimate, because the day of the month may not be reached yet.
  let turn = Math.max(1, Math.floor(months / step));
  while (monthsAfter(anchor, turn * step) <= at) turn += 1;
  return monthsAfter(anchor, turn * step);
}
