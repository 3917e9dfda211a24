/** The day that was asked for last: it is asked for with every chunk. */
let cachedDay = { from: 0, to: 0, day: "", month: "" };

/**
 * What an allowance is counted by, as its first day, `YYYY-MM-DD`: the calendar month (UTC) of `now`
 * for a user, the day (UTC) for a guest.
 */
export function getPeriod(now: number, payer: { userId: string | null }): string {
  if (now < cachedDay.from || now >= cachedDay.to) {
    const date = new Date(now);
    const from = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
    const day = date.toISOString().slice(0, 10);
    cachedDay = { from, to: from + 86_400_000, day, month: `${day.slice(0, 7)}-01` };
  }
  return payer.userId === null ? cachedDay.day : cachedDay.month;
}
