/** A part of the list of lectures, by the day on which they began. `month`: 1 to 12. */
export type AgeGroup =
  | { kind: "today" | "thisWeek" | "lastWeek" }
  | { kind: "month"; year: number; month: number };

const dayMs = 86_400_000;
/** 1970-01-01 was a Thursday. */
const firstWeekday = 3;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The date of a moment in a time zone. */
function getDate(ms: number, timeZone: string): { year: number; month: number; day: number } {
  let format = formats.get(timeZone);
  if (!format) {
    const numeric = { year: "numeric", month: "numeric", day: "numeric" } as const;
    format = new Intl.DateTimeFormat("en-US", { ...numeric, timeZone });
    formats.set(timeZone, format);
  }
  // `11/28/2026`.
  const [month = 0, day = 0, year = 0] = format.format(ms).split("/").map(Number);
  return { year, month, day };
}

/** The days since 1970-01-01 of a date. */
const countDays = ({ year, month, day }: ReturnType<typeof getDate>): number =>
  Date.UTC(year, month - 1, day) / dayMs;

/**
 * Today, earlier this week, last week, or the month. Weeks begin on Monday. What lies ahead, by a clock that is wrong,
 * is of today.
 *
 * @param startedAt ISO 8601
 * @param now ms since 1970
 * @param timeZone an IANA name
 */
export function getAgeGroup(startedAt: string, now: number, timeZone: string): AgeGroup {
  const date = getDate(Date.parse(startedAt), timeZone);
  const day = countDays(date);
  const today = countDays(getDate(now, timeZone));
  const monday = today - ((today + firstWeekday) % 7);
  if (day >= today) return { kind: "today" };
  if (day >= monday) return { kind: "thisWeek" };
  if (day >= monday - 7) return { kind: "lastWeek" };
  return { kind: "month", year: date.year, month: date.month };
}

export function isSameGroup(one: AgeGroup, other: AgeGroup): boolean {
  if (one.kind !== "month" || other.kind !== "month") return one.kind === other.kind;
  return one.year === other.year && one.month === other.month;
}
