import * as z from "zod/mini";
import { unwrapAnswer } from "#server/ai/clean-answer.ts";
import { findObject, toOneLine } from "#server/ai/texts.ts";
import { getOutputTokens } from "#server/ai/tokens.ts";
import { createUnusableAnswer, type Llm, type ModelUse } from "#server/ports.ts";
import { createGradePrompt } from "./prompts.ts";

const gradeFormat = z.object({
  verdict: z.enum(["right", "wrong"]),
  reason: z.catch(z.string(), ""),
});
const reasonMaxLength = 400;
const answerLength = 500;

/** Whether an answer is right, and why, in the model's words. */
export interface Grade {
  isRight: boolean;
  /** May be empty. */
  reason: string;
}

/** @throws AppError `llm_failed`, `llm_unusable` for an answer without a verdict, or what `spend` throws */
export async function gradeAnswer(
  llm: Llm,
  { spend, signal, ...task }: Parameters<typeof createGradePrompt>[0] & ModelUse,
): Promise<Grade> {
  const prompt = createGradePrompt(task);
  await spend(prompt.user.length + answerLength);
  const maxTokens = getOutputTokens(prompt, answerLength, llm);
  const strings = ["verdict", "reason"];
  const answer = await llm.complete({ ...prompt, maxTokens, strings, signal });
  const { data } = gradeFormat.safeParse(findObject(unwrapAnswer(answer)));
  if (!data) throw createUnusableAnswer("no verdict");
  const reason = toOneLine(data.reason).slice(0, reasonMaxLength).toWellFormed();
  return { isRight: data.verdict === "right", reason };
}
