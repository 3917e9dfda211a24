import { type SQL, sql } from "drizzle-orm";
import { type Database, lockLibrary, toTimestamp } from "#server/database.ts";
import { selectListTitle } from "#server/lectures/queries.ts";
import { type EndedAccess, selectEnded } from "#server/people/queries.ts";
import { maxOpenRecordings } from "#server/recording/usage-ledger.ts";
import { activeSharesMax } from "#server/sharing/queries.ts";
import { AppError } from "#shared/errors.ts";
import { trashRetentionMs } from "#shared/limits.ts";
import type { Deletion } from "#shared/trash.ts";

export type DeletionTarget =
  | { kind: "lecture"; id: string }
  | { kind: "folder"; id: string }
  | { kind: "all_lectures" };

/**
 * SQL of what a deletion covers: `scope` has the `with` clauses of its lectures (`scope_lectures`) and folders
 * (`scope_folders`), `name` the name of its item in the trash.
 */
function selectDeletionScope(userId: string, target: DeletionTarget): { scope: SQL; name: SQL } {
  const isOwn = sql`user_id = ${userId}::uuid and deleted_at is null`;
  const noFolders = sql`scope_folders as (select null::uuid as id where false)`;
  switch (target.kind) {
    case "lecture":
      return {
        scope: sql`${noFolders}, scope_lectures as (
          select id from lectures where id = ${target.id}::uuid and ${isOwn}
        )`,
        name: sql`(select ${selectListTitle} from lectures where id = ${target.id}::uuid and user_id = ${userId}::uuid)`,
      };
    case "all_lectures":
      return {
        scope: sql`${noFolders}, scope_lectures as (select id from lectures where ${isOwn})`,
        name: sql`''`,
      };
    case "folder":
      return {
        scope: sql`scope_folders as (
          select id from folders where id = ${target.id}::uuid and ${isOwn}
          union
          select folders.id from folders join scope_folders on folders.parent_folder_id = scope_folders.id
          where folders.user_id = ${userId}::uuid and folders.deleted_at is null
        ), scope_lectures as (
          select lectures.id from lectures join scope_folders on lectures.folder_id = scope_folders.id
          where lectures.user_id = ${userId}::uuid and lectures.deleted_at is null
        )`,
        name: sql`(select name from folders where id = ${target.id}::uuid and user_id = ${userId}::uuid)`,
      };
    default:
      return target satisfies never;
  }
}

/** Open recordings of the lectures that a deletion covers, latest first. A recording has its lecture's id. */
export async function listOpenRecordings(
  db: Database,
  { userId, target }: { userId: string; target: DeletionTarget },
): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    with recursive ${selectDeletionScope(userId, target).scope}
    select ledger.recording_id as id
    from usage_ledger ledger join scope_lectures on scope_lectures.id = ledger.lecture_id
    where ledger.user_id = ${userId}::uuid and ledger.closed_at is null
    group by ledger.recording_id
    order by max(ledger.flushed_at) desc limit ${maxOpenRecordings}::int`);
  return rows.map(({ id }) => id);
}

/**
 * Moves to the trash: a lecture; a folder with its subfolders and all their lectures; or every lecture, but no
 * folders. One transaction, one item in the trash.
 *
 * Shares of the lectures end, also those with named people, and stay ended when the lectures are restored.
 *
 * @returns the counts, the item's id (null if there was nothing to delete), the ids of ended shares, and who is told.
 * @throws AppError `not_found` if the user has no such lecture or folder outside the trash.
 */
export async function deleteToTrash(
  db: Database,
  { userId, target, now }: { userId: string; target: DeletionTarget; now: Date },
): Promise<{ deletion: Deletion; endedShareIds: string[]; endedAccess: EndedAccess[] }> {
  const deletionId = crypto.randomUUID();
  const { scope, name } = selectDeletionScope(userId, target);
  const expiresAt = toTimestamp(new Date(now.getTime() + trashRetentionMs));
  const assignments = sql`deleted_at = ${toTimestamp(now)}, deletion_id = ${deletionId}::uuid`;
  const [, { rows }] = await db.batch([
    db.execute(lockLibrary(userId)),
    db.execute<{
      lectures: number;
      folders: number;
      shares: string[];
      access: EndedAccess[] | null;
    }>(sql`
      with recursive ${scope},
      deleted_lectures as (
        update lectures set ${assignments} from scope_lectures
        where lectures.id = scope_lectures.id and lectures.user_id = ${userId}::uuid
          and lectures.deleted_at is null
        returning lectures.id
      ), deleted_folders as (
        update folders set ${assignments} from scope_folders
        where folders.id = scope_folders.id and folders.user_id = ${userId}::uuid
        returning folders.id
      ), ended_shares as (
        update shares set ended_at = ${toTimestamp(now)} from scope_lectures
        where shares.lecture_id = scope_lectures.id and shares.user_id = ${userId}::uuid
          and shares.ended_at is null
        returning shares.id
      ), ended as (
        delete from lecture_members using scope_lectures
        where lecture_members.lecture_id = scope_lectures.id and lecture_members.user_id = ${userId}::uuid
        returning lecture_members.lecture_id, lecture_members.email
      ), counts as (
        select (select count(*)::int from deleted_lectures) as lectures,
          (select count(*)::int from deleted_folders) as folders
      ), item as (
        insert into deletions (id, user_id, kind, name, lectures, folders, deleted_at, expires_at)
        select ${deletionId}::uuid, ${userId}::uuid, ${target.kind}::deletion_kind,
          ${name}, lectures, folders, ${toTimestamp(now)}, ${expiresAt}
        from counts where lectures + folders > 0
      )
      select lectures, folders, array(select id from ended_shares limit ${activeSharesMax}::int) as shares,
        (select json_agg(told) from (${selectEnded}) as told) as access
      from counts`),
  ]);
  const [row] = rows;
  if (!row) throw new Error("The deletion returned no row");
  const { shares: endedShareIds, access: endedAccess, ...counts } = row;
  const isEmpty = counts.lectures + counts.folders === 0;
  if (target.kind !== "all_lectures" && isEmpty) throw new AppError("not_found");
  return {
    deletion: { ...counts, id: isEmpty ? null : deletionId },
    endedShareIds,
    endedAccess: endedAccess ?? [],
  };
}
