import { estimateTokens, getOutputTokens } from "#server/ai/tokens.ts";
import { ContextWindowExceeded, type Llm, type ModelUse } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import type { QuizProgress, QuizRow } from "#shared/quiz.ts";
import { objectsMax, readStatements } from "#shared/statements.ts";
import { type CheckedQuestion, checkQuestion } from "./check-question.ts";
import { createQuizPrompt, giveRows } from "./prompts.ts";
import { toQuestionKey } from "./question-key.ts";

/** Tokens of a part's rows: about 20 minutes of speech, of which a model overlooks little. */
const partTokensMax = 5_000;
/** A window that leaves fewer tokens for rows cannot be used. */
const partTokensMin = 200;
/** Tokens and characters of one question. */
const questionTokens = 200;
const questionLength = 600;
/** Tokens of a row's id and line. */
const rowTokens = 6;
/** Questions on a part, and characters for each. */
const questionsPerPart = { min: 3, max: 15, characters: 500 };

interface QuizTask extends ModelUse {
  /** Of one lecture, in order. */
  rows: readonly QuizRow[];
  language: TranslationLanguage;
  /** Keys of the questions that there are already; see `toQuestionKey`. */
  known: Iterable<string>;
  /** Questions that are written at most. */
  most: number;
  /** Stores the questions on a part of the rows. */
  store: (questions: readonly CheckedQuestion[]) => Promise<void>;
}

/**
 * Has the model write questions on a lecture, part by part, and checks each of them by rule. The questions on a part are stored
 * when it is complete, so what breaks off keeps those before.
 *
 * @throws AppError `llm_failed`, `rate_limited`, and what `spend` and `store` throw
 */
export async function* writeQuestions(llm: Llm, task: QuizTask): AsyncGenerator<QuizProgress> {
  const { language, spend, signal, store } = task;
  const known = new Set(task.known);
  const progress: QuizProgress = { written: 0, leftOut: 0, isStored: true };
  let window = llm.contextTokens;
  let rest = task.rows;
  while (rest.length > 0 && progress.written < task.most && !signal?.aborted) {
    const parts = countParts(rest, window);
    const rows = takePart(rest, parts);
    const left = task.most - progress.written;
    const count = Math.min(left, countQuestions(rows, Math.ceil(left / parts)));
    const given = giveRows(rows);
    const prompt = createQuizPrompt({ given, count, language });
    await spend(prompt.user.length + count * questionLength);
    const maxTokens = getOutputTokens(prompt, count * questionTokens, {
      ...llm,
      contextTokens: window,
    });
    const questions: CheckedQuestion[] = [];
    let objects = 0;
    try {
      const pieces = llm.stream({ ...prompt, maxTokens, signal });
      for await (const piece of readStatements(pieces, new Map())) {
        if (piece.kind !== "other") continue;
        objects += 1;
        const question = checkQuestion(piece.value, given);
        const key = question && toQuestionKey(question);
        if (question && key && !known.has(key)) {
          known.add(key);
          questions.push(question);
          progress.written += 1;
        } else progress.leftOut += 1;
        yield { ...progress, isStored: false };
        if (questions.length === count || objects === objectsMax) break;
      }
    } catch (error) {
      if (!(error instanceof ContextWindowExceeded)) throw error;
      progress.written -= questions.length;
      window = Math.floor(window / 2);
      continue;
    }
    if (questions.length > 0) await store(questions);
    yield { ...progress };
    rest = rest.slice(rows.length);
  }
}

const countTokens = ({ text }: QuizRow) => estimateTokens(text) + rowTokens;

const sumTokens = (rows: readonly QuizRow[]) =>
  rows.reduce((sum, row) => sum + countTokens(row), 0);

/** Half of a window is for rows, the other half for instructions and answer. */
function countParts(rows: readonly QuizRow[], window: number): number {
  const limit = Math.min(partTokensMax, Math.floor(window / 2));
  if (limit < partTokensMin)
    throw new AppError("llm_failed", { detail: "the model's window is too small" });
  return Math.ceil(sumTokens(rows) / limit);
}

/** The first of `rows`, with about as many tokens as each of `parts`; at least one. */
function takePart(rows: readonly QuizRow[], parts: number): readonly QuizRow[] {
  if (parts <= 1) return rows;
  const share = sumTokens(rows) / parts;
  let tokens = 0;
  const end = rows.findIndex((row) => {
    tokens += countTokens(row);
    return tokens > share;
  });
  return end === -1 ? rows : rows.slice(0, Math.max(1, end));
}

function countQuestions(rows: readonly QuizRow[], share: number): number {
  const { min, max, characters } = questionsPerPart;
  const length = rows.reduce((sum, { text }) => sum + text.length, 0);
  return Math.max(min, Math.min(max, share, Math.round(length / characters)));
}
