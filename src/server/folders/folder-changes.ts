import { sql } from "drizzle-orm";
import type { Database } from "#server/database.ts";
import { lockLibrary } from "#server/library-lock.ts";
import { AppError } from "#shared/errors.ts";
import { foldersMax } from "#shared/limits.ts";

/** Folders of one user with those in the trash. */
const maxStoredFolders = 5 * foldersMax;

interface FolderKey {
  userId: string;
  id: string;
}

/**
 * Makes a folder in `parentFolderId`, or at the top. The same call again changes nothing.
 *
 * @throws AppError `not_found` where the parent is no living folder of the user's, `folders_full`,
 * `conflict` when the id is taken by somebody else's or a deleted folder.
 */
export async function createFolder(
  db: Database,
  input: FolderKey & { name: string; parentFolderId: string | null; now: Date },
): Promise<void> {
  const { userId, id, name, parentFolderId, now } = input;
  const at = now.toISOString();
  const [, { rows }] = await db.batch([
    db.execute(lockLibrary(userId)),
    db.execute<{ placed: boolean; room: boolean; made: boolean }>(sql`
        with place as (
          select
            ${parentFolderId}::uuid is null or exists (
              select from folders where id = ${parentFolderId}::uuid
                and user_id = ${userId}::uuid and deleted_at is null
            ) as placed,
            (select count(*) from folders
              where user_id = ${userId}::uuid and deleted_at is null and id <> ${id}::uuid
            ) < ${foldersMax}::int
            and (select count(*) from folders where user_id = ${userId}::uuid)
              < ${maxStoredFolders}::int as room
        ), made as (
          insert into folders as stored (id, user_id, name, parent_folder_id, created_at, updated_at)
          select ${id}::uuid, ${userId}::uuid, ${name}, ${parentFolderId}::uuid,
            ${at}::timestamptz, ${at}::timestamptz
          from place where placed and room
          -- Writing the id over itself makes "returning" answer with the row that was there.
          on conflict (id) do update set id = excluded.id
            where stored.user_id = excluded.user_id and stored.deleted_at is null
          returning id
        )
        select placed, room, exists (select from made) as made from place`),
  ]);
  const [row] = rows;
  if (!row?.placed) throw new AppError("not_found");
  if (!row.room) throw new AppError("folders_full");
  if (!row.made) throw new AppError("conflict");
}

/** @throws AppError `not_found` */
export async function renameFolder(
  db: Database,
  { userId, id, name, now }: FolderKey & { name: string; now: Date },
): Promise<void> {
  const { rows } = await db.execute(sql`
    update folders set name = ${name}, updated_at = ${now.toISOString()}::timestamptz
    where id = ${id}::uuid and user_id = ${userId}::uuid and deleted_at is null returning id`);
  if (rows.length === 0) throw new AppError("not_found");
}

/**
 * Moves a folder with all that is in it into `parentFolderId`, or to the top.
 *
 * @throws AppError `not_found` where one of the two is no living folder of the user's, `conflict` where
 * the new place is the folder itself or lies below it.
 */
export async function moveFolder(
  db: Database,
  input: FolderKey & { parentFolderId: string | null; now: Date },
): Promise<void> {
  const { userId, id, parentFolderId, now } = input;
  const [, { rows }] = await db.batch([
    // Without it two moves at once, each fine by itself, could make a ring.
    db.execute(lockLibrary(userId)),
    db.execute<{ found: boolean; placed: boolean; ring: boolean }>(sql`
      with recursive above as (
        select id, parent_folder_id from folders
        where id = ${parentFolderId}::uuid and user_id = ${userId}::uuid and deleted_at is null
        union
        select folders.id, folders.parent_folder_id
        from folders join above on folders.id = above.parent_folder_id
        where folders.user_id = ${userId}::uuid
      ), place as (
        select
          exists (
            select from folders
            where id = ${id}::uuid and user_id = ${userId}::uuid and deleted_at is null
          ) as found,
          ${parentFolderId}::uuid is null or exists (select from above) as placed,
          exists (select from above where id = ${id}::uuid) as ring
      ), moved as (
        update folders
        set parent_folder_id = ${parentFolderId}::uuid, updated_at = ${now.toISOString()}::timestamptz
        from place
        where folders.id = ${id}::uuid and folders.user_id = ${userId}::uuid
          and found and placed and not ring
      )
      select found, placed, ring from place`),
  ]);
  const [row] = rows;
  if (!row?.found || !row.placed) throw new AppError("not_found");
  if (row.ring) throw new AppError("conflict");
}
