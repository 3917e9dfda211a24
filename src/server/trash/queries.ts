import { and, eq, gt, sql } from "drizzle-orm";
import * as z from "zod/mini";
import { deletions } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { lockLibrary } from "#server/library-lock.ts";
import { cursorTimestamp, decodePageCursor, encodePageCursor } from "#server/page-cursor.ts";
import { AppError } from "#shared/errors.ts";
import { uuid } from "#shared/lecture.ts";
import { foldersMax, trashPageSize } from "#shared/limits.ts";
import type { TrashItem } from "#shared/trash.ts";

const cursorPosition = z.tuple([cursorTimestamp, uuid]);

/**
 * A page of items that can be restored, newest first.
 *
 * @throws AppError `validation_failed` for a cursor that is none.
 */
export async function listTrash(
  db: Database,
  { userId, cursor, now }: { userId: string; cursor: string | null; now: Date },
): Promise<{ items: TrashItem[]; nextCursor: string | null }> {
  const after = cursor === null ? null : decodePageCursor(cursorPosition, cursor);
  const rows = await db
    .select({
      id: deletions.id,
      kind: deletions.kind,
      name: deletions.name,
      lectures: deletions.lectures,
      folders: deletions.folders,
      deletedAt: deletions.deletedAt,
      expiresAt: deletions.expiresAt,
    })
    .from(deletions)
    .where(
      and(
        eq(deletions.userId, userId),
        gt(deletions.expiresAt, now),
        after
          ? sql`(${deletions.deletedAt}, ${deletions.id}) < (${new Date(after[0]).toISOString()}::timestamptz, ${after[1]}::uuid)`
          : undefined,
      ),
    )
    // The index is declared NULLS LAST; without it here Postgres would sort.
    .orderBy(sql`${deletions.deletedAt} desc nulls last`, sql`${deletions.id} desc nulls last`)
    .limit(trashPageSize + 1);
  const page = rows.slice(0, trashPageSize);
  const items = page.map((row) => ({
    ...row,
    deletedAt: row.deletedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }));
  const last = page.at(-1);
  return {
    items,
    nextCursor:
      rows.length > trashPageSize && last
        ? encodePageCursor([last.deletedAt.getTime(), last.id])
        : null,
  };
}

/**
 * Restores one deletion. An item whose parent folder no longer exists and is not restored with it goes to the
 * top of the tree, or to the lectures without a folder.
 *
 * @returns the number of restored lectures and folders.
 * @throws AppError `not_found` for an item that is expired or not in the user's trash, `folders_full`.
 */
export async function restoreFromTrash(
  db: Database,
  { userId, id, now }: { userId: string; id: string; now: Date },
): Promise<{ lectures: number; folders: number }> {
  const own = sql`user_id = ${userId}::uuid`;
  /** SQL for the parent folder if it exists after the restore, otherwise null. */
  const selectRestoredFolder = (folder: "lectures.folder_id" | "folders.parent_folder_id") => sql`(
    select place.id from folders place
    where place.id = ${sql.raw(folder)} and place.${own}
      and (place.deleted_at is null or place.deletion_id = ${id}::uuid)
  )`;
  const [, { rows }] = await db.batch([
    db.execute(lockLibrary(userId)),
    db.execute<{ room: boolean; lectures: number; folders: number }>(sql`
      with item as (
        select (select count(*) from folders where ${own}
            and (deleted_at is null or deletion_id = ${id}::uuid)) <= ${foldersMax}::int
          or folders = 0 as room
        from deletions
        where id = ${id}::uuid and ${own} and expires_at > ${now.toISOString()}::timestamptz
      ), back_lectures as (
        update lectures
        set deleted_at = null, deletion_id = null, folder_id = ${selectRestoredFolder("lectures.folder_id")}
        from item where item.room and lectures.${own} and lectures.deletion_id = ${id}::uuid
        returning lectures.id
      ), back_folders as (
        update folders
        set deleted_at = null, deletion_id = null, parent_folder_id = ${selectRestoredFolder("folders.parent_folder_id")}
        from item where item.room and folders.${own} and folders.deletion_id = ${id}::uuid
        returning folders.id
      )
      select room, (select count(*)::int from back_lectures) as lectures,
        (select count(*)::int from back_folders) as folders
      from item`),
    // Deleted only when no row has its id, so not after `folders_full`.
    db.execute(sql`
      delete from deletions where id = ${id}::uuid and ${own}
        and expires_at > ${now.toISOString()}::timestamptz
        and not exists (select from lectures where ${own} and deletion_id = ${id}::uuid)
        and not exists (select from folders where ${own} and deletion_id = ${id}::uuid)`),
  ]);
  const [back] = rows;
  if (!back) throw new AppError("not_found");
  if (!back.room) throw new AppError("folders_full");
  return { lectures: back.lectures, folders: back.folders };
}

/**
 * Expires `id`, or everything in the user's trash; `purgeTrash` then deletes it.
 *
 * @returns the number of expired items.
 */
export async function expireTrash(
  db: Database,
  { userId, id, now }: { userId: string; id: string | null; now: Date },
): Promise<number> {
  const expired = await db
    .update(deletions)
    .set({ expiresAt: now })
    .where(
      and(
        eq(deletions.userId, userId),
        gt(deletions.expiresAt, now),
        id === null ? undefined : eq(deletions.id, id),
      ),
    )
    .returning({ id: deletions.id });
  return expired.length;
}
