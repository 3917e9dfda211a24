import { sql } from "drizzle-orm";
import * as z from "zod/mini";
import type { quizQuestions } from "#drizzle/schema.ts";
import { selectScope } from "#server/ask/retrieval/select-passages.ts";
import { type Database, toTimestamp } from "#server/database.ts";
import { type LectureKey, selectListTitle } from "#server/lectures/queries.ts";
import { hasCapacityFor } from "#server/lectures/storage.ts";
import {
  type CursorInput,
  cursorTimestamp,
  decodePageCursor,
  toPage,
} from "#server/page-cursor.ts";
import { AppError } from "#shared/errors.ts";
import {
  type SpokenLanguage,
  type TranslationLanguage,
  toSpokenLanguage,
  toTranslationLanguage,
} from "#shared/languages.ts";
import { uuid } from "#shared/lecture.ts";
import {
  quizLecturesMax,
  quizPageSize,
  quizQuestionsMax,
  quizQuestionsPerLectureMax,
  quizSentenceMaxLength,
  summaryTextMaxLength,
} from "#shared/limits.ts";
import type { QuestionScope } from "#shared/question.ts";
import type {
  QuizCards,
  QuizLecture,
  QuizPage,
  QuizQuestion,
  QuizReview,
  QuizRow,
} from "#shared/quiz.ts";
import { applyReview, type QuizSchedule } from "#shared/quiz-schedule.ts";
import { translationFailed } from "#shared/words.ts";
import type { CheckedQuestion } from "./check-question.ts";
import { toQuestionKey } from "./question-key.ts";

interface Within {
  userId: string;
  scope: QuestionScope;
}

const isOwn = (userId: string) => sql`user_id = ${userId}::uuid`;

type Row = Record<string, unknown> &
  Omit<typeof quizQuestions.$inferSelect, "dueAt" | "createdAt"> & {
    dueMs: number;
    createdMs: number;
  };

const selectQuestion = sql`quiz_questions.id, lecture_id as "lectureId", kind, prompt, choices, answer, rows, language, memory,
  (extract(epoch from due_at) * 1000)::float8 as "dueMs",
  (extract(epoch from quiz_questions.created_at) * 1000)::float8 as "createdMs"`;

const toQuestion = ({ id, lectureId, kind, dueMs, createdMs, ...rest }: Row): QuizQuestion => ({
  id,
  lectureId,
  kind,
  prompt: rest.prompt,
  choices: rest.choices,
  answer: rest.answer,
  rows: rest.rows,
  language: rest.language,
  memory: rest.memory,
  dueAt: new Date(dueMs).toISOString(),
  createdAt: new Date(createdMs).toISOString(),
});

/**
 * Lists a page of the questions on the lectures of `scope`, those that are due first at its beginning, with the number of all,
 * and of those that are due at `now`. None of lectures that are not the user's or in the trash.
 *
 * @throws AppError `validation_failed` for an invalid cursor
 */
export async function listQuestions(
  db: Database,
  { userId, scope, cursor, now }: Within & { cursor?: CursorInput; now: Date },
): Promise<QuizPage> {
  const after = decodePageCursor(z.tuple([cursorTimestamp, uuid]), cursor);
  const isAfter = after
    ? sql`(due_at, quiz_questions.id) > (${toTimestamp(new Date(after[0]))}, ${after[1]}::uuid)`
    : sql`true`;
  const isListed = sql`quiz_questions.user_id = ${userId}::uuid and lecture_id in (${selectScope({ userId, scope })})`;
  const [{ rows: counts }, { rows }] = await db.batch([
    db.execute<{ total: number; due: number }>(sql`
      select count(*)::int as total, (count(*) filter (where due_at <= ${toTimestamp(now)}))::int as due
      from quiz_questions where ${isListed}`),
    db.execute<Row>(sql`
      select ${selectQuestion} from quiz_questions where ${isListed} and ${isAfter}
      order by due_at, quiz_questions.id limit ${quizPageSize + 1}::int`),
  ]);
  const { page, nextCursor } = toPage(rows, quizPageSize, ({ dueMs, id }) => [dueMs, id]);
  const [count] = counts;
  return {
    items: page.map(toQuestion),
    nextCursor,
    total: count?.total ?? 0,
    due: count?.due ?? 0,
  };
}

