import { and, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import { lectures, readerTranslations, shares } from "#drizzle/schema.ts";
import type { Context } from "#server/context.ts";
import { type Database, toTimestamp } from "#server/database.ts";
import type { ShareChange } from "#server/ports.ts";
import { type BillingMode, selectPlan, toPlan } from "#server/subscriptions/queries.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import type { ShareMode } from "#shared/share.ts";
import { deleteShares } from "./purge.ts";
import { hashSentence, type Sentence } from "./sentence.ts";

/** SQL for the id of the active share of the row of `lectures`, which the statement has found to be the caller's. */
export const selectActiveShareId = sql<string | null>`(
  select shares.id from shares where shares.lecture_id = lectures.id and shares.ended_at is null)`;

/** Shares that are told at once of their end; the objects of more check by themselves. */
export const activeSharesMax = 500;

/** Tells the share's object, if the lecture is shared, after the response. */
export function notifyShare(
  { shareRooms, runInBackground }: Pick<Context, "shareRooms" | "runInBackground">,
  shareId: string | null | undefined,
  change: ShareChange,
): void {
  if (shareId) runInBackground(shareRooms.reportChange(shareId, change));
}

/** The caller's lecture. */
interface OwnLecture {
  userId: string;
  lectureId: string;
}

const { codeHash: _, endedAt: _endedAt, ...columns } = getTableColumns(shares);
export type ShareRow = Omit<typeof shares.$inferSelect, "codeHash" | "endedAt">;

const isActiveShare = ({ userId, lectureId }: OwnLecture) =>
  and(eq(shares.lectureId, lectureId), eq(shares.userId, userId), isNull(shares.endedAt));

/** The active share of the caller's lecture, or null. */
export async function readActiveShare(db: Database, lecture: OwnLecture): Promise<ShareRow | null> {
  const [row] = await db.select(columns).from(shares).where(isActiveShare(lecture));
  return row ?? null;
}

const endShares = (db: Database, which: SQL | undefined, endedAt: Date) =>
  db.update(shares).set({ endedAt }).where(which).returning({ id: shares.id });

/** Ended shares of a user that are kept, so that nobody fills the table by renewing links. */
const endedSharesMax = 100;

/**
 * Shares the caller's lecture; an active share of it ends. The lock serialises concurrent calls, so that the last one
 * wins.
 *
 * @returns the new share, and the ids of those that have ended; null for another user's or a deleted lecture.
 */
export async function replaceShare(
  db: Database,
  share: OwnLecture & {
    codeHash: string;
    mode: ShareMode;
    mayCopy: boolean;
    showsSlides: boolean;
    now: Date;
  },
): Promise<{ created: ShareRow; endedIds: string[] } | null> {
  const { userId, lectureId, codeHash, mode, mayCopy, showsSlides, now } = share;
  const lecture = sql`select id from lectures
    where id = ${lectureId}::uuid and user_id = ${userId}::uuid and deleted_at is null`;
  const [, ended, , [created]] = await db.batch([
    db.execute(sql`${lecture} for no key update`),
    endShares(db, isActiveShare({ userId, lectureId }), now),
    db.execute(
      deleteShares(sql`
        select id, lecture_id from shares where user_id = ${userId}::uuid and ended_at is not null
        order by ended_at desc offset ${endedSharesMax}::int`),
    ),
    db
      .insert(shares)
      .select(
        sql`select gen_random_uuid(), lecture.id, ${userId}::uuid, ${codeHash}::text, ${mode}::share_mode,
          ${mayCopy}::boolean, ${showsSlides}::boolean, ${toTimestamp(now)}, null::timestamptz from (${lecture}) as lecture`,
      )
      .returning(columns),
  ]);
  return created ? { created, endedIds: ended.map(({ id }) => id) } : null;
}

/** Changes the settings of the active share; null if there is none. */
export async function changeShare(
  db: Database,
  lecture: OwnLecture,
  change: { mode?: ShareMode; mayCopy?: boolean; showsSlides?: boolean },
): Promise<ShareRow | null> {
  const [row] = await db
    .update(shares)
    .set(change)
    .where(isActiveShare(lecture))
    .returning(columns);
  return row ?? null;
}

/** Ends the active share of the caller's lecture. Returns its id; null if there is none. */
export async function endShare(
  db: Database,
  { now, ...lecture }: OwnLecture & { now: Date },
): Promise<string | null> {
  const [row] = await endShares(db, isActiveShare(lecture), now);
  return row?.id ?? null;
}

/** Ends the share by its id, which only its object knows. */
export async function endShareById(db: Database, id: string, now: Date): Promise<void> {
  await endShares(db, and(eq(shares.id, id), isNull(shares.endedAt)), now);
}

/** Ids of the user's active shares, at most `activeSharesMax`. */
export async function listActiveShares(db: Database, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: shares.id })
    .from(shares)
    .where(and(eq(shares.userId, userId), isNull(shares.endedAt)))
    .limit(activeSharesMax);
  return rows.map(({ id }) => id);
}

