/** A day as `yyyy-mm-dd`. */
export type Day = string;

export interface Calendar {
  view: "month" | "week" | "day";
  /** The chosen day; the shown period contains it. */
  chosen: Day;
}

const daysInWeek = 7;
const weeksInGrid = 6;
const dayMs = 86_400_000;

export const initialCalendar: Calendar = { view: "month", chosen: "2025-10-15" };

// Days are calculated in UTC, where all have the same length.
export const toDate = (day: Day) => new Date(`${day}T00:00:00Z`);
const toDay = (date: Date): Day => date.toISOString().slice(0, 10);

const addDays = (day: Day, count: number): Day =>
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
export function turnCalendar({ view, chosen }: Calendar, step: 1 | -1): Calendar {
  if (view === "month") return { view, chosen: addMonths(chosen, step) };
  return { view, chosen: addDays(chosen, view === "week" ? step * daysInWeek : step) };
}

/** The day of `date` in the reader's time zone. */
export function toLocalDay(date: Date): Day {
  return toDay(new Date(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())));
}

/** The day to which a key moves from `day` in the grid. */
const daysByKey: Partial<Record<string, (day: Day) => Day>> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -daysInWeek),
  ArrowDown: (day) => addDays(day, daysInWeek),
  Home: startOfWeek,
  End: (day) => addDays(startOfWeek(day), daysInWeek - 1),
  PageUp: (day) => addMonths(day, -1),
  PageDown: (day) => addMonths(day, 1),
};

/** Null for keys that do not move. */
export const getDayByKey = (key: string, day: Day): Day | null => daysByKey[key]?.(day) ?? null;
