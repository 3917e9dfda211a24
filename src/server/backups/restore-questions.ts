import { sql } from "drizzle-orm";
import { type Database, lockLibrary } from "#server/database.ts";
import { hasCapacityFor } from "#server/lectures/storage.ts";
import type { RestoreQuestionsInput } from "#shared/backup.ts";
import { AppError } from "#shared/errors.ts";
import { questionsPerScopeMax } from "#shared/limits.ts";

/**
 * Stores those questions of a backup that are not stored, whose lecture or folder is the user's and not in the trash, and
 * for which their scope has space, the newest first.
 *
 * @returns how many were stored.
 * @throws AppError `account_full`
 */
export async function restoreQuestions(
  db: Database,
  { userId, questions }: RestoreQuestionsInput & { userId: string },
): Promise<number> {
  const incoming = questions.map(({ scope, ...question }) => ({ ...question, ...scope }));
  const isOwn = sql`user_id = ${userId}::uuid and deleted_at is null`;
  const [, { rows }] = await db.batch([
    db.execute(lockLibrary(userId)),
    db.execute<{ count: number; has_capacity: boolean }>(sql`
      with incoming as (
        select distinct on (id) * from jsonb_to_recordset(${JSON.stringify(incoming)}::jsonb) as question (
          id uuid, "formerId" uuid, "lectureId" uuid, "folderId" uuid, kind question_kind, question text, follows uuid,
          statements jsonb, nearest jsonb, "answeredIn" text, "createdAt" timestamptz)
      ),
      wanted as (
        select incoming.*, row_number() over (
          partition by "lectureId", "folderId" order by "createdAt" desc, id desc
        ) as place
        from incoming
        where not exists (select from questions where user_id = ${userId}::uuid
            and questions.id in (incoming.id, incoming."formerId"))
          and ("lectureId" is null or exists (select from lectures where id = "lectureId" and ${isOwn}))
          and ("folderId" is null or exists (select from folders where id = "folderId" and ${isOwn}))
      ),
      fitting as materialized (
        select * from wanted where place + (
          select count(*) from questions where user_id = ${userId}::uuid
            and lecture_id is not distinct from "lectureId" and folder_id is not distinct from "folderId"
        ) <= ${questionsPerScopeMax}::int
      ),
      size as (
        select coalesce(sum(octet_length(question) + octet_length(statements::text)
          + octet_length(nearest::text) + 64), 0) as growth from fitting
      ),
      verdict as materialized (
        select growth = 0 or ${hasCapacityFor(userId, sql`growth`)} as has_capacity
        from size
      ),
      added as (
        insert into questions (id, user_id, lecture_id, folder_id, kind, question, follows, statements, nearest,
          answered_in, created_at)
        select id, ${userId}::uuid, "lectureId", "folderId", kind, question, follows, statements, nearest,
          "answeredIn", "createdAt"
        from fitting, verdict where has_capacity
        returning 1
      )
      select (select count(*)::int from added) as count, has_capacity from verdict`),
  ]);
  const [row] = rows;
  if (!row?.has_capacity) throw new AppError("account_full");
  return row.count;
}
