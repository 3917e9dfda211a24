import { and, asc, eq, sql } from "drizzle-orm";
import { lectureMembers } from "#drizzle/schema.ts";
import { type Database, toTimestamp } from "#server/database.ts";
import { selectListTitle } from "#server/lectures/queries.ts";
import { lockLecture, selectLecture } from "#server/lectures/save-rows.ts";
import { AppError } from "#shared/errors.ts";
import {
  type LectureMember,
  lectureMembersMax,
  type MemberRole,
  type SharedLecture,
  sharedLecturesMax,
} from "#shared/people.ts";
import { selectAccess } from "./access.ts";

/** The caller's lecture. */
interface OwnLecture {
  userId: string;
  lectureId: string;
}

/** A person whose access has ended, and who is told: one who has an account. */
export interface EndedAccess {
  lectureId: string;
  memberId: string;
}

/** People who are told at once that their access has ended; pages of more find out with their next call. */
const endedAccessMax = 500;

/** People with whom the caller's lecture is shared, by address; none for another user's lecture. */
export const listMembers = (
  db: Database,
  { userId, lectureId }: OwnLecture,
): Promise<LectureMember[]> =>
  db
    .select({ email: lectureMembers.email, role: lectureMembers.role })
    .from(lectureMembers)
    .where(and(eq(lectureMembers.userId, userId), eq(lectureMembers.lectureId, lectureId)))
    .orderBy(asc(lectureMembers.email));

/**
 * Gives the person with `email` access to the caller's lecture, or another role. The lock makes the limit exact.
 *
 * @throws AppError `not_found` for another user's or a deleted lecture, `conflict` if it is shared with as many people
 *   as it can be.
 */
export async function putMember(
  db: Database,
  {
    userId,
    lectureId,
    email,
    role,
    now,
  }: OwnLecture & {
    email: string;
    role: MemberRole;
    now: Date;
  },
): Promise<void> {
  const lecture = selectLecture({ userId, lectureId });
  const [, { rows }] = await db.batch([
    lockLecture(db, lecture),
    db.execute<{ is_full: boolean }>(sql`
      with lecture as (${lecture}),
      others as (
        select count(*) as count from lecture_members
        where lecture_id = ${lectureId}::uuid and user_id = ${userId}::uuid and email <> ${email}
      ),
      written as (
        insert into lecture_members (lecture_id, user_id, email, role, created_at)
        select lecture.id, ${userId}::uuid, ${email}, ${role}::member_role, ${toTimestamp(now)}
        from lecture, others where others.count < ${lectureMembersMax}::int
        on conflict (lecture_id, email) do update set role = excluded.role
      )
      select others.count >= ${lectureMembersMax}::int as is_full from lecture, others`),
  ]);
  const [row] = rows;
  if (!row) throw new AppError("not_found");
  if (row.is_full) throw new AppError("conflict", { detail: "too many people" });
}

/**
 * Gives a person with whom the caller's lecture is shared another role.
 *
 * @throws AppError `not_found`
 */
export async function changeMember(
  db: Database,
  { userId, lectureId, email, role }: OwnLecture & LectureMember,
): Promise<void> {
  const changed = await db
    .update(lectureMembers)
    .set({ role })
    .where(
      and(
        eq(lectureMembers.userId, userId),
        eq(lectureMembers.lectureId, lectureId),
        eq(lectureMembers.email, email),
      ),
    )
    .returning({ email: lectureMembers.email });
  if (changed.length === 0) throw new AppError("not_found");
}

/** Ends the access of the person with `email`, or of everybody, to the caller's lecture. Repeating it changes nothing. */
export async function removeMembers(
  db: Database,
  { userId, lectureId, email }: OwnLecture & { email: string | null },
): Promise<EndedAccess[]> {
  const { rows } = await db.execute<{ lectureId: string; memberId: string }>(sql`
    with ended as (
      delete from lecture_members
      where lecture_id = ${lectureId}::uuid and user_id = ${userId}::uuid
        and (${email}::text is null or email = ${email}::text)
      returning lecture_id, email
    )
    ${selectEnded}`);
  return rows;
}

/** SQL for the `EndedAccess` of the rows of `ended`. */
export const selectEnded = sql`
  select ended.lecture_id as "lectureId", member.id as "memberId"
  from ended join users as member on member.email = ended.email
  where member.email_verified_at is not null limit ${endedAccessMax}::int`;

/** Everybody who reads lectures of the user, whose account is about to be deleted. */
export async function listReadersOfUser(db: Database, userId: string): Promise<EndedAccess[]> {
  const { rows } = await db.execute<{ lectureId: string; memberId: string }>(sql`
    with ended as (select lecture_id, email from lecture_members where user_id = ${userId}::uuid)
    ${selectEnded}`);
  return rows;
}

/** The caller no longer wants another person's lecture. */
export async function leaveLecture(
  db: Database,
  { userId, lectureId }: { userId: string; lectureId: string },
): Promise<void> {
  await db.execute(sql`
    delete from lecture_members using users as member
    where lecture_members.lecture_id = ${lectureId}::uuid and lecture_members.email = member.email
      and member.id = ${userId}::uuid and member.email_verified_at is not null`);
}

/** Lectures that others share with the user by name, newest first. */
export async function listSharedLectures(db: Database, userId: string): Promise<SharedLecture[]> {
  const { rows } = await db.execute<Record<string, unknown> & SharedLecture>(sql`
    select shared.id, shared.title, shared."createdAt", shared.excerpt, shared."usedTime",
      shared.access ->> 'role' as role, shared.access ->> 'owner' as owner
    from (
      select lectures.id, ${selectListTitle} as title, preview as excerpt, used_time as "usedTime",
        to_json(lectures.created_at) #>> '{}' as "createdAt", ${selectAccess(userId)} as access
      from users as caller
      join lecture_members on lecture_members.email = caller.email
      join lectures on lectures.id = lecture_members.lecture_id and lectures.user_id = lecture_members.user_id
      where caller.id = ${userId}::uuid and caller.email_verified_at is not null
        and lectures.deleted_at is null
      order by lectures.created_at desc, lectures.id desc limit ${sharedLecturesMax}::int
    ) as shared`);
  return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt).toISOString() }));
}
