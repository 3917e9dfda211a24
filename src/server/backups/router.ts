import * as z from "zod/mini";
import { listQuestions } from "#server/ask/questions.ts";
import { readLecturePage } from "#server/lectures/page.ts";
import { listMarks } from "#server/marks/queries.ts";
import { cursorInput } from "#server/page-cursor.ts";
import { listQuestions as listQuizQuestions, storeQuestions } from "#server/quiz/queries.ts";
import { readActiveShare } from "#server/sharing/queries.ts";
import { listSlides } from "#server/slides/queries.ts";
import { listTakes } from "#server/takes/queries.ts";
import { countWrites, router, userProcedure } from "#server/trpc.ts";
import {
  restoreLectureInput,
  restoreQuestionsInput,
  restoreQuizInput,
  type ShareSettings,
} from "#shared/backup.ts";
import { AppError } from "#shared/errors.ts";
import { uuid } from "#shared/lecture.ts";
import { listTerms, readCapacity } from "./read.ts";
import { restoreLecture } from "./restore-lecture.ts";
import { restoreQuestions } from "./restore-questions.ts";

const pageProcedure = userProcedure.input(z.object({ cursor: cursorInput }));

/** What the export of a whole library reads besides lists, and what its import writes. */
export const backupsRouter = router({
  /** Text and lectures that the account has space for. */
  capacity: userProcedure.query(({ ctx }) => readCapacity(ctx.db, ctx.user.id)),

  /**
   * The first pages of a lecture, its marks and its takes, its slides, and how it is shared. `lectures.get`, `marks.list` and
   * `takes.list` have the further ones.
   */
  lecture: userProcedure.input(z.object({ id: uuid })).query(async ({ ctx, input: { id } }) => {
    const key = { userId: ctx.user.id, lectureId: id };
    const [lecture, marks, takes, slides, active] = await Promise.all([
      readLecturePage(ctx, { id, from: 0, texts: false }),
      listMarks(ctx.db, key),
      listTakes(ctx.db, key),
      listSlides(ctx.db, { userId: ctx.user.id, id }),
      readActiveShare(ctx.db, key),
    ]);
    if (lecture.access) throw new AppError("not_found");
    const share: ShareSettings | null = active && {
      mode: active.mode,
      mayCopy: active.mayCopy,
      showsSlides: active.showsSlides,
    };
    return { lecture, marks, takes, slides, share };
  }),

  /** A page of all terms, of whichever folder. */
  terms: pageProcedure.query(({ ctx, input }) => listTerms(ctx.db, { ...input, ...ctx.caller })),

  /** A page of all questions with their answers, newest first. */
  questions: pageProcedure.query(({ ctx, input }) =>
    listQuestions(ctx.db, { ...input, userId: ctx.user.id, budget: ctx.answerBudget }),
  ),

  /** A page of all questions of the quiz. */
  quiz: pageProcedure.query(async ({ ctx, input }) => {
    const scope = { lectureId: null, folderId: null };
    const { items, nextCursor } = await listQuizQuestions(ctx.db, {
      ...input,
      ...ctx.caller,
      scope,
    });
    return { items, nextCursor };
  }),

  /** Stores a lecture of a backup, or a part of it. False: the account has it already. */
  restoreLecture: userProcedure.input(restoreLectureInput).mutation(async ({ ctx, input }) => {
    await countWrites(ctx, JSON.stringify(input).length);
    return restoreLecture(ctx.db, { ...input, ...ctx.caller });
  }),

  /** Stores questions of a backup; how many of them were missing. */
  restoreQuestions: userProcedure.input(restoreQuestionsInput).mutation(async ({ ctx, input }) => {
    await countWrites(ctx, JSON.stringify(input).length);
    return restoreQuestions(ctx.db, { ...input, userId: ctx.user.id });
  }),

  /** Stores questions of the quiz of a backup, with their schedules; how many of them were missing. */
  restoreQuiz: userProcedure.input(restoreQuizInput).mutation(async ({ ctx, input }) => {
    await countWrites(ctx, JSON.stringify(input).length);
    return storeQuestions(ctx.db, { ...input, ...ctx.caller });
  }),
});
