import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#server/database.ts";
import { lockLibrary } from "#server/library-lock.ts";
import { AppError } from "#shared/errors.ts";
import { trashRetentionMs } from "#shared/limits.ts";
import type { Deletion, deletionKinds } from "#shared/trash.ts";

export type DeletionTarget =
  | { kind: "lecture"; id: string }
  | { kind: "folder"; id: string }
  | { kind: "all_lectures" };

/** `with` clauses for the lectures (`going`) and folders (`subtree`) of a deletion. */
function selectDeletionScope(userId: string, target: DeletionTarget): SQL {
  const own = sql`user_id = ${userId}::uuid and deleted_at is null`;
  const noFolders = sql`subtree as (select null::uuid as id where false)`;
  switch (target.kind) {
    case "lecture":
      return sql`${noFolders}, going as (
        select id from lectures where id = ${target.id}::uuid and ${own}
      )`;
    case "all_lectures":
      return sql`${noFolders}, going as (select id from lectures where ${own})`;
    case "folder":
      return sql`subtree as (
        select id from folders where id = ${target.id}::uuid and ${own}
        union
        select folders.id from folders join subtree on folders.parent_folder_id = subtree.id
        where folders.user_id = ${userId}::uuid and folders.deleted_at is null
      ), going as (
        select lectures.id from lectures join subtree on lectures.folder_id = subtree.id
        where lectures.user_id = ${userId}::uuid and lectures.deleted_at is null
      )`;
    default:
      return target satisfies never;
  }
}

const selectDeletionName = (userId: string, target: DeletionTarget): SQL => {
  switch (target.kind) {
    case "lecture":
      return sql`(select title from lectures where id = ${target.id}::uuid and user_id = ${userId}::uuid)`;
    case "folder":
      return sql`(select name from folders where id = ${target.id}::uuid and user_id = ${userId}::uuid)`;
    case "all_lectures":
      return sql`''`;
    default:
      return target satisfies never;
  }
};

/** No plan allows more concurrent recordings; further rows were left open by crashed rooms. */
const maxRecordings = 16;

/** Open recordings of the lectures that a deletion covers, latest first. A recording has its lecture's id. */
export async function listOpenRecordings(
  db: Database,
  { userId, target }: { userId: string; target: DeletionTarget },
): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    with recursive ${selectDeletionScope(userId, target)}
    select ledger.recording_id as id
    from usage_ledger ledger join going on going.id = ledger.lecture_id
    where ledger.user_id = ${userId}::uuid and ledger.closed_at is null
    group by ledger.recording_id
    order by max(ledger.flushed_at) desc limit ${maxRecordings}::int`);
  return rows.map(({ id }) => id);
}

const toDeletionKind = ({ kind }: DeletionTarget): (typeof deletionKinds)[number] => kind;

/**
 * Moves to the trash: a lecture; a folder with its subfolders and all their lectures; or every lecture, but no
 * folders. One transaction, one item in the trash.
 *
 * @returns the counts, and the item's id; null if there was nothing to delete.
 * @throws AppError `not_found` for a lecture or folder that is not a living one of the user's.
 */
export async function deleteToTrash(
  db: Database,
  { userId, target, now }: { userId: string; target: DeletionTarget; now: Date },
): Promise<Deletion> {
  const deletionId = crypto.randomUUID();
  const at = now.toISOString();
  const expires = new Date(now.getTime() + trashRetentionMs).toISOString();
  const marks = sql`deleted_at = ${at}::timestamptz, deletion_id = ${deletionId}::uuid`;
  const [, { rows }] = await db.batch([
    db.execute(lockLibrary(userId)),
    db.execute<{ lectures: number; folders: number }>(sql`
      with recursive ${selectDeletionScope(userId, target)},
      gone_lectures as (
        update lectures set ${marks} from going
        where lectures.id = going.id and lectures.user_id = ${userId}::uuid
          and lectures.deleted_at is null
        returning lectures.id
      ), gone_folders as (
        update folders set ${marks} from subtree
        where folders.id = subtree.id and folders.user_id = ${userId}::uuid
        returning folders.id
      ), gone as (
        select (select count(*)::int from gone_lectures) as lectures,
          (select count(*)::int from gone_folders) as folders
      ), kept as (
        insert into deletions (id, user_id, kind, name, lectures, folders, deleted_at, expires_at)
        select ${deletionId}::uuid, ${userId}::uuid, ${toDeletionKind(target)}::deletion_kind,
          ${selectDeletionName(userId, target)}, lectures, folders, ${at}::timestamptz, ${expires}::timestamptz
        from gone where lectures + folders > 0
      )
      select lectures, folders from gone`),
  ]);
  const [gone] = rows;
  if (!gone) throw new Error("The deletion returned no row");
  const isEmpty = gone.lectures + gone.folders === 0;
  if (target.kind !== "all_lectures" && isEmpty) throw new AppError("not_found");
  return { ...gone, id: isEmpty ? null : deletionId };
}
