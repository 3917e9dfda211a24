import { type SQL, sql } from "drizzle-orm";
import type { questions } from "#drizzle/schema.ts";
import type { AnswerBudget } from "#server/context.ts";
import { type Database, toTimestamp } from "#server/database.ts";
import { hasCapacityFor } from "#server/lectures/storage.ts";
import { type CursorInput, isOlder, toPage } from "#server/page-cursor.ts";
import { AppError } from "#shared/errors.ts";
import { followedQuestionsMax, questionPageSize, questionsPerScopeMax } from "#shared/limits.ts";
import type { AskInput, CitedRow, Question, QuestionScope, Statement } from "#shared/question.ts";

/** The answer to a question: statements, or without them the rows that come nearest. */
export interface Answer {
  statements: Statement[];
  nearest: CitedRow[];
}

interface ScopeKey {
  userId: string;
  scope: QuestionScope;
}

/** Condition for the user's questions about what is not in the trash. */
const isAnywhere = (userId: string): SQL => {
  const isOwn = sql`user_id = ${userId}::uuid and deleted_at is null`;
  return sql`
    questions.user_id = ${userId}::uuid
    and (lecture_id is null or exists (select from lectures where id = questions.lecture_id and ${isOwn}))
    and (folder_id is null or exists (select from folders where id = questions.folder_id and ${isOwn}))`;
};

/** Condition for the questions of the user about `scope`. */
const isOf = ({ userId, scope: { lectureId, folderId } }: ScopeKey): SQL => sql`
  questions.user_id = ${userId}::uuid
  and ${lectureId === null ? sql`questions.lecture_id is null` : sql`questions.lecture_id = ${lectureId}::uuid`}
  and ${folderId === null ? sql`questions.folder_id is null` : sql`questions.folder_id = ${folderId}::uuid`}`;

/** Condition: what is asked about belongs to the user and is not in the trash. */
const isThere = ({ userId, scope: { lectureId, folderId } }: ScopeKey): SQL => {
  const isOwn = sql`user_id = ${userId}::uuid and deleted_at is null`;
  if (lectureId !== null)
    return sql`exists (select from lectures where id = ${lectureId}::uuid and ${isOwn})`;
  if (folderId !== null)
    return sql`exists (select from folders where id = ${folderId}::uuid and ${isOwn})`;
  return sql`true`;
};

/** A question that was answered before with the texts of its answer. */
export interface EarlierQuestion {
  question: string;
  statements: string[];
}

/** Bytes that an answer has usually: a question is refused before the model is asked if there is less space. */
const usualBytes = 8_192;

/**
 * What is known of a question before it is answered: the answer that it has already, and the questions that it follows
 * up, the oldest first. Questions of another scope or user are none.
 *
 * @throws AppError `not_found` if the user has no such lecture or folder, `account_full`, `conflict` if its id is that of
 *   another question
 */
export async function prepareQuestion(
  db: Database,
  { userId, input }: { userId: string; input: AskInput },
): Promise<{ stored: Answer | null; earlier: EarlierQuestion[] }> {
  const key = { userId, scope: input.scope };
  const [{ rows: checks }, { rows: same }, { rows: earlier }] = await db.batch([
    db.execute<{ is_there: boolean; has_capacity: boolean }>(sql`
      select ${isThere(key)} as is_there, ${hasCapacityFor(userId, sql`${usualBytes}::bigint`)} as has_capacity`),
    db.execute<Record<string, unknown> & Answer & { is_same: boolean }>(sql`
      select statements, nearest, ${isOf(key)} and kind = ${input.kind}::question_kind
        and question = ${input.question} as is_same
      from questions where user_id = ${userId}::uuid and id = ${input.id}::uuid`),
    db.execute<{ question: string; statements: string[] }>(sql`
      with recursive chain as (
        select questions.*, 1 as depth from questions
        where ${isOf(key)} and id = ${input.follows}::uuid
        union all
        select questions.*, depth + 1 from questions join chain on questions.id = chain.follows
        where ${isOf(key)} and depth < ${followedQuestionsMax}::int
      )
      select question, (
        select coalesce(jsonb_agg(statement -> 'text'), '[]'::jsonb) from jsonb_array_elements(statements) statement
      ) as statements
      from chain order by depth desc`),
  ]);
  const [check] = checks;
  const [stored] = same;
  if (!check?.is_there) throw new AppError("not_found");
  if (stored && !stored.is_same) throw new AppError("conflict");
  if (!stored && !check.has_capacity) throw new AppError("account_full");
  return {
    stored: stored ? { statements: stored.statements, nearest: stored.nearest } : null,
    earlier,
  };
}

