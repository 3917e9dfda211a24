import { and, asc, count, eq, isNull, sql } from "drizzle-orm";
import * as z from "zod/mini";
import { folders, lectures } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { decodePageCursor, encodePageCursor } from "#server/page-cursor.ts";
import type { FolderList, FolderPage } from "#shared/folder.ts";
import { uuid } from "#shared/lecture.ts";
import { folderNameMaxLength, folderPageSize, foldersMax } from "#shared/limits.ts";
import { storedText } from "#shared/stored-text.ts";

const isOwnLecture = (userId: string) =>
  and(eq(lectures.userId, userId), isNull(lectures.deletedAt));
const isOwnFolder = (userId: string) => and(eq(folders.userId, userId), isNull(folders.deletedAt));

/** All lectures and those in no folder. Counted apart, each along the narrowest index that has them. */
const selectLectureCounts = (db: Database, userId: string) =>
  db
    .select({
      total: db.$count(lectures, isOwnLecture(userId)),
      uncategorized: db.$count(lectures, and(isOwnLecture(userId), isNull(lectures.folderId))),
    })
    .from(sql`(select) as once`);

const zeroCounts = { total: 0, uncategorized: 0 };

/** The user's whole tree by name, with the lectures in each folder counted. One round trip. */
export async function listFolders(db: Database, userId: string): Promise<FolderList> {
  const counted = db
    .select({ folderId: lectures.folderId, lectures: count().as("lectures") })
    .from(lectures)
    .where(isOwnLecture(userId))
    .groupBy(lectures.folderId)
    .as("counted");
  const [rows, [counts]] = await db.batch([
    db
      .select({
        id: folders.id,
        name: folders.name,
        parentFolderId: folders.parentFolderId,
        createdAt: folders.createdAt,
        lectures: sql<number>`coalesce(${counted.lectures}, 0)`.mapWith(Number),
      })
      .from(folders)
      .leftJoin(counted, eq(counted.folderId, folders.id))
      .where(isOwnFolder(userId))
      .orderBy(asc(folders.name), asc(folders.id))
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
 * A page of the user's folders by name, whatever their depth; with `name`, those whose name contains it
 * in whatever case.
 *
 * @throws AppError `validation_failed` for a cursor that is none.
 */
export async function listFolderChips(
  db: Database,
  input: { userId: string; cursor: string | null; name: string | null },
): Promise<FolderPage> {
  const { userId, cursor, name } = input;
  const after = cursor === null ? null : decodePageCursor(cursorPosition, cursor);
  const [rows, [counts]] = await db.batch([
    db
      .select({
        id: folders.id,
        name: folders.name,
        // Names in full: the columns of a select from one table are written without it.
        lectures: sql<number>`(
          select count(*) from lectures
          where lectures.user_id = ${userId}::uuid and lectures.folder_id = folders.id
            and lectures.deleted_at is null
        )`.mapWith(Number),
      })
      .from(folders)
      .where(
        and(
          isOwnFolder(userId),
          after
            ? sql`(${folders.name}, ${folders.id}) > (${after[0]}, ${after[1]}::uuid)`
            : undefined,
          name === null ? undefined : sql`strpos(lower(${folders.name}), lower(${name})) > 0`,
        ),
      )
      .orderBy(asc(folders.name), asc(folders.id))
      .limit(folderPageSize + 1),
    selectLectureCounts(db, userId),
  ]);
  const page = rows.slice(0, folderPageSize);
  const last = page.at(-1);
  return {
    folders: page,
    nextCursor:
      rows.length > folderPageSize && last ? encodePageCursor([last.name, last.id]) : null,
    ...(counts ?? zeroCounts),
  };
}
