import {
  and,
  asc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  ne,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { deletions, lectures, transcriptEntries, userStorage } from "#drizzle/schema.ts";
import type { Context } from "#server/context.ts";
import { type Database, lockLibrary } from "#server/database.ts";
import { mayRead, selectAccess, selectAudience, selectAuthor } from "#server/people/access.ts";
import { selectActiveShareId } from "#server/sharing/queries.ts";
import type { SessionUser } from "#shared/account.ts";
import type { ActionItem } from "#shared/action-item.ts";
import { AppError } from "#shared/errors.ts";
import type { SourceLanguage, TargetLanguage, TranslationLanguage } from "#shared/languages.ts";
import type {
  LectureListItem,
  LecturePage,
  StoredLectureName,
  TitleSource,
} from "#shared/lecture.ts";
import { autoTitleLength, excerptLength } from "#shared/limits.ts";
import { translationFailed } from "#shared/words.ts";
import { accountLecturesMax, countItemBytes, hasCapacityFor, rowOverheadBytes } from "./storage.ts";

/** A lecture and the user who calls. Other users' lectures and deleted ones are not found. */
export interface LectureKey {
  userId: string;
  id: string;
}

/**
 * Tells open tabs, after the answer, that rows, details or marks of a lecture have changed: the caller's, and those of
 * `audience` (`selectAudience`).
 */
export function reportLectureChange(
  ctx: Pick<Context, "pageId" | "userEvents" | "runInBackground"> & { user: SessionUser },
  lectureId: string,
  audience: readonly string[] | null = null,
): void {
  const { pageId } = ctx;
  for (const userId of new Set([ctx.user.id, ...(audience ?? [])]))
    ctx.runInBackground(ctx.userEvents.reportLectureChange(userId, { lectureId, pageId }));
}

export const isOwnLecture = ({ userId, id }: LectureKey) =>
  sql`(${lectures.id} = ${id} and ${lectures.userId} = ${userId} and ${lectures.deletedAt} is null)`;

/** The same for a lecture that the caller may read: theirs, or one that is shared with them by name. */
const isReadable = ({ userId, id }: LectureKey) =>
  sql`(${lectures.id} = ${id} and ${lectures.deletedAt} is null and ${mayRead(userId)})`;

export const listColumns = {
  id: lectures.id,
  title: lectures.title,
  titleSource: lectures.titleSource,
  status: lectures.status,
  folderId: lectures.folderId,
  createdAt: lectures.createdAt,
  updatedAt: lectures.updatedAt,
  excerpt: lectures.excerpt,
  translatedExcerpt: lectures.translatedExcerpt,
  sourceLanguage: lectures.sourceLanguage,
  targetLanguage: lectures.targetLanguage,
  isTwoWay: lectures.isTwoWay,
  usedTime: lectures.usedTime,
  hasDemoText: lectures.hasDemoText,
};

type ListRow = Pick<typeof lectures.$inferSelect, keyof LectureListItem>;

export function toListItem(row: ListRow): LectureListItem {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/**
 * Creates a draft. A repeated call returns the lecture as it is now.
 *
 * @throws AppError `conflict` if the id belongs to another user's or a deleted lecture, `account_full` if the user
 * has too many lectures.
 */
export async function createLecture(
  db: Database,
  input: LectureKey & {
    title: string;
    titleSource?: TitleSource;
    sourceLanguage?: SourceLanguage;
    targetLanguage: TargetLanguage;
    isTwoWay?: boolean;
    /** One that the user does not have, or has in the trash, is none. */
    folderId?: string;
    hasDemoText?: boolean;
    /** ISO 8601; one that is still to come counts as now. */
    recordedAt?: string;
    now: Date;
  },
): Promise<LectureListItem> {
  const { userId, id, title, titleSource, folderId, hasDemoText, recordedAt, now } = input;
  const { sourceLanguage, targetLanguage, isTwoWay } = input;
  const [storage] = await db
    .select({ lectures: userStorage.lectures })
    .from(userStorage)
    .where(eq(userStorage.userId, userId));
  if (storage && storage.lectures >= accountLecturesMax) {
    const item = await readListItem(db, { userId, id });
    if (!item) throw new AppError("account_full");
    return item;
  }
  const insert = db
    .insert(lectures)
    .values({
      id,
      userId,
      title,
      titleSource,
      hasDemoText,
      sourceLanguage,
      targetLanguage,
      isTwoWay,
      ...(folderId !== undefined && { folderId: selectOwnFolder({ userId, folderId }) }),
      createdAt: new Date(Math.min(Date.parse(recordedAt ?? now.toISOString()), now.getTime())),
      updatedAt: now,
    })
    // Setting the id to itself makes `returning` return the existing row.
    .onConflictDoUpdate({
      target: lectures.id,
      set: { id, ...(hasDemoText && { hasDemoText }) },
      setWhere: isOwnLecture({ userId, id }),
    })
    .returning(listColumns);
  // The folder must not be deleted between the check and the insert.
  const [, [row]] =
    folderId === undefined
      ? [null, await insert]
      : await db.batch([db.execute(lockLibrary(userId)), insert]);
  if (!row) throw new AppError("conflict");
  return toListItem(row);
}

/** SQL for the id of a folder that the user has and that is not in the trash; null without it. */
const selectOwnFolder = ({ userId, folderId }: { userId: string; folderId: string }): SQL =>
  sql`(select id from folders
    where id = ${folderId}::uuid and user_id = ${userId}::uuid and deleted_at is null)`;

/** The lecture as a row of the list, or null. */
export async function readListItem(db: Database, key: LectureKey): Promise<LectureListItem | null> {
  const [row] = await db.select(listColumns).from(lectures).where(isOwnLecture(key));
  return row ? toListItem(row) : null;
}

/** Names of those of `ids` that exist, also in the trash, without those that are restored from a backup just now. */
export async function readLectureNames(
  db: Database,
  { userId, ids, now }: { userId: string; ids: readonly string[]; now: Date },
): Promise<StoredLectureName[]> {
  return db
    .select({
      id: lectures.id,
      title: sql<string>`${selectListTitle}`,
      isDeleted: sql<boolean>`${lectures.deletedAt} is not null`,
    })
    .from(lectures)
    .leftJoin(deletions, eq(deletions.id, lectures.deletionId))
    .where(
      and(
        mayRead(userId),
        inArray(lectures.id, [...ids]),
        or(
          isNull(lectures.deletedAt),
          and(gt(deletions.expiresAt, now), ne(lectures.deletionId, lectures.id)),
        ),
      ),
    );
}

/** Length of a list's texts: one character more than is displayed, so that the page knows whether more follows. */
export const maxExcerptLength = excerptLength + 1;
/** Rows that are enough for a translated excerpt, unless they are single words. */
const excerptRows = 20;

/**
 * SQL for the first `count` rows of `lectures`, in no order. They are chosen by their ordinals, so one that was recorded late
 * by another device may be missing.
 */
export const selectFirstRows = (count: number): SQL => sql`(
  select * from transcript_entries where lecture_id = lectures.id order by position limit ${count}::int
) as entry`;

/** SQL for the beginning of the translation into `language`, from the rows of `lectures`. */
export const selectTranslatedExcerpt = (language: SQL | TargetLanguage): SQL =>
  sql`coalesce((
    select left(string_agg(translated, ' ' order by start_ms, position), ${maxExcerptLength}::int)
    from ${selectFirstRows(excerptRows)}
    where coalesce(translated_into, lectures.target_language) = ${language}
      and translated not in ('', ${translationFailed})
  ), '')`;

/**
 * SQL for what lists call a lecture, from the row of `lectures`: its title, or the beginning of its text in place of a
 * date. `getListTitle` in src/client/state/library/list-texts.ts is the same.
 */
export const selectListTitle = sql`case
  when title_source <> 'date' or btrim(preview) = '' then title
  when char_length(btrim(preview)) <= ${sql.raw(String(autoTitleLength))} then btrim(preview)
  else regexp_replace(left(btrim(preview), ${sql.raw(String(autoTitleLength))}), '\\s+\\S*$', '') || '…' end`;

const maxPageRows = 4_000;

/** Of what has changed after a `seq`: none, and all rows are meant, if deletions since then may be forgotten. */
const hasAllSince = (since: number): SQL =>
  sql`${since} > 0 and ${since} >= ${lectures.forgottenSeq}`;

/**
 * Reads a page of the lecture, which may be another person's (`access`): its details, and its entries with ordinals
 * from `from` on, in order. A page ends after `maxRows` rows (4,000), or with the row by which its texts reach
 * `maxBytes` bytes of UTF-8. Rows that exist when the first page is read are in exactly one page. `since`: only rows
 * that were written after that `seq` of the lecture, and what was deleted after it. One round trip.
 */
export async function readLecture(
  db: Database,
  {
    from,
    maxBytes,
    maxRows = maxPageRows,
    since = 0,
    hasRevisions = false,
    ...key
  }: LectureKey & {
    from: number;
    maxBytes: number;
    maxRows?: number;
    since?: number | undefined;
    /** For pages of the version before; see former-rows.ts. */
    hasRevisions?: boolean;
  },
): Promise<LecturePage | null> {
  const {
    lectureId: _,
    revision,
    editedBy: _editor,
    ...columns
  } = getTableColumns(transcriptEntries);
  const bytes = sql`(octet_length(${transcriptEntries.original})
    + octet_length(${transcriptEntries.translated})
    + coalesce(octet_length(${transcriptEntries.formulas}::text), 0) + ${rowOverheadBytes}::int)`;
  const rows = db
    .select({
      ...columns,
      ...(hasRevisions && { revision }),
      // `none` is a language of a lecture, never of a translation.
      translatedInto:
        sql<TranslationLanguage | null>`nullif(${transcriptEntries.translatedInto}, 'none')`.as(
          "into_language",
        ),
      author: selectAuthor("transcript_entries", {
        ownerId: sql`lectures.user_id`,
        viewerId: key.userId,
        isWritten: sql`(original_by_hand or translated_by_hand)`,
      }).as("author"),
      /** Bytes of the page's rows before this one. */
      bytesBefore: sql<number>`sum(${bytes}) over (
        order by ${transcriptEntries.ordinal} rows unbounded preceding) - ${bytes}`.as(
        "bytes_before",
      ),
    })
    .from(transcriptEntries)
    .innerJoin(lectures, eq(lectures.id, transcriptEntries.lectureId))
    .where(
      and(
        isReadable(key),
        gte(transcriptEntries.ordinal, from),
        since > 0
          ? or(gt(transcriptEntries.seq, since), gt(lectures.forgottenSeq, since))
          : undefined,
      ),
    )
    .orderBy(asc(transcriptEntries.ordinal))
    .limit(maxRows)
    .as("entry_rows");
  const [[row], entries] = await db.batch([
    db
      .select({
        ...listColumns,
        summary: lectures.summary,
        context: lectures.context,
        speakerNames: lectures.speakerNames,
        actionItems: lectures.actionItems,
        originalText: lectures.originalText,
        translatedText: lectures.translatedText,
        seq: lectures.seq,
        access: selectAccess(key.userId),
        // Read before the entries, so that a row inserted in between adds no further page.
        lastOrdinal: sql<number | null>`(
          select max(position) from transcript_entries where lecture_id = lectures.id)`,
        deletedIds: sql<string[] | null>`case when ${hasAllSince(since)} then coalesce((
          select json_agg(id) from deleted_entries where lecture_id = lectures.id and seq > ${since}), '[]') end`,
      })
      .from(lectures)
      .where(isReadable(key)),
    db.select().from(rows).where(lt(rows.bytesBefore, maxBytes)).orderBy(asc(rows.ordinal)),
  ]);
  if (!row) return null;
  const { lastOrdinal, deletedIds, access, ...lecture } = row;
  const last = entries.at(-1)?.ordinal ?? null;
  return {
    ...lecture,
    ...toListItem(lecture),
    ...(access && { access, ...ownersAlone }),
    entries: entries
      .map(({ bytesBefore: _bytes, formulas, author, ...entry }) => ({
        ...entry,
        ...(formulas && { formulas }),
        ...(author !== null && { author }),
      }))
      .sort((a, b) => a.startMs - b.startMs || a.ordinal - b.ordinal),
    nextCursor: last !== null && lastOrdinal !== null && last < lastOrdinal ? last + 1 : null,
    ...(deletedIds !== null && { deletedIds }),
  };
}

/** In place of what other people do not get. */
const ownersAlone = { summary: null, context: null, actionItems: [], folderId: null };

export type LectureChange = Partial<
  Pick<
    typeof lectures.$inferInsert,
    | "titleSource"
    | "status"
    | "folderId"
    | "sourceLanguage"
    | "targetLanguage"
    | "isTwoWay"
    | "summary"
    | "context"
    | "speakerNames"
    | "actionItems"
    | "hasDemoText"
  >
> & { title?: string | SQL };

/** SQL for the title that a person has given; else `title`. */
export const selectPersonsTitle = (title: string): SQL =>
  sql`case when ${lectures.titleSource} = 'person' then ${lectures.title} else ${title} end`;

/** SQL for the bytes that other action items add. */
export const measureItemGrowth = (items: readonly ActionItem[]): SQL =>
  sql`(${countItemBytes(sql`${JSON.stringify(items)}::jsonb`)} - ${countItemBytes(sql`${lectures.actionItems}`)})`;

/** SQL for the bytes that `change` adds; null if it changes no long text. */
function measureGrowth({ summary, context, speakerNames, actionItems }: LectureChange): SQL | null {
  const texts = [
    { text: summary, column: lectures.summary },
    { text: context, column: lectures.context },
    { text: speakerNames && JSON.stringify(speakerNames), column: lectures.speakerNames },
  ];
  const growths = texts
    .filter(({ text }) => text !== undefined)
    .map(({ text, column }) => {
      const bytes = new TextEncoder().encode(text ?? "").byteLength;
      return sql`${bytes}::bigint - coalesce(octet_length(${column}::text), 0)`;
    });
  if (actionItems) growths.push(measureItemGrowth(actionItems));
  return growths.length === 0 ? null : sql`(${sql.join(growths, sql` + `)})`;
}

/** SQL for whether the user has the folder; null if the lecture is not moved into one. */
const hasFolder = (userId: string, { folderId }: LectureChange): SQL | null =>
  folderId == null
    ? null
    : sql`exists (select from folders
        where id = ${folderId}::uuid and user_id = ${userId}::uuid and deleted_at is null)`;

/**
 * Changes all of `change` or nothing. Returns the lecture's title, the id of its active share, or null, and its audience.
 *
 * @throws AppError `not_found`, `conflict` if the user has no such folder, `account_full` if the change adds text and
 * the user's storage is full.
 */
export async function changeLecture(
  db: Database,
  key: LectureKey,
  change: LectureChange & { updatedAt: Date },
): Promise<{ title: string; shareId: string | null; audience: string[] | null }> {
  const growth = measureGrowth(change);
  const isInFolder = hasFolder(key.userId, change);
  const { targetLanguage, actionItems } = change;
  const update = db
    .update(lectures)
    .set({
      ...change,
      ...(targetLanguage && { translatedExcerpt: selectTranslatedExcerpt(targetLanguage) }),
      ...(actionItems && {
        entryBytes: sql`${lectures.entryBytes} + ${measureItemGrowth(actionItems)}`,
      }),
    })
    .where(
      and(
        isOwnLecture(key),
        growth ? sql`(${growth} <= 0 or ${hasCapacityFor(key.userId, growth)})` : undefined,
        isInFolder ?? undefined,
      ),
    )
    .returning({
      title: lectures.title,
      shareId: selectActiveShareId,
      audience: selectAudience(sql`lectures.id`, sql`lectures.user_id`),
    });
  // The folder must not be deleted between the check and the update.
  const [, rows] = isInFolder
    ? await db.batch([db.execute(lockLibrary(key.userId)), update])
    : [null, await update];
  const [row] = rows;
  if (row) return row;
  if (!(growth || isInFolder) || !(await readListItem(db, key))) throw new AppError("not_found");
  throw new AppError(isInFolder ? "conflict" : "account_full");
}

/** Gives a lecture whose title is only a date the title of the model. Null if it has not taken it over. */
export async function proposeTitle(
  db: Database,
  key: LectureKey,
  { title, now }: { title: string; now: Date },
): Promise<{ shareId: string | null } | null> {
  const [row] = await db
    .update(lectures)
    .set({ title, titleSource: "proposed", updatedAt: now })
    .where(and(isOwnLecture(key), eq(lectures.titleSource, "date")))
    .returning({ shareId: selectActiveShareId });
  return row ?? null;
}
