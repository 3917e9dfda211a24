import { ContextWindowExceeded, type Llm, type Prompt } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";
import { formatMarks, type MarkedSentence } from "#shared/format-marks.ts";
import type { TermPair } from "#shared/glossary.ts";
import type { SpokenLanguage, TranslationLanguage } from "#shared/languages.ts";
import {
  createNotesPrompt,
  createSummaryPrompt,
  filterNotes,
  filterSummary,
  type SummarySource,
} from "./summary-prompts.ts";
import type { SummaryStyle } from "./summary-styles.ts";
import { filterTimes } from "./time-citations.ts";
import { estimateTokens, getOutputTokens, splitText } from "./tokens.ts";

interface SummaryTask {
  text: string;
  marks: readonly MarkedSentence[];
  /** Agreed translations of terms in the text. */
  terms?: readonly TermPair[];
  /** Of the summary: one or two. */
  languages: readonly TranslationLanguage[];
  /** What was spoken most. */
  spokenIn: SpokenLanguage;
  /** That of a lecture by default. */
  style?: SummaryStyle;
  /** Seconds of the times that the text has before its rows, and that the summary cites; null: it cites none. */
  times?: ReadonlySet<number> | null;
  signal?: AbortSignal | undefined;
}

/** Parts that the model reads at the same time. */
const maxConcurrentParts = 4;
/** In each language, the answer gets this share of the window, but no more tokens than a summary needs. */
const answerShare = 1 / 4;
const maxAnswerTokens = 8_000;
/** Most tokens of the list of marks, as a share of the window, and most characters. */
const marksShare = 1 / 8;
export const marksMaxLength = 24_000;
/** A smaller window cannot be used. */
const minTextTokens = 500;
/** Notes have at most this share of their part's tokens, so that each round shortens the text. */
const notesShare = 1 / 4;
/** Fewer words per token than English has, because models exceed the limit. */
const wordsPerToken = 1 / 2;
const minNotesWords = 60;
const maxNotesWords = 800;
/** Rounds of notes on notes. Each makes the text several times shorter, so more rounds mean no progress. */
const maxRounds = 5;
/** Upper bounds for a word of the notes. */
const tokensPerWord = 4;
const charactersPerWord = 20;

/**
 * Summarises `text`, and yields the pieces as the model writes them. A text that does not fit into the model's
 * window is split at sentence ends; the model takes notes on each part, and again on the notes while they are too
 * long; the summary is written from the notes. If the window is smaller than configured, the parts are halved.
 *
 * @throws AppError `llm_failed`, `rate_limited`; possibly after some pieces, which must then be discarded.
 */
export async function* summarise(llm: Llm, task: SummaryTask): AsyncGenerator<string> {
  let window = llm.contextTokens;
  for (;;) {
    try {
      // A model rejects a prompt as too long before its first piece.
      yield* summariseInWindow(llm, task, window);
      return;
    } catch (error) {
      if (!(error instanceof ContextWindowExceeded)) throw error;
      window = Math.floor(window / 2);
    }
  }
}

async function* summariseInWindow(
  llm: Llm,
  task: SummaryTask,
  window: number,
): AsyncGenerator<string> {
  const { languages, spokenIn, style, times = null, signal } = task;
  const hasTimes = times !== null;
  let { text } = task;
  // A character has at most two tokens.
  const marksLength = Math.min(marksMaxLength, Math.floor((window * marksShare) / 2));
  const marks = formatMarks(task.marks, marksLength);
  let source: SummarySource = "transcript";
  for (let round = 0; ; round += 1) {
    const options = { marks, terms: task.terms, style, hasTimes };
    const prompt = createSummaryPrompt(text, languages, source, options);
    const answerTokens = languages.length * getMaxAnswerTokens(window);
    if (estimateTokens(prompt.user) <= getMaxUserTokens(prompt, window, answerTokens)) {
      const maxTokens = getOutputTokens(prompt, languages.length * maxAnswerTokens, {
        ...llm,
        contextTokens: window,
      });
      yield* filterSummary(filterTimes(llm.stream({ ...prompt, maxTokens, signal }), times));
      return;
    }
    if (round === maxRounds)
      throw new AppError("llm_failed", { detail: "notes do not get shorter" });
    text = await takeNotes(llm, { text, spokenIn, times, signal }, window);
    source = "notes";
  }
}

const getMaxAnswerTokens = (window: number): number =>
  Math.min(maxAnswerTokens, Math.floor(window * answerShare));

/** Maximum tokens of the user message of `prompt`. */
const getMaxUserTokens = ({ system }: Prompt, window: number, answerTokens: number): number =>
  window - answerTokens - estimateTokens(system);

/**
 * Takes notes on each part of `text` and joins them in order; parts without content yield no notes. The first
 * failure aborts the other parts.
 *
 * @throws AppError `llm_failed` if no part has notes.
 */
async function takeNotes(
  llm: Llm,
  task: Pick<SummaryTask, "text" | "spokenIn" | "times" | "signal">,
  window: number,
): Promise<string> {
  const { text, spokenIn, times = null, signal } = task;
  const kind = { spokenIn, hasTimes: times !== null };
  const options = { number: 99, of: 99, maxWords: maxNotesWords, ...kind };
  const emptyPrompt = createNotesPrompt("", options);
  const userTokens = getMaxUserTokens(emptyPrompt, window, getMaxAnswerTokens(window));
  const partTokens = userTokens - estimateTokens(emptyPrompt.user);
  if (partTokens < minTextTokens)
    throw new AppError("llm_failed", { detail: "the model's window is too small" });
  const words = Math.floor(partTokens * notesShare * wordsPerToken);
  const maxWords = Math.min(maxNotesWords, Math.max(minNotesWords, words));
  const parts = splitText(text, partTokens);
  const failure = new AbortController();
  const callSignal = signal ? AbortSignal.any([signal, failure.signal]) : failure.signal;
  const notes: string[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < parts.length; index = next++) {
      const position = { number: index + 1, of: parts.length };
      const prompt = createNotesPrompt(parts[index] ?? "", { ...position, maxWords, ...kind });
      const maxTokens = getOutputTokens(prompt, tokensPerWord * maxWords, {
        ...llm,
        contextTokens: window,
      });
      const pieces = filterTimes(llm.stream({ ...prompt, maxTokens, signal: callSignal }), times);
      let note = "";
      for await (const piece of filterNotes(pieces, charactersPerWord * maxWords)) note += piece;
      notes[index] = note;
    }
  };
  try {
    await Promise.all(Array.from({ length: maxConcurrentParts }, worker));
  } catch (error) {
    failure.abort();
    throw error;
  }
  const nonEmpty = notes.filter((note) => note.trim() !== "");
  if (nonEmpty.length === 0) throw new AppError("llm_failed", { detail: "no notes" });
  return nonEmpty.join("\n\n");
}
