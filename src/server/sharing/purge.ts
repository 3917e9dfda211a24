import { type SQL, sql } from "drizzle-orm";
import { type Database, toTimestamp } from "#server/database.ts";

/** How long a link says that its share has ended; after that it is unknown. */
const endedShareKeptMs = 7 * 86_400_000;
/** Most shares that one run deletes; the next run continues. */
const maxShares = 1_000;

/** SQL that deletes the shares `gone`, of which it has `id` and `lecture_id`, and the readers' translations of lectures without another one. */
export const deleteShares = (gone: SQL): SQL => sql`
  with gone as (${gone}), deleted_translations as (
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
    (select count(*)::int from deleted_translations) as translations`;

/** Deletes shares that ended long ago, with what `deleteShares` deletes. */
export async function purgeShares(db: Database, now: Date) {
  const end = toTimestamp(new Date(now.getTime() - endedShareKeptMs));
  const { rows } = await db.execute<{ shares: number; translations: number }>(
    deleteShares(sql`
      select id, lecture_id from shares where ended_at <= ${end} order by ended_at limit ${maxShares}::int`),
  );
  return { shares: rows[0]?.shares ?? 0, translations: rows[0]?.translations ?? 0 };
}
