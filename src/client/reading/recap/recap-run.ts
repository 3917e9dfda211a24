import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { findMostSpoken } from "#client/reading/most-spoken.ts";
import { isAnswerFailure } from "#client/translation/answer-failure.ts";
import { getTermFinder } from "#shared/find-terms.ts";
import type { GlossaryTerm } from "#shared/glossary.ts";
import { isSameLanguage, type TranslationLanguage } from "#shared/languages.ts";
import { citedTextMaxLength, digestMaxLength, termsPerPartMax } from "#shared/limits.ts";
import type { CitedRow } from "#shared/question.ts";
import type { RecapRequest } from "#shared/recap.ts";
import { type AnswerPiece, isQuoted, listQuotations } from "#shared/statements.ts";
import {
  divideIntoBlocks,
  fitsOneCall,
  groupByHour,
  type RecapBlock,
  type RecapItem,
  toItem,
} from "./recap-parts.ts";
import type { RecapEvent } from "./recap-state.ts";

export type AskForRecap = (
  request: RecapRequest,
  signal: AbortSignal,
) => AsyncIterable<AnswerPiece>;

interface RecapTask {
  /** What the recap is about, in its order; at least one. */
  rows: readonly TranscriptRow[];
  language: TranslationLanguage;
  terms: readonly GlossaryTerm[];
  wordContext: string;
  ask: AskForRecap;
  /** Of the same lecture. */
  digests: RecapDigests;
}

/** A condensed statement rests on many rows; so many are named. */
const namedRowsMax = 6;

interface Digest {
  language: TranslationLanguage;
  /** When it ends on the lecture's clock, ms. */
  endMs: number;
  items: readonly RecapItem[];
}

/**
 * What was condensed of a lecture, by its language and text, until the page is closed. A part whose text has changed since
 * is condensed again.
 */
export type RecapDigests = Map<string, Digest>;

/** The last lines in `language` on what was said before `ms`, as far as it is known. */
function describeBefore(digests: RecapDigests, language: TranslationLanguage, ms: number): string {
  const before = [...digests.values()].filter(
    (digest) => digest.language === language && digest.endMs <= ms,
  );
  const end = Math.max(...before.map(({ endMs }) => endMs));
  const last = before.findLast(({ endMs }) => endMs === end);
  const text = last?.items.map((item) => item.text).join("\n") ?? "";
  return text.slice(-digestMaxLength).toWellFormed();
}

/**
 * Asks for a recap. Rows that one call cannot read are condensed block by block first, each once for the lecture.
 *
 * @throws what `ask` throws; statements that ended before are valid
 */
export async function* runRecap(task: RecapTask, signal: AbortSignal): AsyncGenerator<RecapEvent> {
  let items = task.rows.map(toItem);
  if (!fitsOneCall(items)) {
    const blocks = divideIntoBlocks(task.rows);
    // The last one still grows.
    const open = blocks.pop();
    const groups = groupByHour(blocks);
    const condensed: RecapItem[] = [];
    const total = groups.length;
    let failures = 0;
    for (const [done, group] of groups.entries()) {
      yield { kind: "progress", done, total };
      try {
        condensed.push(...(await condenseGroup(task, group, signal)));
      } catch (error) {
        const isAnswer = error instanceof ApiError && isAnswerFailure(error.code);
        failures += 1;
        // A time in which nothing of note was said has no statement; a model that is down fails again.
        if (!isAnswer || failures > 1) throw error;
      }
    }
    yield { kind: "progress", done: total, total };
    items = [...condensed, ...(open?.rows ?? []).map(toItem)];
  }
  for await (const piece of askAbout(task, items, signal)) {
    if (piece.kind === "other") continue;
    yield piece.kind === "begin" ? cite(piece, items) : piece;
  }
  yield { kind: "finish" };
}

