import { and, count, eq, isNull, sql } from "drizzle-orm";
import * as z from "zod/mini";
import { folders, lectures } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { type CursorInput, decodePageCursor, toPage } from "#server/page-cursor.ts";
import { storedText } from "#shared/fields.ts";
import type { FolderList, FolderPage } from "#shared/folder.ts";
import { compareFolders } from "#shared/folder.ts";
import { uuid } from "#shared/lecture.ts";
import { folderNameMaxLength, folderPageSize, foldersMax } from "#shared/limits.ts";

const isOwnLecture = (userId: string) =>
  and(eq(lectures.userId, userId), isNull(lectures.deletedAt));
const isOwnFolder = (userId: string) => and(eq(folders.userId, userId), isNull(folders.deletedAt));

/** Counts all lectures and those without a folder, each with the smallest index that contains them. */
const selectLectureCounts = (db: Database, userId: string) =>
  db
    .select({
      total: db.$count(lectures, isOwnLecture(userId)),
      uncategorized: db.$count(lectures, and(isOwnLecture(userId), isNull(lectures.folderId))),
    })
    .from(sql`(select) as once`);

const zeroCounts = { total: 0, uncategorized: 0 };

/** Lists the user's whole tree, in no order, with the number of lectures in each folder. One round trip. */
export async function listFolders(db: Database, userId: string): Promise<FolderList> {
  const lectureCounts = db
    .select({ folderId: lectures.folderId, lectures: count().as("lectures") })
    .from(lectures)
    .where(isOwnLecture(userId))
    .groupBy(lectures.folderId)
    .as("lecture_counts");
  const [rows, [counts]] = await db.batch([
    db
      .select({
        id: folders.id,
        name: folders.name,
        parentFolderId: folders.parentFolderId,
        createdAt: folders.createdAt,
        lectures: sql<number>`coalesce(${lectureCounts.lectures}, 0)`.mapWith(Number),
      })
      .from(folders)
      .leftJoin(lectureCounts, eq(lectureCounts.folderId, folders.id))
      .where(isOwnFolder(userId))
      .limit(foldersMax),
    selectLectureCounts(db, userId),
  ]);
  return {
    folders: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })),
    ...(counts ?? zeroCounts),
  };
}

const cursorPosition = z.tuple([storedText(folderNameMaxLength), uuid]);

/**
 * Lists a page of the user's folders by name, at any depth. With `name`, only those whose name contains it,
 * case-insensitive. Sorted here, because not every database sorts Chinese by pinyin.
 *
 * @throws AppError `validation_failed` for an invalid cursor.
 */
export async function listFolderChips(
  db: Database,
  input: { userId: string; cursor?: CursorInput; name?: string | undefined },
): Promise<FolderPage> {
  const { userId, name = "" } = input;
  const after = decodePageCursor(cursorPosition, input.cursor);
  const list = await listFolders(db, userId);
  const rows = list.folders
    .filter((folder) => folder.name.toLowerCase().includes(name.toLowerCase()))
    .filter((folder) => !after || compareFolders({ name: after[0], id: after[1] }, folder) < 0)
    .sort(compareFolders);
  const { page, nextCursor } = toPage(rows, folderPageSize, (last) => [last.name, last.id]);
  return {
    ...list,
    folders: page.map(({ id, name, lectures }) => ({ id, name, lectures })),
    nextCursor,
  };
}
