import { estimateTokens, getOutputTokens } from "#server/ai/tokens.ts";
import { ContextWindowExceeded } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";
import { summaryTextMaxLength } from "#shared/limits.ts";
import type { AnswerEvent, Statement } from "#shared/question.ts";
import type { AskServices, AskTask } from "./answer.ts";
import { findRowTerms, readLectureRows } from "./lecture-rows.ts";
import { createPartPrompt, giveRows, type PartTask } from "./prompts.ts";
import type { Answer } from "./questions.ts";
import { readAnswer } from "./read-answer.ts";

/** Tokens of a part's rows: somewhat more than an hour of speech, of which a model overlooks little. */
const partTokensMax = 24_000;
/** A window that leaves fewer tokens for rows cannot be used. */
const partTokensMin = 300;
/** Tokens and characters of a part's answer. */
const answerTokens = 3_000;
const answerLength = 6_000;
/** Tokens of a row's id, time and line. */
const rowTokens = 12;
/** Statements of all parts. */
const statementsMax = 80;

/**
 * Answers what the product asks of a whole lecture: its key points or its open questions. A long lecture is read in parts,
 * one after another, and the statements follow in its order. Yields, returns and throws as `answerQuestion`.
 *
 * @throws AppError `not_found`, `payload_too_large`
 */
export async function* answerByParts(
  services: AskServices,
  { userId, input, spend, signal }: AskTask & { input: { kind: PartTask["kind"] } },
): AsyncGenerator<AnswerEvent, Answer> {
  const { db, llm } = services;
  const { scope, kind, answerIn } = input;
  const key = { userId, id: scope.lectureId ?? "" };
  const lecture = await readLectureRows(db, key, summaryTextMaxLength);
  if (!lecture) throw new AppError("not_found");
  if (!lecture.isWhole) throw new AppError("payload_too_large");
  const terms = await findRowTerms(db, key, lecture, answerIn);
  const statements: Statement[] = [];
  let window = llm.contextTokens;
  let rest = lecture.rows;
  for (let part = 1; rest.length > 0 && statements.length < statementsMax; ) {
    const task = { kind, answerIn, terms, part };
    const empty = createPartPrompt({ ...task, given: giveRows([]), isPart: true });
    const fixedTokens = estimateTokens(empty.system) + estimateTokens(empty.user) + answerTokens;
    const rows = takePart(rest, window - fixedTokens);
    const given = giveRows(rows);
    const prompt = createPartPrompt({ ...task, given, isPart: part > 1 || rows !== rest });
    await spend(prompt.user.length + answerLength);
    const maxTokens = getOutputTokens(prompt, answerTokens, { ...llm, contextTokens: window });
    try {
      const pieces = llm.stream({ ...prompt, maxTokens, signal });
      const answer = yield* readAnswer(pieces, given, { maySearch: false, hasTitles: false });
      statements.push(...answer.statements);
      rest = rest.slice(rows.length);
      part += 1;
    } catch (error) {
      if (!(error instanceof ContextWindowExceeded)) throw error;
      window = Math.floor(window / 2);
    }
  }
  if (statements.length === 0) yield { kind: "not_said", nearest: [] };
  return { statements, nearest: [] };
}

const countTokens = ({ original }: { original: string }) => estimateTokens(original) + rowTokens;

/**
 * The first of `rows` that have at most `maxTokens`, so many that all parts are about equal; `rows` itself if all fit.
 *
 * @throws AppError `llm_failed` if the first one has more
 */
export function takePart<Row extends { original: string }>(rows: Row[], maxTokens: number): Row[] {
  const limit = Math.min(partTokensMax, maxTokens);
  const total = rows.reduce((sum, row) => sum + countTokens(row), 0);
  if (total <= limit) return rows;
  const share = limit < partTokensMin ? 0 : total / Math.ceil(total / limit);
  let tokens = 0;
  const end = rows.findIndex((row) => {
    tokens += countTokens(row);
    return tokens > limit || tokens - countTokens(row) >= share;
  });
  if (end < 1) throw new AppError("llm_failed", { detail: "the model's window is too small" });
  return rows.slice(0, end);
}