/**
 * Stores a question with its answer; the oldest ones of its scope beyond `questionsPerScopeMax` are deleted. A question
 * whose id is stored already changes nothing.
 *
 * @throws AppError `not_found` if its lecture or folder was deleted meanwhile, `account_full`
 */
export async function storeQuestion(
  db: Database,
  { userId, input, answer, now }: { userId: string; input: AskInput; answer: Answer; now: Date },
): Promise<void> {
  const { id, scope, kind, question, follows, answerIn } = input;
  const key = { userId, scope };
  const statements = JSON.stringify(answer.statements);
  const nearest = JSON.stringify(answer.nearest);
  const { rows } = await db.execute<{ is_there: boolean; has_capacity: boolean }>(sql`
    with verdict as materialized (
      select ${isThere(key)} as is_there, ${hasCapacityFor(
        userId,
        sql`(octet_length(${question}::text) + octet_length(${statements}::text)
          + octet_length(${nearest}::text) + 64)`,
      )} as has_capacity
    ), added as (
      insert into questions (id, user_id, lecture_id, folder_id, kind, question, follows, statements, nearest,
        answered_in, created_at)
      select ${id}::uuid, ${userId}::uuid, ${scope.lectureId}::uuid, ${scope.folderId}::uuid,
        ${kind}::question_kind, ${question}, ${follows}::uuid, ${statements}::jsonb, ${nearest}::jsonb,
        ${answerIn}, ${toTimestamp(now)}
      from verdict where is_there and has_capacity
      on conflict (user_id, id) do nothing
      returning id
    ), deleted as (
      delete from questions where user_id = ${userId}::uuid and exists (select from added) and id in (
        select id from questions where ${isOf(key)}
        order by created_at desc, id desc offset ${questionsPerScopeMax}::int - 1
      )
    )
    select is_there, has_capacity from verdict`);
  const [row] = rows;
  if (!row?.is_there) throw new AppError("not_found");
  if (!row.has_capacity) throw new AppError("account_full");
}

/** Bytes of one page's questions; at least one is on it. */
const pageBytes = 512 * 1024;
const minPageBytes = 64 * 1024;

/**
 * Lists a page of the questions about `scope`, newest first; none for what is not the user's or in the trash. Without a
 * scope, all that the user has asked.
 *
 * @throws AppError `validation_failed` for an invalid cursor.
 */
export async function listQuestions(
  db: Database,
  {
    userId,
    scope,
    cursor,
    budget,
  }: Partial<ScopeKey> & { userId: string; cursor?: CursorInput; budget: AnswerBudget },
): Promise<{ items: Question[]; nextCursor: string | null }> {
  const isListed = scope
    ? sql`${isOf({ userId, scope })} and ${isThere({ userId, scope })}`
    : isAnywhere(userId);
  const isAfterCursor = isOlder(cursor, sql`created_at`, sql`id`) ?? sql`true`;
  const maxBytes = budget.reserve(pageBytes, minPageBytes);
  const { rows } = await db.execute<
    Record<string, unknown> & typeof questions.$inferSelect & { createdMs: number; before: number }
  >(sql`
    select * from (
      select id, lecture_id as "lectureId", folder_id as "folderId", kind, question, follows, statements,
        nearest, answered_in as "answeredIn", (extract(epoch from created_at) * 1000)::float8 as "createdMs",
        (sum(bytes) over (order by created_at desc, id desc) - bytes)::float8 as before
      from questions
      where ${isListed} and ${isAfterCursor}
      order by created_at desc, id desc
      limit ${questionPageSize + 1}::int
    ) as page
    -- The first that does not fit shows that there are more.
    order by "createdMs" desc, id desc`);
  const size = rows.filter(({ before }) => before < maxBytes).length;
  const { page, nextCursor } = toPage(
    rows,
    Math.max(1, Math.min(size, questionPageSize)),
    ({ createdMs, id }) => [createdMs, id],
  );
  const items = page.map(
    ({ id, lectureId, folderId, kind, question, follows, createdMs, ...answer }) => ({
      id,
      scope: { lectureId, folderId },
      kind,
      question,
      follows,
      statements: answer.statements,
      nearest: answer.nearest,
      answeredIn: answer.answeredIn,
      createdAt: new Date(createdMs).toISOString(),
    }),
  );
  return { items, nextCursor };
}

/** Deletes those of `ids` that are the user's. */
export async function deleteQuestions(
  db: Database,
  { userId, ids }: { userId: string; ids: readonly string[] },
): Promise<void> {
  await db.execute(sql`
    delete from questions where user_id = ${userId}::uuid
      and id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`);
}
