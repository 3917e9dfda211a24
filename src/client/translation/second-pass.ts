import type { RowTranslation, TranscriptRow } from "#client/lecture/lecture-document.ts";
import { ApiError } from "#client/lib/call-server.ts";
import type { Clock } from "#client/lib/clock.ts";
import { pause } from "#client/lib/timeouts-and-retries.ts";
import { getTermFinder } from "#shared/find-terms.ts";
import type { GlossaryTerm, TermPair } from "#shared/glossary.ts";
import { getTranslationLanguage, type LanguagePair } from "#shared/languages.ts";
import {
  type Backoff,
  getBackoffMs,
  partTextMaxLength,
  rowsBeforeMax,
  termsPerPartMax,
  translateTextMaxLength,
} from "#shared/limits.ts";
import { type TranslationPair, toPairKey } from "#shared/translation-pairs.ts";
import { isAnswerFailure } from "./answer-failure.ts";
import { isBudgetError } from "./model-pause.ts";

/**
 * Translates a lecture again with the whole of it in view: part by part, each with its terms, the rows before it and the
 * names that were chosen so far. Nothing is changed before all parts are there.
 */

/** Rows of one part. More would make an answer that is long in coming. */
const rowsPerPart = 30;
/** Characters of a part's rows; the rest is for the rows before. */
const rowsTextLength = (partTextMaxLength * 2) / 3;
const attemptsMax = 3;
const backoff: Backoff = { firstMs: 2_000, maxMs: 60_000 };

/** Consecutive rows of one pair of languages that are translated together. */
export interface PassPart {
  pair: TranslationPair;
  rows: readonly TranscriptRow[];
}

/** A row with its new translation. `row`: as it was when the pass began. */
export interface PassedRow {
  row: TranscriptRow;
  after: RowTranslation;
}

export type TranslateRows = (
  input: TranslationPair & {
    rows: { id: string; text: string }[];
    terms: readonly TermPair[];
    wordContext: string;
    before: { original: string; translated: string }[];
    digest: string;
  },
  signal: AbortSignal,
) => Promise<{ rows: { id: string; translated: string }[]; digest: string }>;

interface Pass {
  /** All rows of the lecture. */
  rows: readonly TranscriptRow[];
  languages: LanguagePair;
  terms: readonly GlossaryTerm[];
  wordContext: string;
  translateRows: TranslateRows;
  clock: Clock;
  /** `done` of the pass's rows have an answer. */
  onProgress(done: number): void;
}

const hasTranslation = ({ translation }: TranscriptRow): boolean =>
  translation === "done" || translation === "failed";

/** The parts of the rows that a pass may change: those that are translated, by no person. */
export function planParts(
  rows: readonly TranscriptRow[],
  languages: LanguagePair,
): readonly PassPart[] {
  const parts: { pair: TranslationPair; rows: TranscriptRow[] }[] = [];
  const open = new Map<string, (typeof parts)[number]>();
  for (const row of rows) {
    const { original, spokenIn, translatedByHand } = row;
    const target = row.translatedInto ?? getTranslationLanguage(languages, spokenIn);
    if (target === null || translatedByHand || !hasTranslation(row)) continue;
    if (original.trim() === "" || original.length > translateTextMaxLength) continue;
    const pair = { sourceLanguage: spokenIn, targetLanguage: target };
    const last = open.get(toPairKey(pair));
    if (last && last.rows.length < rowsPerPart && hasRoom(last.rows, row)) last.rows.push(row);
    else {
      const part = { pair, rows: [row] };
      open.set(toPairKey(pair), part);
      parts.push(part);
    }
  }
  return parts;
}

const hasRoom = (rows: readonly TranscriptRow[], row: TranscriptRow): boolean =>
  [...rows, row].reduce((sum, { original }) => sum + original.length, 0) <= rowsTextLength;

/**
 * The new translations of all rows that have one. Rows whose part the model did not translate are missing.
 *
 * @throws ApiError if no part could be translated, the budget is used up, or the server cannot be reached; what aborted
 *   `signal`
 */