/** What a link leads to: nothing, an ended share, or an active one. */
export async function findShareByCode(
  db: Database,
  codeHash: string,
): Promise<{ id: string; hasEnded: boolean } | null> {
  const [row] = await db
    .select({ id: shares.id, endedAt: shares.endedAt, deletedAt: lectures.deletedAt })
    .from(shares)
    .innerJoin(lectures, eq(lectures.id, shares.lectureId))
    .where(eq(shares.codeHash, codeHash));
  return row ? { id: row.id, hasEnded: row.endedAt !== null || row.deletedAt !== null } : null;
}

/** The share by its id, which only its object knows, with what its owner's plan allows; null if it has ended. */
export async function readShareById(
  db: Database,
  { id, mode, now }: { id: string; mode: BillingMode; now: Date },
) {
  const recordedAt = sql<string | number | null>`(
    select extract(epoch from max(ledger.flushed_at)) * 1000 from usage_ledger ledger
    where ledger.lecture_id = ${shares.lectureId} and ledger.user_id = ${shares.userId}
      and ledger.flushed_at > ${shares.createdAt})`;
  /** Null where readers see none. */
  const slidesVersion = sql<string | null>`case when ${shares.showsSlides} then (
    select nullif(count(*), 0) || '-' || extract(epoch from max(slides.updated_at)) from slides
    where slides.lecture_id = ${shares.lectureId} and slides.user_id = ${shares.userId}
      and full_bytes > 0 and thumbnail_bytes > 0) end`;
  const [found] = await db
    .select({ ...columns, recordedAt, slidesVersion })
    .from(shares)
    .innerJoin(lectures, eq(lectures.id, shares.lectureId))
    .where(
      and(
        eq(shares.id, id),
        eq(lectures.userId, shares.userId),
        isNull(shares.endedAt),
        isNull(lectures.deletedAt),
      ),
    );
  if (!found) return null;
  const plan = toPlan(await selectPlan(db, { userId: found.userId, mode }), { mode, now });
  return {
    ...found,
    readersMax: plan.readersMax,
    languagesMax: plan.readerLanguagesMax,
    /** When the lecture's recording was last charged since it is shared, ms since the epoch; null if never. */
    recordedAt: found.recordedAt === null ? null : Number(found.recordedAt),
  };
}

/** The stored translations of the lecture into `language`, by sentence. */
export async function readShareTranslations(
  db: Database,
  { userId, lectureId }: OwnLecture,
  language: TranslationLanguage,
): Promise<Map<string, string>> {
  const rows = await db
    .select({
      startMs: readerTranslations.startMs,
      originalHash: readerTranslations.originalHash,
      translated: readerTranslations.translated,
    })
    .from(readerTranslations)
    .innerJoin(lectures, eq(lectures.id, readerTranslations.lectureId))
    .where(
      and(
        eq(readerTranslations.lectureId, lectureId),
        eq(readerTranslations.language, language),
        eq(lectures.userId, userId),
        isNull(lectures.deletedAt),
      ),
    );
  return new Map(
    rows.map(({ startMs, originalHash, translated }) => [`${startMs}:${originalHash}`, translated]),
  );
}

/** Stores the translation of a sentence of an active share's lecture; a later one replaces it. */
export async function writeShareTranslation(
  db: Database,
  shareId: string,
  {
    language,
    translated,
    ...sentence
  }: Sentence & { language: TranslationLanguage; translated: string },
): Promise<void> {
  await db.execute(sql`
    insert into reader_translations (lecture_id, language, start_ms, original_hash, translated)
    select lecture_id, ${language}::target_language, ${sentence.startMs}::int,
      ${hashSentence(sentence)}::text, ${translated}::text
    from shares where id = ${shareId}::uuid and ended_at is null
    on conflict (lecture_id, language, start_ms, original_hash)
      do update set translated = excluded.translated`);
}
