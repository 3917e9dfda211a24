import { ContextWindowExceeded, type Llm, type Prompt } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";
import type { TargetLanguage } from "#shared/languages.ts";
import {
  createNotesPrompt,
  createSummaryPrompt,
  filterNotes,
  filterSummary,
  type SummarySource,
} from "./summary-prompts.ts";
import { estimateTokens, getOutputTokens, splitText } from "./tokens.ts";

interface SummaryTask {
  text: string;
  targetLanguage: TargetLanguage;
  signal?: AbortSignal | undefined;
}

/** Parts that are worked on at the same time. */
const maxConcurrentParts = 4;
/** Of the window, what is kept for the answer; no summary needs more than the second. */
const answerShare = 1 / 4;
const maxAnswerTokens = 8_000;
/** A window into which less text than this fits cannot serve. */
const minTextTokens = 500;
/** Of the tokens of a part, what its notes may have: so notes shrink from round to round. */
const notesShare = 1 / 4;
/** Words of notes for each token that they may have: fewer than English has, which models overrun. */
const wordsPerToken = 1 / 2;
const minNotesWords = 60;
const maxNotesWords = 800;
/** Rounds of notes on notes. Each makes the text several times shorter, so more are no progress. */
const maxRounds = 5;
/** More tokens and characters than a word of notes has. */
const tokensPerWord = 4;
const charactersPerWord = 20;

/**
 * Summarises `text`, in pieces as the model writes them. What does not fit into the model's window is
 * split at the ends of sentences; notes are taken on the parts, and on those again where they are
 * still too long; the summary is made of the notes. A model whose window turns out to be smaller than
 * it was said to be is tried again with smaller parts.
 *
 * @throws AppError `llm_failed`, `rate_limited`; after the first piece too, and then what came before
 * is no summary.
 */
export async function* summarise(llm: Llm, task: SummaryTask): AsyncGenerator<string> {
  let window = llm.contextTokens;
  for (;;) {
    try {
      // A model that refuses a prompt as too long does so before its first piece.
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
  let { text } = task;
  let material: SummarySource = "transcript";
  for (let round = 0; ; round += 1) {
    const prompt = createSummaryPrompt(text, task.targetLanguage, material);
    if (estimateTokens(prompt.user) <= countInputTokens(prompt, window)) {
      yield* filterSummary(
        streamAnswer(llm, { prompt, answerTokens: maxAnswerTokens, window }, task.signal),
      );
      return;
    }
    if (round === maxRounds)
      throw new AppError("llm_failed", { detail: "notes do not get shorter" });
    text = await takeNotes(llm, text, window, task.signal);
    material = "notes";
  }
}

/** Tokens that the user's message of `prompt` may have. */
function countInputTokens({ system }: Prompt, window: number): number {
  const answer = Math.min(maxAnswerTokens, Math.floor(window * answerShare));
  return window - answer - estimateTokens(system);
}

/**
 * Notes on each part of `text`, in order; a part that holds nothing to note has none. The first
 * failure ends the work on the others.
 *
 * @throws AppError `llm_failed` when no part has notes.
 */
async function takeNotes(
  llm: Llm,
  text: string,
  window: number,
  signal: AbortSignal | undefined,
): Promise<string> {
  const room = countInputTokens(
    createNotesPrompt("", { number: 99, of: 99, maxWords: maxNotesWords }),
    window,
  );
  const partTokens = room - estimateTokens("<text></text>");
  if (partTokens < minTextTokens)
    throw new AppError("llm_failed", { detail: "the model's window is too small" });
  const words = Math.floor(partTokens * notesShare * wordsPerToken);
  const maxWords = Math.min(maxNotesWords, Math.max(minNotesWords, words));
  const parts = splitText(text, partTokens);
  const failing = new AbortController();
  const either = signal ? AbortSignal.any([signal, failing.signal]) : failing.signal;
  const notes: string[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < parts.length; index = next++) {
      const prompt = createNotesPrompt(parts[index] ?? "", {
        number: index + 1,
        of: parts.length,
        maxWords,
      });
      let note = "";
      const pieces = streamAnswer(
        llm,
        { prompt, answerTokens: tokensPerWord * maxWords, window },
        either,
      );
      for await (const piece of filterNotes(pieces, charactersPerWord * maxWords)) note += piece;
      notes[index] = note;
    }
  };
  try {
    await Promise.all(Array.from({ length: maxConcurrentParts }, worker));
  } catch (error) {
    failing.abort();
    throw error;
  }
  const taken = notes.filter((note) => note.trim() !== "");
  if (taken.length === 0) throw new AppError("llm_failed", { detail: "no notes" });
  return taken.join("\n\n");
}

const streamAnswer = (
  llm: Llm,
  { prompt, answerTokens, window }: { prompt: Prompt; answerTokens: number; window: number },
  signal: AbortSignal | undefined,
) =>
  llm.stream({
    ...prompt,
    maxTokens: getOutputTokens(prompt, answerTokens, window),
    ...(signal ? { signal } : {}),
  });
