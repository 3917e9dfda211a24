import { sql } from "drizzle-orm";
import type { Database } from "#server/database.ts";
import { lockLibrary } from "#server/library-lock.ts";
import { AppError } from "#shared/errors.ts";

/**
 * Puts a lecture into `folderId`, or into none.
 *
 * @throws AppError `not_found` where the lecture or the folder is no living one of the user's.
 */
export async function moveLecture(
  db: Database,
  input: { userId: string; id: string; folderId: string | null; now: Date },
): Promise<void> {
  const { userId, id, folderId, now } = input;
  const [, { rows }] = await db.batch([
    // The folder must not be deleted between the look and the move.
    db.execute(lockLibrary(userId)),
    db.execute(sql`
      update lectures
      set folder_id = ${folderId}::uuid, updated_at = ${now.toISOString()}::timestamptz
      where id = ${id}::uuid and user_id = ${userId}::uuid and deleted_at is null
        and (${folderId}::uuid is null or exists (
          select from folders
          where id = ${folderId}::uuid and user_id = ${userId}::uuid and deleted_at is null
        ))
      returning id`),
  ]);
  if (rows.length === 0) throw new AppError("not_found");
}
