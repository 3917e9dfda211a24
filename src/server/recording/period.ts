/**
 * First day, as `YYYY-MM-DD`, of the allowance's period at `now`: the calendar month (UTC) for a user, the
 * day (UTC) for a guest.
 */
export function getPeriod(now: number, payer: { userId: string | null }): string {
  const date = new Date(now).toISOString();
  return payer.userId === null ? date.slice(0, 10) : `${date.slice(0, 7)}-01`;
}
