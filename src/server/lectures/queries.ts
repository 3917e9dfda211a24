import { asc, eq, sql } from "drizzle-orm";
import { lectures, transcriptEntries } from "../../../drizzle/schema.ts";
import { AppError } from "../../shared/errors.ts";
import type { TargetLanguage, TranslationLanguage } from "../../shared/languages.ts";
import type { Lecture, LectureListItem } from "../../shared/lecture.ts";
import type { Database } from "../database.ts";
import { violates } from "../faults.ts";

/** A lecture and who asks for it. Another user's lecture and a deleted one are not there. */
export interface LectureKey {
  userId: string;
  id: string;
}

const alive = ({ userId, id }: LectureKey) =>
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
 * @throws AppError `conflict` when the id is taken by somebody else's or a deleted lecture,
 * `unauthenticated` when the user's account is gone.
 */
export async function createLecture(
  db: Database,
  input: LectureKey & { title: string; targetLanguage: TargetLanguage; now: Date },
): Promise<LectureListItem> {
  const { userId, id, title, targetLanguage, now } = input;
  try {
    const [row] = await db
      .insert(lectures)
      .values({ id, userId, title, targetLanguage, createdAt: now, updatedAt: now })
      // Writing the id over itself makes `returning` answer with the row that was there.
      .onConflictDoUpdate({ target: lectures.id, set: { id }, setWhere: alive({ userId, id }) })
      .returning(listColumns);
    if (!row) throw new AppError("conflict");
    return toListItem(row);
  } catch (error) {
    if (violates(error, "lectures_user_id_users_id_fk"))
      throw new AppError("unauthenticated", { cause: error });
    throw error;
  }
}

/** The lecture as a row of the list, or null. */
export async function readListItem(db: Database, key: LectureKey): Promise<LectureListItem | null> {
  const [row] = await db.select(listColumns).from(lectures).where(alive(key));
  return row ? toListItem(row) : null;
}

/** The lecture with its entries in order, or null. Two statements, one round trip. */
export async function readLecture(db: Database, key: LectureKey): Promise<Lecture | null> {
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
      })
      .from(lectures)
      .where(alive(key)),
    db
      .select({
        english: transcriptEntries.english,
        translated: transcriptEntries.translated,
        // `none` is a language of a lecture, never of a translation.
        translatedInto: sql<TranslationLanguage | null>`nullif(${transcriptEntries.translatedInto}, 'none')`,
        translatedByHand: transcriptEntries.translatedByHand,
        speaker: transcriptEntries.speaker,
        startMs: transcriptEntries.startMs,
        endMs: transcriptEntries.endMs,
        revision: transcriptEntries.revision,
      })
      .from(transcriptEntries)
      .innerJoin(lectures, eq(lectures.id, transcriptEntries.lectureId))
      .where(alive(key))
      .orderBy(asc(transcriptEntries.position)),
  ]);
  return row ? { ...row, ...toListItem(row), entries } : null;
}

/** What of a lecture can be set by itself. */
export type LectureChange = Partial<
  Pick<
    typeof lectures.$inferInsert,
    "title" | "status" | "targetLanguage" | "summary" | "context" | "speakerNames"
  >
>;

/** @throws AppError `not_found` */
export async function changeLecture(
  db: Database,
  key: LectureKey,
  change: LectureChange & { updatedAt: Date },
): Promise<void> {
  const changed = await db
    .update(lectures)
    .set(change)
    .where(alive(key))
    .returning({ id: lectures.id });
  if (changed.length === 0) throw new AppError("not_found");
}