export async function runSecondPass(pass: Pass, signal: AbortSignal): Promise<PassedRow[]> {
  const finder = getTermFinder(pass.terms);
  const passed = new Map<TranscriptRow, RowTranslation>();
  const digests = new Map<string, string>();
  let failure: ApiError | null = null;
  let done = 0;
  for (const { pair, rows } of planParts(pass.rows, pass.languages)) {
    const key = toPairKey(pair);
    const text = rows.map(({ original }) => original).join("\n");
    const input = {
      ...pair,
      rows: rows.map(({ original }, index) => ({ id: `${index + 1}`, text: original.trim() })),
      terms: await finder.findInSlices({ ...pair, text }, termsPerPartMax),
      wordContext: pass.wordContext,
      before: listRowsBefore(pass.rows, rows, passed),
      digest: digests.get(key) ?? "",
    };
    try {
      const answer = await tryAgain(pass, () => pass.translateRows(input, signal), signal);
      digests.set(key, answer.digest);
      for (const { id, translated } of answer.rows) {
        const row = rows[Number(id) - 1];
        const after = { translated, translation: "done", translatedInto: pair.targetLanguage };
        if (row) passed.set(row, after as RowTranslation);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ApiError) || !isAnswerFailure(error.code)) throw error;
      failure = error;
    }
    done += rows.length;
    pass.onProgress(done);
  }
  if (passed.size === 0 && failure) throw failure;
  return [...passed].map(([row, after]) => ({ row, after }));
}

/** What was said before a part, with the newest translations, as far as it fits. */
function listRowsBefore(
  all: readonly TranscriptRow[],
  part: readonly TranscriptRow[],
  passed: ReadonlyMap<TranscriptRow, RowTranslation>,
): { original: string; translated: string }[] {
  const before: { original: string; translated: string }[] = [];
  let left = partTextMaxLength - rowsTextLength;
  for (let at = (part[0]?.position ?? 0) - 1; at >= 0 && before.length < rowsBeforeMax; at -= 1) {
    const row = all[at];
    if (row === undefined || row.original.trim() === "") continue;
    const { translated, translation } = passed.get(row) ?? row;
    if (translation !== "done") continue;
    left -= row.original.length + translated.length;
    if (left < 0) break;
    if (translated.trim() !== "") before.unshift({ original: row.original, translated });
  }
  return before;
}

async function tryAgain<T>(
  { clock }: Pick<Pass, "clock">,
  call: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      signal.throwIfAborted();
      return await call();
    } catch (error) {
      signal.throwIfAborted();
      const isFinal = !(error instanceof ApiError && error.retryable) || isBudgetError(error);
      if (isFinal || failures + 1 >= attemptsMax) throw error;
      const delayMs = (error.retryAfterSeconds ?? 0) * 1_000 || getBackoffMs(backoff, failures);
      await pause(clock, Math.min(delayMs, backoff.maxMs), signal);
    }
  }
}

/** What the rows in `passed` are now changed to, by id: those that nobody has changed since. */
export function selectChanges(
  rows: readonly TranscriptRow[],
  passed: readonly PassedRow[],
): Map<string, RowTranslation> {
  const byId = new Map(passed.map((one) => [one.row.id, one]));
  const changes = new Map<string, RowTranslation>();
  for (const row of rows) {
    const one = byId.get(row.id);
    if (one === undefined || row.translatedByHand) continue;
    if (row.original !== one.row.original || row.spokenIn !== one.row.spokenIn) continue;
    if (row.translated !== one.row.translated || row.translation !== one.row.translation) continue;
    if (row.translated !== one.after.translated) changes.set(row.id, one.after);
  }
  return changes;
}

/** The way back from `changes` of `rows`: the very texts from before. */
export const listUndo = (
  rows: readonly TranscriptRow[],
  changes: ReadonlyMap<string, RowTranslation>,
): PassedRow[] =>
  rows.flatMap((row) => {
    const after = changes.get(row.id);
    const { translated, translation, translatedInto } = row;
    return after
      ? [{ row: { ...row, ...after }, after: { translated, translation, translatedInto } }]
      : [];
  });
