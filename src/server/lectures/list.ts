import { and, count, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import * as z from "zod/mini";
import { lectures } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { cursorTimestamp, decodePageCursor, encodePageCursor } from "#server/page-cursor.ts";
import { type LectureListItem, uuid } from "#shared/lecture.ts";
import { listColumns, toListItem } from "./queries.ts";

/** When the last lecture of a page was created, and its id. */
const cursorPosition = z.tuple([cursorTimestamp, uuid]);

export interface LectureFilter {
  /** A folder, null for lectures in none, undefined for all. */
  folderId?: string | null | undefined;
  /** Part of the title, in whatever case. */
  title?: string | undefined;
}

function toFilterCondition({ folderId, title }: LectureFilter): SQL | undefined {
  return and(
    folderId === undefined
      ? undefined
      : folderId === null
        ? isNull(lectures.folderId)
        : eq(lectures.folderId, folderId),
    title ? sql`strpos(lower(${lectures.title}), lower(${title})) > 0` : undefined,
  );
}

/**
 * A page of the user's lectures, newest first, after `cursor`. `total`: how many titles a search has found,
 * which reads them all in any case; null without one, because counting a list takes longer than a page of it.
 *
 * @throws AppError `validation_failed` for a cursor that no page gave.
 */
export async function listLectures(
  db: Database,
  input: LectureFilter & { userId: string; cursor: string | null; limit: number },
): Promise<{ items: LectureListItem[]; nextCursor: string | null; total: number | null }> {
  const { userId, limit } = input;
  const after = input.cursor === null ? null : decodePageCursor(cursorPosition, input.cursor);
  const own = and(
    eq(lectures.userId, userId),
    isNull(lectures.deletedAt),
    toFilterCondition(input),
  );
  const paged = db
    .select(listColumns)
    .from(lectures)
    .where(
      after
        ? and(
            own,
            sql`(${lectures.createdAt}, ${lectures.id}) < (${new Date(after[0]).toISOString()}::timestamptz, ${after[1]}::uuid)`,
          )
        : own,
    )
    // The indexes are declared NULLS LAST; without it here Postgres would sort.
    .orderBy(sql`${desc(lectures.createdAt)} nulls last`, sql`${desc(lectures.id)} nulls last`)
    .limit(limit + 1);
  const counted = db.select({ total: count() }).from(lectures).where(own);
  const [rows, [found]] = input.title ? await db.batch([paged, counted]) : [await paged, []];
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(toListItem),
    nextCursor:
      rows.length > limit && last ? encodePageCursor([last.createdAt.getTime(), last.id]) : null,
    total: found?.total ?? null,
  };
}
