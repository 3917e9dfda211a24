/** Cached because the period is needed for every chunk. */
let cachedDay = { from: 0, to: 0, day: "", month: "" };

/**
 * First day, as `YYYY-MM-DD`, of the allowance's period at `now`: the calendar month (UTC) for a user, the
 * day (UTC) for a guest.
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
