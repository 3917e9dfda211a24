import { sql } from "drizzle-orm";
import { type Database, lockLibrary, toTimestamp } from "#server/database.ts";
import { AppError } from "#shared/errors.ts";
import { foldersMax } from "#shared/limits.ts";

/** Folders of one user, including those in the trash. */
const maxStoredFolders = 5 * foldersMax;

interface FolderKey {
  userId: string;
  id: string;
}

/**
 * Creates a folder in `parentFolderId`, or at the top level. A repeated call changes nothing.
 *
 * @throws AppError `not_found` if the user has no such parent, `folders_full`, `conflict` if the id belongs to
 * another user's or a deleted folder.
 */
export async function createFolder(
  db: Database,
  input: FolderKey & {
    name: string;
    parentFolderId: string | null;
    createdAt?: string;
    now: Date;
  },
): Promise<void> {
  const { userId, id, name, parentFolderId } = input;
  const now = toTimestamp(input.now);
  const createdAt = input.createdAt === undefined ? now : toTimestamp(new Date(input.createdAt));
  const [, { rows }] = await db.batch([
    db.execute(lockLibrary(userId)),
    db.execute<{ parent_exists: boolean; has_capacity: boolean; is_stored: boolean }>(sql`
        with checks as (
          select
            ${parentFolderId}::uuid is null or exists (
              select from folders where id = ${parentFolderId}::uuid
                and user_id = ${userId}::uuid and deleted_at is null
            ) as parent_exists,
            (select count(*) from folders
              where user_id = ${userId}::uuid and deleted_at is null and id <> ${id}::uuid
            ) < ${foldersMax}::int
            and (select count(*) from folders where user_id = ${userId}::uuid)
              < ${maxStoredFolders}::int as has_capacity
        ), new_folder as (
          insert into folders as folder (id, user_id, name, parent_folder_id, created_at, updated_at)
          select ${id}::uuid, ${userId}::uuid, ${name}, ${parentFolderId}::uuid, ${createdAt}, ${now}
          from checks where parent_exists and has_capacity
          -- Setting the id to itself makes "returning" return the existing row.
          on conflict (id) do update set id = excluded.id
            where folder.user_id = excluded.user_id and folder.deleted_at is null
          returning id
        )
        select parent_exists, has_capacity, exists (select from new_folder) as is_stored from checks`),
  ]);
  const [row] = rows;
  if (!row?.parent_exists) throw new AppError("not_found");
  if (!row.has_capacity) throw new AppError("folders_full");
  if (!row.is_stored) throw new AppError("conflict");
}

/** @throws AppError `not_found` */
export async function renameFolder(
  db: Database,
  { userId, id, name, now }: FolderKey & { name: string; now: Date },
): Promise<void> {
  const { rows } = await db.execute(sql`
    update folders set name = ${name}, updated_at = ${toTimestamp(now)}
    where id = ${id}::uuid and user_id = ${userId}::uuid and deleted_at is null returning id`);
  if (rows.length === 0) throw new AppError("not_found");
}

/**
 * Moves a folder with its content into `parentFolderId`, or to the top level.
 *
 * @throws AppError `not_found` if the user has no such folder or parent, `conflict` if the parent is the folder
 * itself or lies below it.
 */
export async function moveFolder(
  db: Database,
  { userId, id, parentFolderId, now }: FolderKey & { parentFolderId: string | null; now: Date },
): Promise<void> {
  const [, { rows }] = await db.batch([
    // Without the lock, two concurrent moves could make a cycle that neither makes alone.
    db.execute(lockLibrary(userId)),
    db.execute<{ folder_exists: boolean; parent_exists: boolean; is_cycle: boolean }>(sql`
      with recursive ancestors as (
        select id, parent_folder_id from folders
        where id = ${parentFolderId}::uuid and user_id = ${userId}::uuid and deleted_at is null
        union
        select folders.id, folders.parent_folder_id
        from folders join ancestors on folders.id = ancestors.parent_folder_id
        where folders.user_id = ${userId}::uuid
      ), checks as (
        select
          exists (
            select from folders
            where id = ${id}::uuid and user_id = ${userId}::uuid and deleted_at is null
          ) as folder_exists,
          ${parentFolderId}::uuid is null or exists (select from ancestors) as parent_exists,
          exists (select from ancestors where id = ${id}::uuid) as is_cycle
      ), move as (
        update folders
        set parent_folder_id = ${parentFolderId}::uuid, updated_at = ${toTimestamp(now)}
        from checks
        where folders.id = ${id}::uuid and folders.user_id = ${userId}::uuid
          and folder_exists and parent_exists and not is_cycle
      )
      select folder_exists, parent_exists, is_cycle from checks`),
  ]);
  const [row] = rows;
  if (!row?.folder_exists || !row.parent_exists) throw new AppError("not_found");
  if (row.is_cycle) throw new AppError("conflict");
}
