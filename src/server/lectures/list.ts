import { and, count, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { lectures } from "../../../drizzle/schema.ts";
import type { LectureListItem } from "../../shared/lecture.ts";
import type { Database } from "../database.ts";
import { encodeCursor, type LectureCursor } from "./cursor.ts";
import { listColumns, toListItem } from "./queries.ts";

export interface LectureFilter {
  /** A folder, null for lectures in none, undefined for all. */
  folderId?: string | null | undefined;
  /** Part of the title, in whatever case. */
  title?: string | undefined;
}

function matching({ folderId, title }: LectureFilter): SQL | undefined {
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
 */
export async function listLectures(
  db: Database,
  input: LectureFilter & { userId: string; cursor: LectureCursor | null; limit: number },
): Promise<{ items: LectureListItem[]; nextCursor: string | null; total: number | null }> {
  const { userId, cursor, limit } = input;
  const own = and(eq(lectures.userId, userId), isNull(lectures.deletedAt), matching(input));
  const paged = db
    .select(listColumns)
    .from(lectures)
    .where(
      cursor
        ? and(
            own,
            sql`(${lectures.createdAt}, ${lectures.id}) < (${cursor.createdAt.toISOString()}::timestamptz, ${cursor.id}::uuid)`,
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
    nextCursor: rows.length > limit && last ? encodeCursor(last) : null,
    total: found?.total ?? null,
  };
}
