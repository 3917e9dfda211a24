import { estimateTokens, getOutputTokens } from "#server/ai/tokens.ts";
import type { Database } from "#server/database.ts";
import { type Clock, ContextWindowExceeded, type Llm, type ModelUse } from "#server/ports.ts";
import { readSlideWords } from "#server/slides/queries.ts";
import { AppError } from "#shared/errors.ts";
import { summaryTextMaxLength } from "#shared/limits.ts";
import type { AnswerEvent, AskInput, QuestionScope } from "#shared/question.ts";
import { addRows, groupRows, selectNearest } from "./found-rows.ts";
import { findRowTerms, type LectureRows, readLectureRows, type SourceRow } from "./lecture-rows.ts";
import { createQuestionPrompt, giveRows, type QuestionTask } from "./prompts.ts";
import type { Answer, EarlierQuestion } from "./questions.ts";
import { readAnswer, toCitedRow } from "./read-answer.ts";
import { type FoundRow, retrieveRows } from "./retrieve-rows.ts";

export interface AskServices {
  db: Database;
  llm: Llm;
  clock: Clock;
}

export interface AskTask extends ModelUse {
  userId: string;
  input: AskInput;
  /** Questions that it follows up, the oldest first. */
  earlier: readonly EarlierQuestion[];
}

/** Searches that the model may ask for. */
const searchesMax = 3;
/** Tokens and characters of an answer. */
const answerTokens = 2_000;
const answerLength = 4_000;
/** A text has at most this many characters a token. */
const charactersPerToken = 3;
/** Most tokens of the words on slides, as a share of the window; a character has at most two. */
const slidesShare = 1 / 8;

/**
 * Answers a question, and yields the events of its answer, from the rows of a whole lecture where the model's window has
 * space for it, otherwise from rows that are found by a search.
 *
 * @returns the answer, when it is complete
 * @throws AppError `llm_failed`, `rate_limited`, or what `spend` throws; possibly after some events. What was begun is then
 *   withdrawn, and what has ended is checked.
 */
export async function* answerQuestion(
  { db, llm, clock }: AskServices,
  task: AskTask,
): AsyncGenerator<AnswerEvent, Answer> {
  const { userId, input, signal } = task;
  const { scope, answerIn } = input;
  const hasTitles = scope.lectureId === null;
  const findAgain = (words: string) => retrieveRows(db, { userId, scope, question: words, clock });
  const searched: string[] = [];
  let window = llm.contextTokens;
  const lecture = await readWhole(db, { userId, scope, window });
  const whole = lecture?.isWhole ? lecture.rows : null;
  if (whole?.length === 0) {
    yield { kind: "not_said", nearest: [] };
    return { statements: [], nearest: [] };
  }
  const key = scope.lectureId === null ? null : { userId, id: scope.lectureId };
  const [terms, slides] = await Promise.all([
    lecture && key ? findRowTerms(db, key, lecture, answerIn) : [],
    key ? readSlideWords(db, key) : "",
  ]);
  let found: FoundRow[] | null = null;
  for (;;) {
    const texts = {
      ...{ answerIn, question: input.question, earlier: task.earlier, terms },
      slides: slides.slice(0, Math.floor((window * slidesShare) / 2)),
    };
    let call = whole && planWhole(whole, texts, window);
    if (!call) {
      found ??= await findAgain(toSearchWords(task));
      call = planFound(found, { ...texts, searched }, window);
    }
    const { prompt, given, maySearch } = call;
    await task.spend(prompt.user.length + answerLength);
    const maxTokens = getOutputTokens(prompt, answerTokens, { ...llm, contextTokens: window });
    try {
      const pieces = llm.stream({ ...prompt, maxTokens, signal });
      const { statements, search } = yield* readAnswer(pieces, given, { maySearch, hasTitles });
      if (search === null) {
        if (statements.length > 0) return { statements, nearest: [] };
        const best = found ?? (await findAgain(toSearchWords(task)));
        const nearest = selectNearest(best).map((row) => toCitedRow(row, { hasTitles }));
        yield { kind: "not_said", nearest };
        return { statements, nearest };
      }
      yield { kind: "search", words: search };
      searched.push(search);
      found = addRows(found ?? [], await findAgain(search));
    } catch (error) {
      // A model rejects a prompt as too long before its first piece.
      if (!(error instanceof ContextWindowExceeded)) throw error;
      window = Math.floor(window / 2);
    }
  }
}

/** A follow-up says only half of what is looked for. */
const toSearchWords = ({ input, earlier }: AskTask): string =>
  [earlier.at(-1)?.question, input.question].join(" ").trim();

/** The rows of a lecture that is asked about, as far as the window has space; null for a folder. */
async function readWhole(
  db: Database,
  { userId, scope, window }: { userId: string; scope: QuestionScope; window: number },
): Promise<LectureRows | null> {
  if (scope.lectureId === null) return null;
  const maxLength = Math.min(summaryTextMaxLength, charactersPerToken * window);
  const lecture = await readLectureRows(db, { userId, id: scope.lectureId }, maxLength);
  if (!lecture) throw new AppError("not_found");
  return lecture;
}

const createCall = (task: QuestionTask) => ({ ...task, prompt: createQuestionPrompt(task) });
type Call = ReturnType<typeof createCall>;

const fits = ({ prompt: { system, user } }: Call, window: number): boolean =>
  estimateTokens(system) + estimateTokens(user) + answerTokens <= window;

type QuestionTexts = Pick<QuestionTask, "answerIn" | "question" | "earlier" | "terms" | "slides">;

/** With translations, if they fit too; null if not even the originals do. */
function planWhole(rows: readonly SourceRow[], texts: QuestionTexts, window: number): Call | null {
  for (const translatedInto of [texts.answerIn, null]) {
    const given = giveRows(rows, { translatedInto });
    const call = createCall({ ...texts, given, searched: [], maySearch: false });
    if (fits(call, window)) return call;
  }
  return null;
}

/**
 * With as many of the best rows as fit.
 *
 * @throws AppError `llm_failed` if the question alone is too long for the window
 */
function planFound(
  found: readonly FoundRow[],
  texts: QuestionTexts & Pick<QuestionTask, "searched">,
  window: number,
): Call {
  const maySearch = texts.searched.length < searchesMax;
  for (let count = found.length; ; count = Math.floor(count / 2)) {
    const given = giveRows(groupRows(found.slice(0, count)), { translatedInto: texts.answerIn });
    const call = createCall({ ...texts, given, maySearch });
    if (fits(call, window)) return call;
    if (count === 0)
      throw new AppError("llm_failed", { detail: "the model's window is too small" });
  }
}