/** The lectures of `scope` that have rows with words, newest first, with the number of their questions. */
export async function listLectures(db: Database, within: Within): Promise<QuizLecture[]> {
  const { userId } = within;
  type Lecture = Record<string, unknown> &
    Omit<QuizLecture, "languages"> & {
      spokenIn: SpokenLanguage;
      translatedInto: TranslationLanguage | null;
    };
  const { rows } = await db.execute<Lecture>(sql`
    with asked as (${selectScope(within)})
    select lectures.id, ${selectListTitle} as title, (
        select count(*)::int from quiz_questions where ${isOwn(userId)} and lecture_id = lectures.id
      ) as questions,
      first.spoken_in as "spokenIn", nullif(target_language, 'none') as "translatedInto"
    from lectures cross join lateral (
      select spoken_in from transcript_entries
      where lecture_id = lectures.id and btrim(original) <> '' order by position limit 1
    ) as first
    where lectures.user_id = ${userId}::uuid and lectures.id in (select id from asked)
    order by created_at desc, lectures.id desc limit ${quizLecturesMax}::int`);
  return rows.map(({ id, title, questions, spokenIn, translatedInto }) => {
    const spoken = toTranslationLanguage(spokenIn);
    const others = translatedInto && translatedInto !== spoken ? [translatedInto] : [];
    return { id, title, questions, languages: [spoken, ...others] };
  });
}

export interface QuizSource {
  rows: QuizRow[];
  /** Of the lecture's questions. */
  known: { prompt: string; answer: string }[];
}

/**
 * What questions on a lecture in `language` are written from: its sentences that are spoken in it or translated into it, up to
 * about ten hours of them.
 *
 * @throws AppError `not_found`, `lecture_full` if it has all questions that it may have
 */
export async function readSource(
  db: Database,
  { userId, id }: LectureKey,
  language: TranslationLanguage,
): Promise<QuizSource> {
  const spokenIn = toSpokenLanguage(language);
  const isThere = sql`id = ${id}::uuid and ${isOwn(userId)} and deleted_at is null`;
  const [{ rows: found }, { rows: known }, { rows }] = await db.batch([
    db.execute<{ total: number }>(sql`
      select (select count(*)::int from quiz_questions where ${isOwn(userId)}) as total
      from lectures where ${isThere}`),
    db.execute<{ prompt: string; answer: string }>(sql`
      select prompt, answer from quiz_questions where ${isOwn(userId)} and lecture_id = ${id}::uuid`),
    db.execute<Record<string, unknown> & QuizRow>(sql`
      with lecture as (select id, target_language from lectures where ${isThere}),
      said as (
        select entry.id, position, start_ms, left(case when spoken_in = ${spokenIn} then original
          when translated <> ${translationFailed} and coalesce(translated_into::text, target_language::text)
            in (${language}, ${spokenIn}) then translated else '' end, ${quizSentenceMaxLength}::int) as text
        from transcript_entries entry join lecture on lecture.id = entry.lecture_id
      ),
      counted as (
        select *, sum(char_length(text)) over (order by start_ms, position) as length
        from said where btrim(text) <> ''
      )
      select id, position, start_ms as "startMs", text from counted
      where length <= ${summaryTextMaxLength}::bigint order by start_ms, position`),
  ]);
  const [lecture] = found;
  if (!lecture) throw new AppError("not_found");
  if (known.length >= quizQuestionsPerLectureMax || lecture.total >= quizQuestionsMax)
    throw new AppError("lecture_full");
  return { rows, known };
}

/** A question as it is stored. */
export type NewQuestion = CheckedQuestion &
  Pick<QuizQuestion, "id" | "lectureId" | "language"> &
  Partial<Pick<QuizQuestion, "memory" | "dueAt" | "createdAt">> & {
    /** In a backup: it is stored already if the user has one of the two. */
    formerId?: string;
  };

/**
 * Stores those of `questions` that are not stored, whose lecture is the user's and not in the trash, and for which it and the
 * account have space, in their order.
 *
 * @returns how many were stored
 * @throws AppError `account_full`
 */
