import * as z from "zod/mini";
import {
  ContextWindowExceeded,
  createUnusableAnswer,
  type Llm,
  type ModelUse,
} from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";
import { contextText } from "#shared/fields.ts";
import { spokenLanguages, translationLanguages } from "#shared/languages.ts";
import {
  digestMaxLength,
  recapRowsMax,
  recapTextMaxLength,
  termsPerPartMax,
} from "#shared/limits.ts";
import { createRecapPrompt, readRecap, recapAnswerLength } from "#shared/recap.ts";
import type { AnswerPiece } from "#shared/statements.ts";
import { createTermsInput } from "./agreed-terms.ts";
import { sentenceText } from "./texts.ts";
import { getOutputTokens } from "./tokens.ts";

export const recapInput = z
  .object({
    rows: z
      .array(z.object({ id: z.string().check(z.maxLength(8)), text: sentenceText }))
      .check(z.minLength(1), z.maxLength(recapRowsMax)),
    spokenIn: z.enum(spokenLanguages),
    language: z.enum(translationLanguages),
    /** The lecture's Context field, or empty. */
    wordContext: contextText,
    terms: createTermsInput(termsPerPartMax),
    /** What was said before the rows; may be empty. */
    before: z.string().check(z.maxLength(digestMaxLength)),
  })
  .check(
    z.refine(({ rows }) => rows.every(({ id }, at) => id === `r${at + 1}`), "ids are not in order"),
    z.refine(
      ({ rows }) => rows.reduce((sum, { text }) => sum + text.length, 0) <= recapTextMaxLength,
      "too much text",
    ),
  );

/** Characters of the instructions of a call. */
const instructionsLength = 2_000;

/**
 * Asks the model for a recap, whose checked statements are streamed.
 *
 * @throws AppError what `spend` throws; while streaming `payload_too_large` for more text than the model reads at once,
 *   `rate_limited`, `llm_failed`, and `llm_unusable` for an answer without a checked statement
 */
export async function startRecap(
  llm: Llm,
  { spend, signal, ...request }: z.infer<typeof recapInput> & ModelUse,
): Promise<AsyncGenerator<AnswerPiece>> {
  const prompt = createRecapPrompt(request);
  await spend(prompt.user.length + instructionsLength + recapAnswerLength);
  const maxTokens = getOutputTokens(prompt, recapAnswerLength, llm);
  return checkAnswer(llm.stream({ ...prompt, maxTokens, signal }), request);
}

async function* checkAnswer(
  answer: AsyncIterable<string>,
  request: Pick<z.infer<typeof recapInput>, "rows">,
): AsyncGenerator<AnswerPiece> {
  let count = 0;
  try {
    for await (const piece of readRecap(answer, request)) {
      if (piece.kind === "end") count += 1;
      yield piece;
    }
  } catch (error) {
    if (error instanceof ContextWindowExceeded) throw new AppError("payload_too_large");
    throw error;
  }
  if (count === 0) throw createUnusableAnswer("no statement");
}
