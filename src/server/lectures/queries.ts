import { and, asc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { lectures, transcriptEntries, userStorage } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { AppError } from "#shared/errors.ts";
import type { TargetLanguage, TranslationLanguage } from "#shared/languages.ts";
import type { Lecture, LectureListItem } from "#shared/lecture.ts";
import { accountLecturesMax, hasCapacityFor, rowOverheadBytes } from "./storage.ts";

/** A lecture and who asks for it. Another user's lecture and a deleted one are not there. */
export interface LectureKey {
  userId: string;
  id: string;
}

const isOwnLecture = ({ userId, id }: LectureKey) =>
  sql`(${lectures.id} = ${id} and ${lectures.userId} = ${userId} and ${lectures.deletedAt} is null)`;

export const listColumns = {
  id: lectures.id,
  title: lectures.title,
  status: lectures.status,
  folderId: lectures.folderId,
  createdAt: lectures.createdAt,
  updatedAt: lectures.updatedAt,
  preview: lectures.preview,
  usedTime: lectures.usedTime,
};

type ListRow = Omit<LectureListItem, "createdAt" | "updatedAt"> & {
  createdAt: Date;
  updatedAt: Date;
};

export function toListItem(row: ListRow): LectureListItem {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/**
 * Makes a draft. The same call again answers with the lecture as it is by now.
 *
 * @throws AppError `conflict` when the id is taken by somebody else's or a deleted lecture, `account_full`
 * for one lecture too many.
 */
export async function createLecture(
  db: Database,
  input: LectureKey & { title: string; targetLanguage: TargetLanguage; now: Date },
): Promise<LectureListItem> {
  const { userId, id, title, targetLanguage, now } = input;
  const [storage] = await db
    .select({ lectures: userStorage.lectures })
    .from(userStorage)
    .where(eq(userStorage.userId, userId));
  if (storage && storage.lectures >= accountLecturesMax) {
    const known = await readListItem(db, { userId, id });
    if (!known) throw new AppError("account_full");
    return known;
  }
  const [row] = await db
    .insert(lectures)
    .values({ id, userId, title, targetLanguage, createdAt: now, updatedAt: now })
    // Writing the id over itself makes `returning` answer with the row that was there.
    .onConflictDoUpdate({
      target: lectures.id,
      set: { id },
      setWhere: isOwnLecture({ userId, id }),
    })
    .returning(listColumns);
  if (!row) throw new AppError("conflict");
  return toListItem(row);
}

/** The lecture as a row of the list, or null. */
export async function readListItem(db: Database, key: LectureKey): Promise<LectureListItem | null> {
  const [row] = await db.select(listColumns).from(lectures).where(isOwnLecture(key));
  return row ? toListItem(row) : null;
}

/** Rows in one page of a lecture at most. */
const maxPageRows = 4_000;

/** A lecture with those of its entries that one answer carries. */
export interface LecturePart extends Lecture {
  /** Where the next part begins; null where this is the last one. */
  nextPosition: number | null;
}

/**
 * The lecture with its entries from position `from` on, in order, or null. A part ends after 4,000 rows, or
 * with the row by which its texts reach `maxBytes` bytes of UTF-8.
 * Rows that are there when the first part is read are in exactly one part. Two statements, one round trip.
 */
export async function readLecture(
  db: Database,
  { from, maxBytes, ...key }: LectureKey & { from: number; maxBytes: number },
): Promise<LecturePart | null> {
  const bytes = sql`(octet_length(${transcriptEntries.english})
    + octet_length(${transcriptEntries.translated}) + ${rowOverheadBytes}::int)`;
  const measured = db
    .select({
      position: transcriptEntries.position,
      english: transcriptEntries.english,
      translated: transcriptEntries.translated,
      // `none` is a language of a lecture, never of a translation.
      translatedInto:
        sql<TranslationLanguage | null>`nullif(${transcriptEntries.translatedInto}, 'none')`.as(
          "into_language",
        ),
      translatedByHand: transcriptEntries.translatedByHand,
      speaker: transcriptEntries.speaker,
      startMs: transcriptEntries.startMs,
      endMs: transcriptEntries.endMs,
      revision: transcriptEntries.revision,
      /** Of the rows before this one. */
      bytesBefore: sql<number>`sum(${bytes}) over (
        order by ${transcriptEntries.position} rows unbounded preceding) - ${bytes}`.as(
        "bytes_before",
      ),
    })
    .from(transcriptEntries)
    .innerJoin(lectures, eq(lectures.id, transcriptEntries.lectureId))
    .where(and(isOwnLecture(key), gte(transcriptEntries.position, from)))
    .orderBy(asc(transcriptEntries.position))
    .limit(maxPageRows)
    .as("measured");
  const [[row], entries] = await db.batch([
    db
      .select({
        ...listColumns,
        targetLanguage: lectures.targetLanguage,
        summary: lectures.summary,
        context: lectures.context,
        speakerNames: lectures.speakerNames,
        originalText: lectures.originalText,
        translatedText: lectures.translatedText,
        // Read before the entries: a row that is added in between is in them, or behind them for good.
        lastPosition: sql<number | null>`(
          select max(position) from transcript_entries where lecture_id = lectures.id)`,
      })
      .from(lectures)
      .where(isOwnLecture(key)),
    db
      .select({
        position: measured.position,
        english: measured.english,
        translated: measured.translated,
        translatedInto: measured.translatedInto,
        translatedByHand: measured.translatedByHand,
        speaker: measured.speaker,
        startMs: measured.startMs,
        endMs: measured.endMs,
        revision: measured.revision,
      })
      .from(measured)
      .where(lt(measured.bytesBefore, maxBytes))
      .orderBy(asc(measured.position)),
  ]);
  if (!row) return null;
  const { lastPosition, ...lecture } = row;
  const last = entries.at(-1)?.position ?? null;
  return {
    ...lecture,
    ...toListItem(lecture),
    entries: entries.map(({ position: _, ...entry }) => entry),
    nextPosition: last !== null && lastPosition !== null && last < lastPosition ? last + 1 : null,
  };
}

/** What of a lecture can be set by itself. */
export type LectureChange = Partial<
  Pick<
    typeof lectures.$inferInsert,
    "title" | "status" | "targetLanguage" | "summary" | "context" | "speakerNames"
  >
>;

/** How many bytes `change` adds, as SQL; null where it touches nothing that may be long. */
function measureGrowth({ summary, context, speakerNames }: LectureChange): SQL | null {
  const size = (text: string | null) => new TextEncoder().encode(text ?? "").byteLength;
  const grown: SQL[] = [];
  if (summary !== undefined)
    grown.push(sql`${size(summary)}::bigint - coalesce(octet_length(${lectures.summary}), 0)`);
  if (context !== undefined)
    grown.push(sql`${size(context)}::bigint - coalesce(octet_length(${lectures.context}), 0)`);
  if (speakerNames !== undefined)
    grown.push(
      sql`${size(JSON.stringify(speakerNames))}::bigint - octet_length(${lectures.speakerNames}::text)`,
    );
  return grown.length === 0 ? null : sql`(${sql.join(grown, sql` + `)})`;
}

/** @throws AppError `not_found`, `account_full` for a change that adds text where no more is allowed. */
export async function changeLecture(
  db: Database,
  key: LectureKey,
  change: LectureChange & { updatedAt: Date },
): Promise<void> {
  const growth = measureGrowth(change);
  const changed = await db
    .update(lectures)
    .set(change)
    .where(
      and(
        isOwnLecture(key),
        growth ? sql`(${growth} <= 0 or ${hasCapacityFor(key.userId, growth)})` : undefined,
      ),
    )
    .returning({ id: lectures.id });
  if (changed.length > 0) return;
  throw new AppError(growth && (await readListItem(db, key)) ? "account_full" : "not_found");
}