export async function storeQuestions(
  db: Database,
  { userId, questions, now }: { userId: string; questions: readonly NewQuestion[]; now: Date },
): Promise<number> {
  const at = now.toISOString();
  const incoming = questions.map((question, place) => ({
    formerId: question.id,
    memory: null,
    dueAt: at,
    createdAt: at,
    ...question,
    place,
  }));
  const { rows } = await db.execute<{ count: number; has_capacity: boolean }>(sql`
    with incoming as (
      select distinct on (id) * from jsonb_to_recordset(${JSON.stringify(incoming)}::jsonb) as question (
        id uuid, "formerId" uuid, "lectureId" uuid, kind quiz_kind, prompt text, choices jsonb, answer text,
        rows jsonb, language text, memory jsonb, "dueAt" timestamptz, "createdAt" timestamptz, place int)
    ),
    wanted as (
      select incoming.*, row_number() over (partition by "lectureId" order by place) as of_lecture,
        row_number() over (order by place) as of_all
      from incoming
      where not exists (select from quiz_questions where ${isOwn(userId)}
          and quiz_questions.id in (incoming.id, incoming."formerId"))
        and exists (select from lectures where id = "lectureId" and ${isOwn(userId)} and deleted_at is null)
    ),
    fitting as materialized (
      select * from wanted where of_lecture + (
        select count(*) from quiz_questions where ${isOwn(userId)} and lecture_id = "lectureId"
      ) <= ${quizQuestionsPerLectureMax}::int and of_all + (
        select count(*) from quiz_questions where ${isOwn(userId)}
      ) <= ${quizQuestionsMax}::int
    ),
    size as (
      select coalesce(sum(octet_length(prompt) + octet_length(choices::text) + octet_length(answer)
        + octet_length(rows::text) + 1024), 0) as growth from fitting
    ),
    verdict as materialized (
      select growth = 0 or ${hasCapacityFor(userId, sql`growth`)} as has_capacity from size
    ),
    added as (
      insert into quiz_questions (id, user_id, lecture_id, kind, prompt, choices, answer, rows, language, memory,
        due_at, created_at)
      select id, ${userId}::uuid, "lectureId", kind, prompt, choices, answer, rows, language,
        nullif(memory, 'null'::jsonb), "dueAt", "createdAt"
      from fitting, verdict where has_capacity order by place
      on conflict (user_id, id) do nothing
      returning 1
    )
    select (select count(*)::int from added) as count, has_capacity from verdict`);
  const [row] = rows;
  if (!row?.has_capacity) throw new AppError("account_full");
  return row.count;
}

/**
 * Keeps flashcards of a lecture. Those whose row is not there are left out, as are those that are kept already.
 *
 * @returns how many were stored
 * @throws AppError `not_found`, `account_full`
 */
export async function addCards(
  db: Database,
  { userId, lectureId, cards, now }: QuizCards & { userId: string; now: Date },
): Promise<number> {
  const isThere = sql`id = ${lectureId}::uuid and ${isOwn(userId)} and deleted_at is null`;
  const ids = JSON.stringify(cards.map(({ rowId }) => rowId));
  const [{ rows: found }, { rows: stored }, { rows }] = await db.batch([
    db.execute(sql`select from lectures where ${isThere}`),
    db.execute<{ prompt: string; answer: string }>(sql`
      select prompt, answer from quiz_questions where ${isOwn(userId)} and lecture_id = ${lectureId}::uuid`),
    db.execute<Record<string, unknown> & QuizRow & { spokenIn: SpokenLanguage }>(sql`
      select id, position, start_ms as "startMs", spoken_in as "spokenIn",
        left(original, ${quizSentenceMaxLength}::int) as text
      from transcript_entries where lecture_id = (select id from lectures where ${isThere})
        and id in (select value::uuid from jsonb_array_elements_text(${ids}::jsonb))`),
  ]);
  if (found.length === 0) throw new AppError("not_found");
  const known = new Set(stored.map(toQuestionKey));
  const questions = cards.flatMap(({ rowId, ...card }): NewQuestion[] => {
    const row = rows.find(({ id }) => id === rowId.toLowerCase());
    const key = toQuestionKey(card);
    if (!row || known.has(key)) return [];
    known.add(key);
    const { spokenIn, ...cited } = row;
    const language = toTranslationLanguage(spokenIn);
    return [{ ...card, lectureId, kind: "card", choices: [], rows: [cited], language }];
  });
  return questions.length === 0 ? 0 : storeQuestions(db, { userId, questions, now });
}

