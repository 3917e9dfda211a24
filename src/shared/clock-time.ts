const padTwo = (value: number) => String(value).padStart(2, "0");

/** `m:ss`, or `h:mm:ss` from an hour on. */
export function formatClock(totalSeconds: number): string {
  const whole = Math.max(0, Math.floor(totalSeconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const seconds = padTwo(whole % 60);
  return hours > 0 ? `${hours}:${padTwo(minutes)}:${seconds}` : `${minutes}:${seconds}`;
}

/** Seconds of a time as `formatClock` writes it. */
export const parseClock = (time: string): number =>
  time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);

/** Times of rows in a text that a model reads, and in a summary that cites them: `[12:34]`, on the lecture's clock. */
export const formatRowTime = (startMs: number): string => `[${formatClock(startMs / 1_000)}]`;

/** A row's time; its first group is without the brackets. */
export const rowTimePattern = /\[(\d{1,3}(?::\d{2}){1,2})\]/g;

/** False for rows such as those imported from a text file, which have 0 in both. */
export const hasTime = ({ startMs, endMs }: { startMs: number; endMs: number }): boolean =>
  startMs > 0 || endMs > 0;
