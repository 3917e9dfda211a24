import { and, count, desc, eq, isNull, sql } from "drizzle-orm";
import { lectures } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { type CursorInput, isOlder, toPage } from "#server/page-cursor.ts";
import type { LectureListItem } from "#shared/lecture.ts";
import { lecturePageSize } from "#shared/limits.ts";
import { listColumns, selectListTitle, toListItem } from "./queries.ts";

/**
 * Lists a page of the user's lectures, newest first.
 *
 * @param folderId null for lectures without a folder, undefined for all.
 * @param title part of what the list shows as the title, case-insensitive.
 * @returns `total`: the number of lectures that match `title`; null without `title`, because counting a list takes
 * longer than reading a page of it.
 * @throws AppError `validation_failed` for an invalid cursor.
 */
export async function listLectures(
  db: Database,
  {
    userId,
    cursor,
    limit = lecturePageSize,
    folderId,
    title,
  }: {
    userId: string;
    cursor?: CursorInput;
    limit?: number | undefined;
    folderId?: string | null | undefined;
    title?: string | undefined;
  },
): Promise<{ items: LectureListItem[]; nextCursor: string | null; total: number | null }> {
  const isAfterCursor = isOlder(cursor, lectures.createdAt, lectures.id);
  const filter = and(
    eq(lectures.userId, userId),
    isNull(lectures.deletedAt),
    folderId === null ? isNull(lectures.folderId) : undefined,
    folderId ? eq(lectures.folderId, folderId) : undefined,
    title ? sql`strpos(lower(${selectListTitle}), lower(${title})) > 0` : undefined,
  );
  const pageQuery = db
    .select(listColumns)
    .from(lectures)
    .where(and(filter, isAfterCursor))
    // The indexes are NULLS LAST. Without it here, Postgres would sort.
    .orderBy(sql`${desc(lectures.createdAt)} nulls last`, sql`${desc(lectures.id)} nulls last`)
    .limit(limit + 1);
  const totalQuery = db.select({ total: count() }).from(lectures).where(filter);
  const [rows, [counts]] = title ? await db.batch([pageQuery, totalQuery]) : [await pageQuery, []];
  const { page, nextCursor } = toPage(rows, limit, ({ createdAt, id }) => [
    createdAt.getTime(),
    id,
  ]);
  return { items: page.map(toListItem), nextCursor, total: counts?.total ?? null };
}
