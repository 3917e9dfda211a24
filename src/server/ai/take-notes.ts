import { AnswerCut, ContextWindowExceeded, type Llm } from "#server/ports.ts";
import { AppError } from "#shared/errors.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { countWords } from "#shared/words.ts";
import { isCircular } from "./clean-answer.ts";
import { endCircles } from "./end-circles.ts";
import { leaveOutInstructions } from "./leave-out-instructions.ts";
import { createNotesPrompt, filterNotes } from "./summary-prompts.ts";
import { filterTimes } from "./time-citations.ts";
import { estimateTokens, getOutputTokens, splitText } from "./tokens.ts";

/** Notes on the parts of a lecture that is too long for the model's window. */

/** Keeps the notes of each part, so that a summary that was broken off goes on from them. */
export interface KeptNotes {
  /** By `key` of a part's prompt; null: the part is too long, and is read in halves. */
  read(): Promise<ReadonlyMap<string, string | null>>;
  write(key: string, notes: string | null): Promise<void>;
}

export interface NotesTask {
  text: string;
  spokenIn: SpokenLanguage;
  /** Seconds of the times that the text has before its rows; null: none. */
  times?: ReadonlySet<number> | null;
  kept?: KeptNotes | undefined;
  signal?: AbortSignal | undefined;
}

/** Parts that a service reads at the same time. */
const defaultConcurrency = 4;
/** A smaller window cannot be used. */
const minTextTokens = 500;
/** A shorter part is not halved. */
const minPartTokens = 250;
/** Notes have at most this share of their part's tokens, so that each round shortens the text. */
const notesShare = 1 / 4;
/** Fewer words per token than English has, because models exceed the limit. */
const wordsPerToken = 1 / 2;
const minNotesWords = 60;
const maxNotesWords = 800;
/** Upper bounds for a word of the notes. */
const tokensPerWord = 3;
const charactersPerWord = 20;
/** An answer with this share of the tokens that it may have has reached its own limit. */
const fullShare = 0.9;

/**
 * Takes notes on each part of `text`, and joins them in order; parts without content yield no notes. Yields an empty string
 * after each part, so that who waits knows that the work goes on. The first failure aborts the other parts.
 *
 * A part that the server refuses as too long, by whatever answer, is read in halves, and larger parts are not tried again.
 *
 * @param userTokens of the user's message of a prompt, at most
 * @throws AppError `llm_failed` if no part has notes, or not even a short part fits
 */
export async function* takeNotes(
  llm: Llm,
  task: NotesTask,
  getUserTokens: (prompt: { system: string; user: string }) => number,
  window: number,
): AsyncGenerator<"", string> {
  const { text, spokenIn, times = null, kept, signal } = task;
  const kind = { spokenIn, hasTimes: times !== null };
  const emptyPrompt = createNotesPrompt("", {
    number: 99,
    of: 99,
    maxWords: maxNotesWords,
    ...kind,
  });
  const partTokens = getUserTokens(emptyPrompt) - estimateTokens(emptyPrompt.user);
  if (partTokens < minTextTokens)
    throw new AppError("llm_failed", { detail: "the model's window is too small" });
  const words = Math.floor(partTokens * notesShare * wordsPerToken);
  const maxWords = Math.min(maxNotesWords, Math.max(minNotesWords, words));
  const parts = splitText(text, partTokens);
  const failure = new AbortController();
  const callSignal = signal ? AbortSignal.any([signal, failure.signal]) : failure.signal;
  const known = (await kept?.read()) ?? new Map<string, string | null>();
  let fittingTokens = Number.POSITIVE_INFINITY;

  async function noteOn(part: string, number: number, isHalf = false): Promise<string> {
    const prompt = createNotesPrompt(part, { number, of: parts.length, maxWords, ...kind });
    const key = kept ? await hashPrompt(prompt) : "";
    const before = known.get(key);
    if (typeof before === "string") return before;
    const tokens = estimateTokens(part);
    if (before === undefined && tokens <= fittingTokens) {
      const maxTokens = getOutputTokens(prompt, tokensPerWord * maxWords, {
        ...llm,
        contextTokens: window,
      });
      let count = 0;
      const answer = countPieces(llm.stream({ ...prompt, maxTokens, signal: callSignal }), () => {
        count += 1;
      });
      const pieces = leaveOutInstructions(filterTimes(answer, times), prompt.system);
      let note = "";
      try {
        for await (const piece of filterNotes(endCircles(pieces), charactersPerWord * maxWords))
          note += piece;
        await kept?.write(key, note);
        return note;
      } catch (error) {
        if (!(error instanceof ContextWindowExceeded || error instanceof AnswerCut)) throw error;
        const isCut = error instanceof AnswerCut;
        // A model that finds no end finds none in a half of it either. Notes that are shorter than they may be, in words
        // and in tokens, of which most servers send each by itself, have been cut by the window's end.
        const isLong = count >= fullShare * maxTokens || countWords(note) >= maxWords;
        const isEndless = isHalf || isLong || isCircular(note, part);
        if (isCut && (isEndless || tokens < 2 * minPartTokens)) {
          const whole = cutAtLine(note);
          await kept?.write(key, whole);
          return whole;
        }
        if (tokens < 2 * minPartTokens) throw error;
        if (error instanceof ContextWindowExceeded)
          fittingTokens = Math.min(fittingTokens, Math.ceil(tokens / 2) + minPartTokens / 2);
      }
    }
    if (before === undefined) await kept?.write(key, null);
    const halves = splitText(part, Math.ceil(tokens / 2) + minPartTokens / 4);
    const notes: string[] = [];
    for (const half of halves) notes.push(await noteOn(half, number, true));
    return notes.filter((note) => note.trim() !== "").join("\n");
  }

  let firstError: unknown = null;
  const running: Promise<string>[] = [];
  const startNext = () => {
    const part = parts[running.length];
    if (part === undefined) return;
    const notes = noteOn(part, running.length + 1);
    running.push(notes);
    notes.catch((error: unknown) => {
      firstError ??= error;
      failure.abort();
    });
  };
  const notes: string[] = [];
  try {
    for (let count = 0; count < (llm.concurrency ?? defaultConcurrency); count += 1) startNext();
    for (let index = 0; index < parts.length; index += 1) {
      const note = await running[index];
      if (note !== undefined && note.trim() !== "") notes.push(note);
      startNext();
      yield "";
    }
  } catch (error) {
    throw firstError ?? error;
  } finally {
    failure.abort();
  }
  if (notes.length === 0) throw new AppError("llm_failed", { detail: "no notes" });
  return notes.join("\n\n");
}

async function* countPieces(
  pieces: AsyncIterable<string>,
  onPiece: () => void,
): AsyncGenerator<string> {
  for await (const piece of pieces) {
    onPiece();
    yield piece;
  }
}

/** Without the line that was not finished, unless there is only one. */
function cutAtLine(note: string): string {
  const end = note.lastIndexOf("\n");
  return end > 0 ? note.slice(0, end) : note;
}

/** SHA-256 of a prompt, in hexadecimal digits: the same text, part and instructions have the same notes. */
async function hashPrompt({ system, user }: { system: string; user: string }): Promise<string> {
  const bytes = new TextEncoder().encode(`${system}\0${user}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
