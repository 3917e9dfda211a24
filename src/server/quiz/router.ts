import * as z from "zod/mini";
import { spendModelBudget } from "#server/ai/model-budget.ts";
import type { Context } from "#server/context.ts";
import { cursorInput } from "#server/page-cursor.ts";
import { router, userProcedure, writeProcedure } from "#server/trpc.ts";
import { AppError } from "#shared/errors.ts";
import { storedText } from "#shared/fields.ts";
import { type TranslationLanguage, translationLanguages } from "#shared/languages.ts";
import { uuid } from "#shared/lecture.ts";
import {
  quizAnswerMaxLength,
  quizIdsPerCallMax,
  quizQuestionsPerLectureMax,
} from "#shared/limits.ts";
import { questionScope } from "#shared/question.ts";
import { type QuizProgress, quizCards, quizReviews } from "#shared/quiz.ts";
import { gradeAnswer } from "./grade-answer.ts";
import {
  addCards,
  deleteQuestions,
  listLectures,
  listQuestions,
  type QuizSource,
  readQuestion,
  readSource,
  saveReviews,
  storeQuestions,
} from "./queries.ts";
import { toQuestionKey } from "./question-key.ts";
import { writeQuestions } from "./write-questions.ts";

const scopeInput = z.object({ scope: questionScope });

export const quizRouter = router({
  /**
   * Streams how far the model is with questions on a stored lecture, which are checked by rule and stored part by part. If an
   * error follows, the questions on the parts before are stored.
   */
  write: userProcedure
    .input(z.object({ lectureId: uuid, language: z.enum(translationLanguages) }))
    .mutation(async ({ ctx, input, signal }): Promise<AsyncGenerator<QuizProgress>> => {
      if (!(await ctx.limits.summaries.allow(`user:${ctx.user.id}`)))
        throw new AppError("rate_limited", { retryAfterSeconds: 60 });
      const key = { userId: ctx.user.id, id: input.lectureId };
      const source = await readSource(ctx.db, key, input.language);
      return writeForLecture(ctx, { ...input, userId: key.userId, source, signal });
    }),

  /** A page of the questions on a lecture, on those of a folder or on all, the first one that is due at its beginning. */
  list: userProcedure
    .input(z.extend(scopeInput, { cursor: cursorInput }))
    .query(({ ctx, input }) => listQuestions(ctx.db, { ...input, ...ctx.caller })),

  /** The lectures on which questions can be written, newest first. */
  lectures: userProcedure
    .input(scopeInput)
    .query(({ ctx, input }) => listLectures(ctx.db, { ...input, userId: ctx.user.id })),

  /** Whether an answer in the person's own words is right, as the model sees it. Nothing is stored. */
  grade: userProcedure
    .input(
      z.object({
        id: uuid,
        answer: storedText(quizAnswerMaxLength).check(z.trim(), z.minLength(1)),
        /** The language of the reason. */
        reasonIn: z.enum(translationLanguages),
      }),
    )
    .mutation(async ({ ctx, input, signal }) => {
      if (!(await ctx.limits.contexts.allow(`user:${ctx.user.id}`)))
        throw new AppError("rate_limited", { retryAfterSeconds: 60 });
      const question = await readQuestion(ctx.db, { userId: ctx.user.id, id: input.id });
      const spend = (characters: number) => spendModelBudget(ctx, characters);
      const { answer: given, reasonIn } = input;
      return gradeAnswer(ctx.llm, { question, given, reasonIn, spend, signal });
    }),

  /** Saves how questions were answered. A review that is sent again counts once. */
  review: writeProcedure
    .input(z.object({ reviews: quizReviews }))
    .mutation(({ ctx, input }) => saveReviews(ctx.db, { ...input, ...ctx.caller })),

  /** Keeps flashcards of a stored lecture, to be asked with its questions; how many there are more. */
  addCards: writeProcedure
    .input(quizCards)
    .mutation(({ ctx, input }) => addCards(ctx.db, { ...input, ...ctx.caller })),

  delete: writeProcedure
    .input(z.object({ ids: z.array(uuid).check(z.maxLength(quizIdsPerCallMax)) }))
    .mutation(({ ctx, input }) => deleteQuestions(ctx.db, { ...input, userId: ctx.user.id })),
});

function writeForLecture(
  ctx: Context,
  {
    userId,
    lectureId,
    language,
    source: { rows, known },
    signal,
  }: {
    userId: string;
    lectureId: string;
    language: TranslationLanguage;
    source: QuizSource;
    signal: AbortSignal | undefined;
  },
): AsyncGenerator<QuizProgress> {
  return writeQuestions(ctx.llm, {
    rows,
    language,
    known: known.map(toQuestionKey),
    most: quizQuestionsPerLectureMax - known.length,
    spend: (characters) => spendModelBudget(ctx, characters),
    signal,
    async store(checked) {
      const questions = checked.map((question) => ({
        ...question,
        id: crypto.randomUUID(),
        lectureId,
        language,
      }));
      await storeQuestions(ctx.db, { userId, questions, now: ctx.clock.now() });
    },
  });
}
