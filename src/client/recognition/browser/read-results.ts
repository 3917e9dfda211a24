import { getSpace, joinPieces } from "#shared/join-pieces.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import type { RelayToken } from "#shared/relay.ts";
import { listComparable, listUnits } from "#shared/word-units.ts";

/** One result of the browser's recognition. */
export interface RecognitionResult {
  text: string;
  isFinal: boolean;
  /** 0 to 1. */
  confidence: number;
}

export interface ResultText {
  /** Final texts that were not delivered before, one for each utterance. */
  finals: string[];
  /** Text that may still change. */
  interim: string;
  /** Number of results whose words are delivered; the next call's `deliveredCount`. */
  deliveredCount: number;
}

/**
 * Reads the results of one session. Chrome on Android reports an utterance as several final results of
 * confidence 0, each of which repeats and continues the previous one. Such a result counts as interim
 * until the next one shows whether it goes on.
 */
export function readResults(
  results: readonly RecognitionResult[],
  deliveredCount: number,
  language: SpokenLanguage,
): ResultText {
  const finals: string[] = [];
  let count = deliveredCount;
  for (let result = results[count]; result?.isFinal === true; result = results[count]) {
    const next = results[count + 1];
    if (result.confidence === 0 && next === undefined) break;
    const isRepeated = result.confidence === 0 && next !== undefined && continues(next, result);
    const text = result.text.trim();
    if (!isRepeated && text !== "") finals.push(text);
    count += 1;
  }
  const rest = results.slice(count).map(({ text }) => text.trim());
  const interim = joinPieces(
    rest.filter((text) => text !== ""),
    language,
  );
  return { finals, interim, deliveredCount: count };
}

/** Share of an earlier result's words that a later one must repeat; the rest was recognised anew. */
const repeatedShare = 0.5;

function continues(later: RecognitionResult, earlier: RecognitionResult): boolean {
  const before = listComparable(earlier.text);
  const after = listComparable(later.text);
  if (before.length === 0) return true;
  if (after.length < before.length) return false;
  const repeated = before.filter((word, index) => word === after[index]).length;
  return repeated >= before.length * repeatedShare;
}

export interface TimedText {
  text: string;
  isFinal: boolean;
  /** On the lecture's clock. */
  startMs: number;
  endMs: number;
}

/** One token per unit; they share the time evenly, because the browser reports no times. */
export function toTokens(
  { text, isFinal, startMs, endMs }: TimedText,
  language: SpokenLanguage,
): RelayToken[] {
  const units = listUnits(text.trim());
  const unitMs = (endMs - startMs) / Math.max(1, units.length);
  return units.map((unit, index) => {
    const word = unit.text.trim();
    const hasSpace = index === 0 || word !== unit.text;
    const before = units[index - 1]?.text ?? "";
    return {
      text: (hasSpace ? getSpace(before, word, language) : "") + word,
      is_final: isFinal,
      start_ms: startMs + index * unitMs,
      end_ms: startMs + (index + 1) * unitMs,
    };
  });
}
