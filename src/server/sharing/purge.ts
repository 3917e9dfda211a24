import { sql } from "drizzle-orm";
import { type Database, toTimestamp } from "#server/database.ts";

/** How long a link says that its share has ended; after that it is unknown. */
const endedShareKeptMs = 7 * 86_400_000;
/** Most shares that one run deletes; the next run continues. */
const maxShares = 1_000;

/** Deletes shares that ended long ago, and the readers' translations of lectures without another share. */
export async function purgeShares(db: Database, now: Date) {
  const end = toTimestamp(new Date(now.getTime() - endedShareKeptMs));
  const { rows } = await db.execute<{ shares: number; translations: number }>(sql`
    with gone as (
      select id, lecture_id from shares where ended_at <= ${end} order by ended_at limit ${maxShares}::int
    ), deleted_translations as (
      delete from reader_translations where lecture_id in (
        select lecture_id from gone where not exists (
          select from shares
          where shares.lecture_id = gone.lecture_id and shares.id not in (select id from gone)
        )
      ) returning 1
    ), deleted_shares as (
      delete from shares where id in (select id from gone) returning 1
    )
    select (select count(*)::int from deleted_shares) as shares,
      (select count(*)::int from deleted_translations) as translations`);
  return { shares: rows[0]?.shares ?? 0, translations: rows[0]?.translations ?? 0 };
}