/** Asks once. A statement that quotes another one, which is the model's, and not what was said, is withdrawn. */
async function* askAbout(
  task: RecapTask,
  items: readonly RecapItem[],
  signal: AbortSignal,
): AsyncGenerator<AnswerPiece> {
  let text = "";
  let said: string[] = [];
  for await (const piece of task.ask(await createRequest(task, items), signal)) {
    signal.throwIfAborted();
    if (piece.kind === "begin") {
      text = "";
      said = findRows(piece.rows, items).map(({ original }) => original);
    } else if (piece.kind === "text") text += piece.text;
    const isFalse =
      piece.kind === "end" && !listQuotations(text).every((quote) => isQuoted(quote, said));
    yield isFalse ? { kind: "drop" } : piece;
  }
}

/** A whole hour is condensed from what its blocks were condensed to. */
async function condenseGroup(
  task: RecapTask,
  group: readonly RecapBlock[],
  signal: AbortSignal,
): Promise<readonly RecapItem[]> {
  const items: RecapItem[] = [];
  for (const { rows } of group) items.push(...(await condense(task, rows.map(toItem), signal)));
  return group.length > 1 ? condense(task, items, signal) : items;
}

async function condense(
  task: RecapTask,
  items: readonly RecapItem[],
  signal: AbortSignal,
): Promise<readonly RecapItem[]> {
  const { language, digests } = task;
  const rows = items.flatMap((item) => item.rows);
  const lines = items.map((item) => `${item.rows[0]?.startMs} ${item.text}`);
  const key = [language, ...lines].join("\n");
  const known = digests.get(key);
  if (known) return known.items;
  const found: RecapItem[] = [];
  let open: RecapItem | null = null;
  for await (const piece of askAbout(task, items, signal)) {
    if (piece.kind === "begin") open = { text: "", rows: findRows(piece.rows, items) };
    else if (piece.kind === "text" && open)
      open = { rows: open.rows, text: open.text + piece.text };
    else if (piece.kind === "end" && open) found.push(open);
  }
  const endMs = Math.max(...rows.map((row) => row.endMs));
  digests.set(key, { language, endMs, items: found });
  return found;
}

async function createRequest(
  { language, terms, wordContext, digests }: RecapTask,
  items: readonly RecapItem[],
): Promise<RecapRequest> {
  const rows = items.flatMap((item) => item.rows);
  const spokenIn = findMostSpoken(rows);
  const text = items.map((item) => item.text).join("\n");
  const before = Math.min(...rows.map(({ startMs }) => startMs));
  return {
    rows: items.map((item, at) => ({ id: `r${at + 1}`, text: item.text })),
    spokenIn,
    language,
    wordContext,
    terms: isSameLanguage(spokenIn, language)
      ? []
      : await getTermFinder(terms).findInSlices(
          { text, sourceLanguage: spokenIn, targetLanguage: language },
          termsPerPartMax,
        ),
    before: describeBefore(digests, language, before),
  };
}

function cite(
  { rows, quote }: Extract<AnswerPiece, { kind: "begin" }>,
  items: readonly RecapItem[],
): RecapEvent {
  const cited = findRows(rows, items, namedRowsMax);
  // Of a condensed statement the quotation is the model's words, and nobody said them.
  const isSaid = cited.some(({ original }) => original.includes(quote));
  return { kind: "begin", rows: cited.map(toCitedRow), quote: isSaid ? quote : "" };
}

/** The rows that items rest on, `max` at most. Of several with many rows, each has its first ones then. */
function findRows(
  ids: readonly string[],
  items: readonly RecapItem[],
  max = Infinity,
): TranscriptRow[] {
  const cited = ids.flatMap((id) => items[Number(id.slice(1)) - 1] ?? []);
  const share = Math.max(1, Math.floor(max / Math.max(1, cited.length)));
  const rows = new Set(cited.flatMap((item) => item.rows.slice(0, share)));
  return [...rows].slice(0, max).sort((a, b) => a.position - b.position);
}

const toCitedRow = (row: TranscriptRow): CitedRow => ({
  lectureId: "",
  title: "",
  position: row.ordinal,
  startMs: row.startMs,
  original: row.original.slice(0, citedTextMaxLength).toWellFormed(),
  spokenIn: row.spokenIn,
  translated:
    row.translation === "done" ? row.translated.slice(0, citedTextMaxLength).toWellFormed() : "",
  translatedInto: row.translation === "done" ? row.translatedInto : null,
});
