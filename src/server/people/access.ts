import { type SQL, sql } from "drizzle-orm";
import type { Context } from "#server/context.ts";
import type { Database } from "#server/database.ts";
import type { SessionUser } from "#shared/account.ts";
import { AppError } from "#shared/errors.ts";
import type { LectureAccess } from "#shared/people.ts";

/**
 * Who may do what with a lecture: its owner everything, the people whom the owner has named what is here. Reading asks
 * `mayRead`; `correctAs` turns a caller who may correct into the owner, for whom all writes are made.
 */

/** SQL for the part of an address that others see as its person's name. */
const selectName = (users: string): SQL => sql.raw(`left(split_part(${users}.email, '@', 1), 64)`);

/** SQL for the membership of a user in the row of `lectures`. An address is a person's once they have confirmed it. */
const selectMembership = (userId: string): SQL => sql`
  from lecture_members as membership
  join users as member on member.email = membership.email
  where membership.lecture_id = lectures.id and membership.user_id = lectures.user_id
    and member.id = ${userId}::uuid and member.email_verified_at is not null`;

/** SQL for the owners of lectures that the user may read. */
export const selectOwners = (userId: string): SQL => sql`
  select membership.user_id from users as member join lecture_members as membership on membership.email = member.email
  where member.id = ${userId}::uuid and member.email_verified_at is not null`;

/** SQL condition: the user may read the row of `lectures`. Says nothing of the trash. */
export const mayRead = (userId: string): SQL =>
  sql`(lectures.user_id = ${userId}::uuid or exists (select ${selectMembership(userId)}))`;

/** SQL for a `LectureAccess` to the row of `lectures`; null for its owner. */
export const selectAccess = (userId: string): SQL<LectureAccess | null> => sql`
  case when lectures.user_id <> ${userId}::uuid then (
    select json_build_object('role', membership.role, 'owner', (
      select ${selectName("owner")} from users as owner where owner.id = lectures.user_id
    )) ${selectMembership(userId)}
  ) end`;

/**
 * SQL for the name of who wrote a row of `table` last, as `viewerId` is told; null for nobody, and for the viewer. What
 * the owner has written names nobody (`edited_by`): only others are told, of rows for which `isWritten` is true.
 */
export const selectAuthor = (
  table: "entry" | "transcript_entries" | "marks",
  { ownerId, viewerId, isWritten }: { ownerId: SQL; viewerId: string; isWritten: SQL },
): SQL<string | null> => sql`
  case when coalesce(${sql.raw(`${table}.edited_by`)}, ${ownerId}) <> ${viewerId}::uuid
    and (${sql.raw(`${table}.edited_by`)} is not null or ${isWritten}) then (
    select ${selectName("author")} from users as author
    where author.id = coalesce(${sql.raw(`${table}.edited_by`)}, ${ownerId})
  ) end`;

/** SQL for the ids, as JSON, of the owner and of everybody who reads the lecture; null if that is the owner alone. */
export const selectAudience = (lectureId: SQL, ownerId: SQL): SQL<string[] | null> => sql`(
  select jsonb_agg(member.id) || to_jsonb(${ownerId}) from (
    select member.id from lecture_members as membership join users as member on member.email = membership.email
    where membership.lecture_id = ${lectureId} and membership.user_id = ${ownerId}
      and member.email_verified_at is not null
  ) as member having count(*) > 0
)`;

/** For whom a write is made, and who makes it. */
export interface Writer {
  /** The lecture's owner. */
  userId: string;
  /** Another person who may correct; null or missing: the owner. */
  editorId?: string | null;
}

/**
 * Runs `write` for the caller's lecture, or for one that they may correct.
 *
 * @throws AppError `not_found` for every other lecture; errors of `write`.
 */
export async function correctAs<T>(
  { db, user }: Pick<Context, "db"> & { user: SessionUser },
  lectureId: string,
  write: (writer: Writer) => Promise<T>,
): Promise<T> {
  try {
    return await write({ userId: user.id });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
  }
  const ownerId = await findOwner(db, { userId: user.id, lectureId });
  return write({ userId: ownerId, editorId: user.id });
}

async function findOwner(
  db: Database,
  { userId, lectureId }: { userId: string; lectureId: string },
): Promise<string> {
  const { rows } = await db.execute<{ owner: string }>(sql`
    select lectures.user_id as owner from lectures
    where lectures.id = ${lectureId}::uuid and lectures.deleted_at is null
      and exists (select ${selectMembership(userId)} and membership.role = 'corrects')`);
  const [row] = rows;
  if (!row) throw new AppError("not_found");
  return row.owner;
}
