const day = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", year: "numeric" });
const clock = new Intl.DateTimeFormat("en-US", { hour: "numeric", minute: "2-digit" });

/** `MMM d, yyyy` in US English, whatever the interface's language. `iso` is an ISO 8601 moment. */
export const formatDay = (iso: string): string => day.format(new Date(iso));

/** `h:mm a` in US English. Some engines put a narrow no-break space before AM. */
export const formatTime = (iso: string): string =>
  clock.format(new Date(iso)).replaceAll("\u202f", " ");

const padTwo = (value: number) => String(value).padStart(2, "0");

/** `m:ss`, or `h:mm:ss` from an hour on. */
export function formatClock(totalSeconds: number): string {
  const whole = Math.max(0, Math.floor(totalSeconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const seconds = padTwo(whole % 60);
  return hours > 0 ? `${hours}:${padTwo(minutes)}:${seconds}` : `${minutes}:${seconds}`;
}

/** Whole hours and minutes of a duration in seconds; the rest of a minute is dropped. */
export function toHoursAndMinutes(totalSeconds: number): { hours: number; minutes: number } {
  const minutes = Math.floor(Math.max(0, totalSeconds) / 60);
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
}

/** What is left of an allowance in minutes, rounded up. Null from 2 h on, where it is shown in hours. */
export function getMinutesLeft(usedSeconds: number, limitSeconds: number): number | null {
  const left = limitSeconds - usedSeconds;
  return left < 7_200 ? Math.max(0, Math.ceil(left / 60)) : null;
}
