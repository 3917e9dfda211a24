/** A day as `yyyy-mm-dd`. Days are calculated in UTC, where all have the same length. */
export type Day = string;
export type CalendarView = "month" | "week" | "day";

export const toDate = (day: Day) => new Date(`${day}T00:00:00Z`);
const toDay = (date: Date): Day => date.toISOString().slice(0, 10);

const addDays = (day: Day, count: number): Day =>
  toDay(new Date(toDate(day).getTime() + count * 86_400_000));

/** 0 for Sunday to 6 for Saturday. */
export const getWeekday = (day: Day): number => toDate(day).getUTCDay();

/** `yyyy-mm`. */
export const getMonth = (day: Day): string => day.slice(0, 7);

/** The same day of another month, or that month's last day where it is shorter. */
function addMonths(day: Day, count: number): Day {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const lastDate = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  return toDay(new Date(Date.UTC(year, month - 1 + count, Math.min(date, lastDate))));
}

/** The weeks of the grid, each from Sunday on: six that contain the chosen month, or the chosen one. */
export function listWeeks(view: "month" | "week", chosen: Day): Day[][] {
  const first = view === "month" ? `${getMonth(chosen)}-01` : chosen;
  return Array.from({ length: view === "month" ? 6 : 1 }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => addDays(first, week * 7 + day - getWeekday(first))),
  );
}

/** The day that is chosen in the next (1) or previous (-1) month, week or day. */
export function turnPage(view: CalendarView, chosen: Day, step: 1 | -1): Day {
  if (view === "month") return addMonths(chosen, step);
  return addDays(chosen, view === "week" ? step * 7 : step);
}

/** The day of `date` in the reader's time zone. */
export const toLocalDay = (date: Date): Day =>
  toDay(new Date(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())));