/** A question of the user whose lecture is not in the trash. @throws AppError `not_found` */
export async function readQuestion(
  db: Database,
  { userId, id }: { userId: string; id: string },
): Promise<QuizQuestion> {
  const { rows } = await db.execute<Row>(sql`
    select ${selectQuestion} from quiz_questions where ${isOwn(userId)} and id = ${id}::uuid
      and exists (select from lectures where lectures.id = lecture_id and ${isOwn(userId)} and deleted_at is null)`);
  const [row] = rows;
  if (!row) throw new AppError("not_found");
  return toQuestion(row);
}

/** Reviews of a question whose ids are known. One that comes again after so many others counts twice. */
const knownReviews = 16;
/** Times that a write is tried again because another call was faster. */
const attemptsMax = 4;

type Scheduled = QuizSchedule & { id: string; revision: number; reviewIds: string[] };

/**
 * Applies reviews, in the order in which they were answered, to the schedules of the user's questions. A review that was applied
 * before changes nothing, nor does one of a question that is deleted.
 *
 * @throws AppError `unavailable` if other calls are faster each time
 */
export async function saveReviews(
  db: Database,
  { userId, reviews, now }: { userId: string; reviews: readonly QuizReview[]; now: Date },
): Promise<void> {
  const inOrder = reviews.toSorted((a, b) => a.answeredAt.localeCompare(b.answeredAt));
  let ids = [...new Set(reviews.map(({ questionId }) => questionId.toLowerCase()))];
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const stored = await readSchedules(db, userId, ids);
    const changed = stored.flatMap((question) => {
      const own = inOrder.filter(({ questionId }) => questionId.toLowerCase() === question.id);
      return reviewQuestion(question, own, now) ?? [];
    });
    if (changed.length === 0) return;
    const { rows } = await db.execute<{ id: string }>(sql`
      update quiz_questions set memory = changed.memory, due_at = changed."dueAt", revision = changed.revision + 1,
        review_ids = array(select value::uuid from jsonb_array_elements_text(changed."reviewIds"))
      from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb)
        as changed (id uuid, memory jsonb, "dueAt" timestamptz, revision int, "reviewIds" jsonb)
      where ${sql`quiz_questions.user_id = ${userId}::uuid`} and quiz_questions.id = changed.id
        and quiz_questions.revision = changed.revision
      returning quiz_questions.id`);
    const written = new Set(rows.map(({ id }) => id));
    ids = changed.flatMap(({ id }) => (written.has(id) ? [] : [id]));
    if (ids.length === 0) return;
  }
  throw new AppError("unavailable", { detail: "other reviews were faster" });
}

async function readSchedules(
  db: Database,
  userId: string,
  ids: readonly string[],
): Promise<Scheduled[]> {
  const { rows } = await db.execute<
    Record<string, unknown> & Omit<Scheduled, "dueAt"> & { dueMs: number }
  >(sql`
    select id, memory, revision, to_jsonb(review_ids) as "reviewIds",
      (extract(epoch from due_at) * 1000)::float8 as "dueMs"
    from quiz_questions where ${isOwn(userId)}
      and id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`);
  return rows.map(({ dueMs, ...row }) => ({
    id: row.id,
    memory: row.memory,
    revision: row.revision,
    reviewIds: row.reviewIds,
    dueAt: new Date(dueMs).toISOString(),
  }));
}

/** Null if all of `reviews` are known. Nothing was answered later than `now`, whatever the clock of a device says. */
function reviewQuestion(
  question: Scheduled,
  reviews: readonly QuizReview[],
  now: Date,
): Scheduled | null {
  let changed: Scheduled | null = null;
  for (const { id, rating, answeredAt } of reviews) {
    const before: Scheduled = changed ?? question;
    if (before.reviewIds.includes(id.toLowerCase())) continue;
    const at = new Date(Math.min(Date.parse(answeredAt), now.getTime())).toISOString();
    changed = {
      ...before,
      ...applyReview(before, { rating, answeredAt: at }),
      reviewIds: [...before.reviewIds, id.toLowerCase()].slice(-knownReviews),
    };
  }
  return changed;
}

/** Deletes those of `ids` that are the user's. */
export async function deleteQuestions(
  db: Database,
  { userId, ids }: { userId: string; ids: readonly string[] },
): Promise<void> {
  await db.execute(sql`
    delete from quiz_questions where ${isOwn(userId)}
      and id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`);
}
