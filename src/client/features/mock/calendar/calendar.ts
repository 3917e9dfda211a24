import type { InterfaceLanguage } from "#client/i18n/bundle.ts";

/** A day as `yyyy-mm-dd`. */
export type Day = string;

export type CalendarView = "month" | "week" | "day";

export interface Calendar {
  view: CalendarView;
  /** The chosen day; the shown period contains it. */
  chosen: Day;
}

const daysInWeek = 7;
const weeksInGrid = 6;
const dayMs = 86_400_000;

export const initialCalendar: Calendar = { view: "month", chosen: "2025-10-15" };

// Days are calculated in UTC, where all have the same length.
const toDate = (day: Day) => new Date(`${day}T00:00:00Z`);
const toDay = (date: Date): Day => date.toISOString().slice(0, 10);

export const addDays = (day: Day, count: number): Day =>
  toDay(new Date(toDate(day).getTime() + count * dayMs));

/** 0 for Sunday to 6 for Saturday. */
export const getWeekday = (day: Day): number => toDate(day).getUTCDay();

/** `yyyy-mm`. */
export const getMonth = (day: Day): string => day.slice(0, 7);

/** The same day of another month, or that month's last day where it is shorter. */
export function addMonths(day: Day, count: number): Day {
  const from = toDate(day);
  const year = from.getUTCFullYear();
  const month = from.getUTCMonth() + count;
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return toDay(new Date(Date.UTC(year, month, Math.min(from.getUTCDate(), last))));
}

const startOfWeek = (day: Day): Day => addDays(day, -getWeekday(day));

const listDays = (from: Day, count: number, step: number): Day[] =>
  Array.from({ length: count }, (_, index) => addDays(from, index * step));

/** The weeks of the grid, each from Sunday on: the six that contain the chosen month, or the chosen one. */
export function listWeeks({ view, chosen }: Calendar): Day[][] {
  const sundays =
    view === "month"
      ? listDays(startOfWeek(`${getMonth(chosen)}-01`), weeksInGrid, daysInWeek)
      : [startOfWeek(chosen)];
  return sundays.map((sunday) => listDays(sunday, daysInWeek, 1));
}

/** Moves to the next (1) or previous (-1) month, week or day. */
export function turnCalendar(calendar: Calendar, step: 1 | -1): Calendar {
  const { view, chosen } = calendar;
  if (view === "month") return { view, chosen: addMonths(chosen, step) };
  return { view, chosen: addDays(chosen, view === "week" ? step * daysInWeek : step) };
}

/** The day of `date` in the reader's time zone. */
export function toLocalDay(date: Date): Day {
  return toDay(new Date(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())));
}

/** The day to which a key moves from `day` in the grid; null for other keys. */
export function getDayByKey(key: string, day: Day): Day | null {
  switch (key) {
    case "ArrowLeft":
      return addDays(day, -1);
    case "ArrowRight":
      return addDays(day, 1);
    case "ArrowUp":
      return addDays(day, -daysInWeek);
    case "ArrowDown":
      return addDays(day, daysInWeek);
    case "Home":
      return startOfWeek(day);
    case "End":
      return addDays(startOfWeek(day), daysInWeek - 1);
    case "PageUp":
      return addMonths(day, -1);
    case "PageDown":
      return addMonths(day, 1);
    default:
      return null;
  }
}

/** A day has no time zone: it is parsed and formatted in UTC. */
function createDayFormatter(options: Intl.DateTimeFormatOptions) {
  const formats: Record<InterfaceLanguage, Intl.DateTimeFormat> = {
    en: new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" }),
    zh: new Intl.DateTimeFormat("zh-CN", { ...options, timeZone: "UTC" }),
  };
  return (day: Day, language: InterfaceLanguage) => formats[language].format(toDate(day));
}

export const formatMonth = createDayFormatter({ year: "numeric", month: "long" });

export const formatLongDay = createDayFormatter({
  year: "numeric",
  month: "long",
  day: "numeric",
  weekday: "long",
});
