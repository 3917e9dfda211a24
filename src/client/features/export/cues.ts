import { lineMark, partMark } from "#client/lib/cue-marks.ts";
import { CueText, faultCost } from "./cue-text.ts";
import { computeCueTimes } from "./cue-times.ts";
import { type ExportedRow, type Line, type Sides, selectLines } from "./exported-lecture.ts";

/** What a viewer reads at once, as broadcasters cut it. */

const cueMaxMs = 7_000;
const cueMinMs = 1_000;
/** 17 Latin characters a second, 8 Chinese ones: how long a full cue of one language is read. */
const fullCueMs = 5_000;
/** Of what fits into a cue, the part that is used on average, so that cues may end between clauses. */
const fill = 0.75;
/** A cue that says less is not divided because of its time. */
const sizeMin = 0.15;
/** More cues than a row needs, among which a division without faults is looked for. */
const triesMax = 4;

export interface Cue {
  row: ExportedRow;
  /** Whether the row begins, and ends, with this cue. */
  isFirst: boolean;
  isLast: boolean;
  startMs: number;
  endMs: number;
  /** The lines of each language. */
  texts: { lines: string[]; language: Line["language"] }[];
}

/**
 * The cues of `rows`: where there is time, at most two lines for each language and seven seconds, both languages in
 * step. A cue stays until it can be read, if the next one does not begin before. Lines that go on, and parts of rows,
 * end with marks, by which an import puts rows together again.
 *
 * @param getStart what stands before the text of a row
 */
export function createCues(
  rows: readonly ExportedRow[],
  sides: Sides,
  getStart: (row: ExportedRow) => string = () => "",
): Cue[] {
  const timed = computeCueTimes(rows);
  return timed.flatMap((row, at) => divideRow(row, sides, getStart(row), timed[at + 1]?.startMs));
}

function divideRow(
  row: ExportedRow,
  sides: Sides,
  start: string,
  nextMs = Number.POSITIVE_INFINITY,
): Cue[] {
  const lines = selectLines(row, sides).map(({ text, language }, at) => ({
    language,
    text: new CueText(at === 0 ? start + text : text, language.lang),
  }));
  const lengthMs = row.endMs - row.startMs;
  const { count, ends } = divideTexts(
    lines.map(({ text }) => text),
    lengthMs,
  );
  const shares = listShares(lines[0]?.text, ends[0] ?? [], count);
  const toTime = (share: number) => row.startMs + Math.round(lengthMs * share);
  return shares.map((share, at): Cue => {
    const startMs = toTime(at === 0 ? 0 : (shares[at - 1] ?? 0));
    const parts = lines.flatMap(({ text, language }, line) => {
      const own = ends[line] ?? [];
      const to = own[at];
      if (to === undefined) return [];
      const from = own[at - 1] ?? 0;
      const shown = markLines(text.toLines(from, to), at < own.length - 1);
      return [{ language, lines: shown, size: text.getSize(from, to) }];
    });
    const isLast = at === count - 1;
    const readMs = Math.round(Math.max(...parts.map(({ size }) => size)) * fullCueMs);
    const endMs = isLast ? Math.max(row.endMs, Math.min(startMs + readMs, nextMs)) : toTime(share);
    return {
      row,
      isFirst: at === 0,
      isLast,
      startMs,
      endMs: Math.min(endMs, startMs + cueMaxMs),
      texts: parts.map(({ language, lines }) => ({ language, lines })),
    };
  });
}

const markLines = (lines: readonly string[], hasMore: boolean): string[] =>
  lines.map((line, at) => {
    if (at < lines.length - 1) return line + lineMark;
    return hasMore ? line + partMark : line;
  });

interface Division {
  count: number;
  /** Of each text, where its parts end. A short text has fewer parts than there are cues. */
  ends: number[][];
  cost: number;
}

/** Divides the texts of a row into the same number of parts, where they have so many words. */
function divideTexts(texts: readonly CueText[], lengthMs: number): Division {
  const size = Math.max(...texts.map((text) => text.size));
  const most = Math.max(1, Math.floor(lengthMs / cueMinMs));
  const byTime = Math.ceil(lengthMs / cueMaxMs);
  const byText = Math.floor(size / sizeMin);
  const bySize = size <= 1 ? 1 : Math.ceil(size / fill);
  const least = Math.min(most, Math.max(1, bySize, Math.min(byTime, byText)));
  const shareMax = byTime > byText ? 1 : cueMaxMs / lengthMs;
  let best: Division | null = null;
  for (let count = least; count <= Math.min(most, least + triesMax); count += 1) {
    const division = divideInto(texts, count, shareMax);
    if (best === null || division.cost < best.cost) best = division;
    if (best.cost < faultCost) break;
  }
  return best ?? divideInto(texts, 1, 1);
}

function divideInto(texts: readonly CueText[], count: number, shareMax: number): Division {
  let shares = Array.from({ length: count }, (_, at) => (at + 1) / count);
  const ends: number[][] = [];
  let cost = 0;
  for (const [at, text] of texts.entries()) {
    const division = text.divide(shares, at === 0 ? shareMax : 1);
    ends.push(division.ends);
    cost += division.cost;
    // What is said first decides what is translated there.
    if (at === 0) shares = listShares(text, division.ends, count);
  }
  return { count: Math.max(...ends.map((one) => one.length)), ends, cost };
}

/** Where each of `count` cues ends, as shares of a row's time. */
function listShares(text: CueText | undefined, ends: readonly number[], count: number): number[] {
  return Array.from({ length: count }, (_, at) => {
    const end = ends[at];
    return text === undefined || end === undefined || ends.length < count
      ? (at + 1) / count
      : text.getShare(end);
  });
}
