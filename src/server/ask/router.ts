import * as z from "zod/mini";
import { spendModelBudget } from "#server/ai/model-budget.ts";
import type { Context } from "#server/context.ts";
import { cursorInput } from "#server/page-cursor.ts";
import { router, userProcedure, writeProcedure } from "#server/trpc.ts";
import { AppError } from "#shared/errors.ts";
import { uuid } from "#shared/lecture.ts";
import { questionsPerDeletionMax } from "#shared/limits.ts";
import { type AnswerEvent, askInput, questionScope } from "#shared/question.ts";
import { type AskTask, answerQuestion } from "./answer.ts";
import { answerByParts } from "./answer-parts.ts";
import {
  type Answer,
  deleteQuestions,
  listQuestions,
  prepareQuestion,
  storeQuestion,
} from "./questions.ts";

export const askRouter = router({
  /**
   * Streams the answer to a question, and stores both when it is complete. If an error follows some events, the statements
   * that have ended are checked, but nothing is stored, and the question may be asked again with its id. Asked again when it is stored, it
   * gets the same answer.
   */
  ask: userProcedure
    .input(askInput)
    .mutation(async ({ ctx, input, signal }): Promise<AsyncGenerator<AnswerEvent>> => {
      const userId = ctx.user.id;
      if (input.kind !== "asked" && input.scope.lectureId === null)
        throw new AppError("validation_failed", { detail: "a kind of question about one lecture" });
      if (!(await ctx.limits.summaries.allow(`user:${userId}`)))
        throw new AppError("rate_limited", { retryAfterSeconds: 60 });
      const { stored, earlier } = await prepareQuestion(ctx.db, { userId, input });
      return stored
        ? repeatAnswer(stored)
        : answerAndStore(ctx, { userId, input, earlier, signal });
    }),

  /** A page of the questions about a lecture, a folder or everything, newest first. */
  list: userProcedure
    .input(z.object({ scope: questionScope, cursor: cursorInput }))
    .query(({ ctx, input }) =>
      listQuestions(ctx.db, { ...input, userId: ctx.user.id, budget: ctx.answerBudget }),
    ),

  delete: writeProcedure
    .input(z.object({ ids: z.array(uuid).check(z.maxLength(questionsPerDeletionMax)) }))
    .mutation(({ ctx, input }) => deleteQuestions(ctx.db, { ...input, userId: ctx.user.id })),
});

async function* answerAndStore(
  ctx: Context,
  task: Omit<AskTask, "spend">,
): AsyncGenerator<AnswerEvent> {
  const spend = (characters: number) => spendModelBudget(ctx, characters);
  const { input } = task;
  const { kind } = input;
  const answer = yield* kind === "asked"
    ? answerQuestion(ctx, { ...task, spend })
    : answerByParts(ctx, { ...task, input: { ...input, kind }, spend });
  if (task.signal?.aborted) return;
  await storeQuestion(ctx.db, { ...task, answer, now: ctx.clock.now() });
}

async function* repeatAnswer({ statements, nearest }: Answer): AsyncGenerator<AnswerEvent> {
  for (const { rows, quote, text } of statements) {
    yield { kind: "begin", rows, quote };
    yield { kind: "text", text };
    yield { kind: "end" };
  }
  if (statements.length === 0) yield { kind: "not_said", nearest };
}
