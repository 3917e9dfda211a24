/** A day as `yyyy-mm-dd`. */
export type Day = string;

export type CalendarView = "month" | "week" | "day";

export interface Calendar {
  view: CalendarView;
  /** The chosen day; the shown period contains it. */
  chosen: Day;
}

export const daysInGrid = 42;
const daysInWeek = 7;
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

const listDays = (from: Day, count: number): Day[] =>
  Array.from({ length: count }, (_, index) => addDays(from, index));

/** The 42 days of the six weeks, starting on a Sunday, that contain the month of `day`. */
export const listMonthGrid = (day: Day): Day[] =>
  listDays(startOfWeek(`${getMonth(day)}-01`), daysInGrid);

export function listShownDays({ view, chosen }: Calendar): Day[] {
  switch (view) {
    case "month":
      return listMonthGrid(chosen);
    case "week":
      return listDays(startOfWeek(chosen), daysInWeek);
    case "day":
      return [chosen];
    default:
      return view satisfies never;
  }
}

export const splitIntoWeeks = (days: readonly Day[]): Day[][] =>
  Array.from({ length: Math.ceil(days.length / daysInWeek) }, (_, week) =>
    days.slice(week * daysInWeek, (week + 1) * daysInWeek),
  );

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
