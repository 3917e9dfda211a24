import { countWords } from "#shared/words.ts";
import type { ExportedRow } from "./exported-lecture.ts";

/** Estimated time per word: 150 words a minute. */
const msPerWord = 400;
/** Minimum time that a cue is shown, if the next cue does not start earlier. */
const cueMinMs = 1_000;

type TimedRow = Pick<ExportedRow, "original" | "translated" | "startMs" | "endMs">;

/** Rows without times, such as those imported from a text file, have 0 in both. */
const hasTimes = (row: TimedRow) => row.startMs > 0 || row.endMs > 0;

/** Number of rows without times, whose cues are estimated. */
export const countUntimed = (rows: readonly TimedRow[]): number =>
  rows.filter((row) => !hasTimes(row)).length;

const countSpokenWords = (row: TimedRow) => Math.max(1, countWords(row.original || row.translated));

/**
 * The rows with the times at which they are shown: in order, without overlap, each of positive length.
 *
 * A row with times starts at its own start. Rows without times, and rows that would start before an earlier row, share
 * the time between their neighbours in proportion to their words; after the last known time they follow at the pace of
 * speech. A cue lasts until its sentence ends, for at least a second, but ends when the next one starts.
 */
export function computeCueTimes<Row extends TimedRow>(rows: readonly Row[]): Row[] {
  const starts = estimateStarts(rows);
  return rows.map((row, index) => {
    const startMs = starts[index] ?? 0;
    const own =
      hasTimes(row) && row.startMs === startMs ? row.endMs : startMs + estimateDurationMs(row);
    const preferredEnd = Math.max(own, startMs + cueMinMs);
    const endMs = Math.min(preferredEnd, starts[index + 1] ?? preferredEnd);
    return { ...row, startMs, endMs };
  });
}

const estimateDurationMs = (row: TimedRow) => countSpokenWords(row) * msPerWord;

function estimateStarts(rows: readonly TimedRow[]): number[] {
  const starts: number[] = [];
  let untimed: TimedRow[] = [];
  /** The earliest time at which untimed rows may start. */
  let free = 0;
  for (const row of rows) {
    // Leaves at least a millisecond per untimed row.
    const earliest = (starts.at(-1) ?? -1) + untimed.length + 1;
    if (!hasTimes(row) || row.startMs < earliest) {
      untimed.push(row);
      continue;
    }
    const from = row.startMs - free >= untimed.length ? free : earliest - untimed.length;
    for (const start of distributeStarts(untimed, from, row.startMs)) starts.push(start);
    starts.push(row.startMs);
    free = Math.max(row.endMs, row.startMs + 1);
    untimed = [];
  }
  return [...starts, ...distributeStarts(untimed, free, null)];
}

/** The starts of `rows` between `from` and `to` (null: open end). */
function distributeStarts(rows: readonly TimedRow[], from: number, to: number | null): number[] {
  const weights = rows.map(estimateDurationMs);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  // One millisecond each; the rest in proportion to words. A short text starts late in a long gap.
  const spareMs = to === null ? total : Math.min(to - from, total) - rows.length;
  const begin = to === null ? from : to - spareMs - rows.length;
  let before = 0;
  return weights.map((weight, index) => {
    const passed = to === null ? before : index + (spareMs * before) / total;
    before += weight;
    return Math.floor(begin + passed);
  });
}

const padTwo = (value: number) => String(value).padStart(2, "0");

/** `hh:mm:ss`, then `mark` and milliseconds: SRT uses a comma, WebVTT a point. */
export function formatTimestamp(ms: number, mark: "," | "."): string {
  const seconds = Math.floor(ms / 1000);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${clock.map(padTwo).join(":")}${mark}${String(ms % 1000).padStart(3, "0")}`;
}
