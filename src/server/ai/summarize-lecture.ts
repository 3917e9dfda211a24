import {
  AnswerCut,
  ContextWindowExceeded,
  createUnusableAnswer,
  type Llm,
  type Prompt,
} from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";
import { formatMarks, type MarkedSentence } from "#shared/format-marks.ts";
import type { TermPair } from "#shared/glossary.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import { isInLanguage } from "./answer-language.ts";
import { endCircles } from "./end-circles.ts";
import { leaveOutInstructions } from "./leave-out-instructions.ts";
import { createSummaryPrompt, filterSummary, type SummarySource } from "./summary-prompts.ts";
import type { SummaryStyle } from "./summary-styles.ts";
import { type NotesTask, takeNotes } from "./take-notes.ts";
import { filterTimes } from "./time-citations.ts";
import { estimateTokens, getOutputTokens } from "./tokens.ts";

interface SummaryTask extends NotesTask {
  marks: readonly MarkedSentence[];
  /** The words on the lecture's slides. */
  slides?: string;
  /** Agreed translations of terms in the text. */
  terms?: readonly TermPair[];
  /** Of the summary: one or two. */
  languages: readonly TranslationLanguage[];
  /** That of a lecture by default. Without times it cites none. */
  style?: SummaryStyle;
}

/** In each language, the answer gets this share of the window, but no more tokens than a summary needs. */
const answerShare = 1 / 4;
const maxAnswerTokens = 8_000;
/** Most tokens of the list of marks, as a share of the window, and most characters. */
const marksShare = 1 / 8;
export const marksMaxLength = 24_000;
/** The same of the words on slides. */
const slidesShare = 1 / 8;
/** Rounds of notes on notes. Each makes the text several times shorter, so more rounds mean no progress. */
const maxRounds = 5;
/** Characters of a summary that show its language. */
const shownLength = 400;
/** Times that the window is halved: 128,000 tokens are 1,000 then. */
const maxHalvings = 7;

/**
 * Summarises `text`, and yields the pieces as the model writes them; empty ones mean that it goes on. A text that does not
 * fit into the model's window is split at sentence ends; the model takes notes on each part, and again on the notes while
 * they are too long; the summary is written from the notes. If the window is smaller than configured, the parts are halved.
 *
 * @throws AppError `llm_failed`, `llm_unusable` for a summary in another language, `rate_limited`; possibly after some
 *   pieces, which must then be discarded.
 */
export async function* summarise(llm: Llm, task: SummaryTask): AsyncGenerator<string> {
  const { languages, spokenIn, style, times = null, kept, signal } = task;
  const hasTimes = times !== null;
  let { text } = task;
  let source: SummarySource = "transcript";
  let window = llm.contextTokens;
  let halvings = 0;
  for (let round = 0; ; ) {
    // A character has at most two tokens.
    const marksLength = Math.min(marksMaxLength, Math.floor((window * marksShare) / 2));
    const marks = formatMarks(task.marks, marksLength);
    const slides = (task.slides ?? "").slice(0, Math.floor((window * slidesShare) / 2));
    const options = { marks, slides, terms: task.terms, style, hasTimes };
    const prompt = createSummaryPrompt(text, languages, source, options);
    const answerTokens = languages.length * getMaxAnswerTokens(window);
    if (estimateTokens(prompt.user) <= getMaxUserTokens(prompt, window, answerTokens)) {
      const maxTokens = getOutputTokens(prompt, languages.length * maxAnswerTokens, {
        ...llm,
        contextTokens: window,
      });
      const pieces = filterTimes(llm.stream({ ...prompt, maxTokens, signal }), times);
      try {
        const answer = leaveOutInstructions(endCircles(pieces), prompt.system);
        const summary = endWithWindow(filterSummary(answer), window);
        yield* llm.isDemo ? summary : checkLanguage(summary, languages);
        return;
      } catch (error) {
        // A model rejects a prompt as too long before its first piece.
        if (!(error instanceof ContextWindowExceeded) || halvings === maxHalvings) throw error;
        window = Math.floor(window / 2);
        halvings += 1;
        continue;
      }
    }
    if (round === maxRounds)
      throw new AppError("llm_failed", { detail: "notes do not get shorter" });
    const notesTask = { text, spokenIn, times, kept, signal };
    const getUserTokens = (part: Prompt) =>
      getMaxUserTokens(part, window, getMaxAnswerTokens(window));
    text = yield* takeNotes(llm, notesTask, getUserTokens, window);
    source = "notes";
    round += 1;
  }
}

const getMaxAnswerTokens = (window: number): number =>
  Math.min(maxAnswerTokens, Math.floor(window * answerShare));

/** Maximum tokens of the user message of `prompt`. */
const getMaxUserTokens = ({ system }: Prompt, window: number, answerTokens: number): number =>
  window - answerTokens - estimateTokens(system);

/** The pieces of a summary. One that has filled a small window ends there, and shows it. */
async function* endWithWindow(
  pieces: AsyncIterable<string>,
  window: number,
): AsyncGenerator<string> {
  let hasBegun = false;
  try {
    for await (const piece of pieces) {
      hasBegun = true;
      yield piece;
    }
  } catch (error) {
    const isSmall = getMaxAnswerTokens(window) < maxAnswerTokens;
    if (!(error instanceof AnswerCut) || !isSmall || !hasBegun) throw error;
    yield "…";
  }
}

/** @throws AppError `llm_unusable` for a summary in one language that is in another, as soon as that shows */
async function* checkLanguage(
  pieces: AsyncIterable<string>,
  languages: readonly TranslationLanguage[],
): AsyncGenerator<string> {
  const [language] = languages;
  let text = "";
  let isChecked = language === undefined || languages.length > 1;
  const check = () => {
    isChecked = true;
    if (language !== undefined && !isInLanguage(text, language))
      throw createUnusableAnswer("a summary in another language");
  };
  for await (const piece of pieces) {
    yield piece;
    if (isChecked) continue;
    text += piece;
    if (text.length >= shownLength) check();
  }
  if (!isChecked) check();
}
