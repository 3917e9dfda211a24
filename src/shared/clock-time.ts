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
