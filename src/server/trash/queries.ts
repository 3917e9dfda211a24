import { and, eq, getTableColumns, gt, or, sql } from "drizzle-orm";
import { deletions, lectures } from "#drizzle/schema.ts";
import { type Database, lockLibrary, toTimestamp } from "#server/database.ts";
import { type CursorInput, isOlder, toPage } from "#server/page-cursor.ts";
import { AppError } from "#shared/errors.ts";
import { foldersMax, trashPageSize } from "#shared/limits.ts";
import type { TrashItem } from "#shared/trash.ts";

/** Not a lecture of a backup whose last part has not come: see src/server/backups/restore-lecture.ts. */
const isShown = or(gt(deletions.lectures, 0), gt(deletions.folders, 0));

/**
 * Lists a page of items that can be restored, newest first.
 *
 * @throws AppError `validation_failed` for an invalid cursor.
 */
export async function listTrash(
  db: Database,
  { userId, cursor, now }: { userId: string; cursor?: CursorInput; now: Date },
): Promise<{ items: TrashItem[]; nextCursor: string | null }> {
  const { userId: _, ...columns } = getTableColumns(deletions);
  const rows = await db
    .select({ ...columns, datedAt: lectures.createdAt })
    .from(deletions)
    .leftJoin(
      lectures,
      and(
        eq(lectures.userId, deletions.userId),
        eq(lectures.deletionId, deletions.id),
        eq(deletions.kind, "lecture"),
        eq(lectures.titleSource, "date"),
        eq(lectures.title, deletions.name),
      ),
    )
    .where(
      and(
        eq(deletions.userId, userId),
        gt(deletions.expiresAt, now),
        isShown,
        isOlder(cursor, deletions.deletedAt, deletions.id),
      ),
    )
    // The index is NULLS LAST. Without it here, Postgres would sort.
    .orderBy(sql`${deletions.deletedAt} desc nulls last`, sql`${deletions.id} desc nulls last`)
    .limit(trashPageSize + 1);
  const { page, nextCursor } = toPage(rows, trashPageSize, (last) => [
    last.deletedAt.getTime(),
    last.id,
  ]);
  const items = page.map((row) => ({
    ...row,
    deletedAt: row.deletedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    datedAt: row.datedAt?.toISOString() ?? null,
  }));
  return { items, nextCursor };
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
  const isOwn = sql`user_id = ${userId}::uuid`;
  const hasNotExpired = sql`expires_at > ${toTimestamp(now)}`;
  /** SQL for the parent folder if it exists after the restore, otherwise null. */
  const selectRestoredFolder = (folder: "lectures.folder_id" | "folders.parent_folder_id") => sql`(
    select parent.id from folders parent
    where parent.id = ${sql.raw(folder)} and parent.${isOwn}
      and (parent.deleted_at is null or parent.deletion_id = ${id}::uuid)
  )`;
  const [, { rows }] = await db.batch([
    db.execute(lockLibrary(userId)),
    db.execute<{ has_capacity: boolean; lectures: number; folders: number }>(sql`
      with item as (
        select (select count(*) from folders where ${isOwn}
            and (deleted_at is null or deletion_id = ${id}::uuid)) <= ${foldersMax}::int
          or folders = 0 as has_capacity
        from deletions
        where id = ${id}::uuid and ${isOwn} and ${hasNotExpired}
      ), restored_lectures as (
        update lectures
        set deleted_at = null, deletion_id = null, folder_id = ${selectRestoredFolder("lectures.folder_id")}
        from item where item.has_capacity and lectures.${isOwn} and lectures.deletion_id = ${id}::uuid
        returning lectures.id
      ), restored_folders as (
        update folders
        set deleted_at = null, deletion_id = null, parent_folder_id = ${selectRestoredFolder("folders.parent_folder_id")}
        from item where item.has_capacity and folders.${isOwn} and folders.deletion_id = ${id}::uuid
        returning folders.id
      )
      select has_capacity, (select count(*)::int from restored_lectures) as lectures,
        (select count(*)::int from restored_folders) as folders
      from item`),
    // Deleted only when no row has its id, so not after `folders_full`.
    db.execute(sql`
      delete from deletions where id = ${id}::uuid and ${isOwn} and ${hasNotExpired}
        and not exists (select from lectures where ${isOwn} and deletion_id = ${id}::uuid)
        and not exists (select from folders where ${isOwn} and deletion_id = ${id}::uuid)`),
  ]);
  const [row] = rows;
  if (!row) throw new AppError("not_found");
  if (!row.has_capacity) throw new AppError("folders_full");
  return { lectures: row.lectures, folders: row.folders };
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
        isShown,
        id === null ? undefined : eq(deletions.id, id),
      ),
    )
    .returning({ id: deletions.id });
  return expired.length;
}
