/** The day that was asked for last: it is asked for with every chunk. */
let latest = { from: 0, to: 0, day: "", month: "" };

/**
 * What an allowance is counted by, as its first day, `YYYY-MM-DD`: the calendar month (UTC) of `now`
 * for a user, the day (UTC) for a guest.
 */
export function periodOf(now: number, payer: { userId: string | null }): string {
  if (now < latest.from || now >= latest.to) {
    const date = new Date(now);
    const from = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
    const day = date.toISOString().slice(0, 10);
    latest = { from, to: from + 86_400_000, day, month: `${day.slice(0, 7)}-01` };
  }
  return payer.userId === null ? latest.day : latest.month;
}
