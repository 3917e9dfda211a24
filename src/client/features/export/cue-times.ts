import { countWords } from "#client/realtime/transcript/words.ts";
import type { DocumentRow } from "./lecture-document.ts";

/** How long a word takes to say, where nothing else is known: 150 words a minute. */
const msPerWord = 400;
/** As long as a cue is shown where what follows leaves room. */
const cueMinMs = 1_000;

export interface CueTime {
  startMs: number;
  /** After `startMs`, and not after the next cue's start. */
  endMs: number;
}

type TimedRow = Pick<DocumentRow, "english" | "translated" | "startMs" | "endMs">;

/** A row that was pasted, or comes from a text file, has 0 in both. */
const hasTimes = (row: TimedRow) => row.startMs > 0 || row.endMs > 0;

/** Rows without times, whose cues are estimated. */
export const countUntimed = (rows: readonly TimedRow[]): number =>
  rows.filter((row) => !hasTimes(row)).length;

const countSpokenWords = (row: TimedRow) => Math.max(1, countWords(row.english || row.translated));

/**
 * When each row is shown: in order, one after the other, none of no length.
 *
 * A row with times begins at its own start. Those without, and those that would begin before an
 * earlier row, share the time between their neighbours by their words; behind the last known one they
 * follow at the pace of speech. A cue ends with its sentence, is shown for a second at least, and
 * makes way for the next.
 */
export function computeCueTimes(rows: readonly TimedRow[]): CueTime[] {
  const starts = estimateStarts(rows);
  return rows.map((row, index) => {
    const startMs = starts[index] ?? 0;
    const own =
      hasTimes(row) && row.startMs === startMs ? row.endMs : startMs + estimateDurationMs(row);
    const wanted = Math.max(own, startMs + cueMinMs);
    return { startMs, endMs: Math.min(wanted, starts[index + 1] ?? wanted) };
  });
}

const estimateDurationMs = (row: TimedRow) => countSpokenWords(row) * msPerWord;

function estimateStarts(rows: readonly TimedRow[]): number[] {
  const starts: number[] = [];
  let waiting: number[] = [];
  /** Where the rows that wait for a time may begin. */
  let free = 0;
  rows.forEach((row, index) => {
    // A millisecond for each row on the way is the least.
    const earliest = (starts[index - waiting.length - 1] ?? -1) + waiting.length + 1;
    if (!hasTimes(row) || row.startMs < earliest) {
      waiting.push(index);
      return;
    }
    const from = row.startMs - free >= waiting.length ? free : earliest - waiting.length;
    distributeStarts(rows, waiting, from, row.startMs, starts);
    starts[index] = row.startMs;
    free = Math.max(row.endMs, row.startMs + 1);
    waiting = [];
  });
  distributeStarts(rows, waiting, free, null, starts);
  return starts;
}

/** Gives the rows at `waiting` their part of the time from `from` up to `to`; null is open. */
function distributeStarts(
  rows: readonly TimedRow[],
  waiting: readonly number[],
  from: number,
  to: number | null,
  starts: number[],
): void {
  const weights = waiting.map((index) => estimateDurationMs(rows[index] ?? emptyRow));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  // Each has its millisecond; what is left goes by words. Talk that is short begins late.
  const room = to === null ? total : Math.min(to - from, total) - waiting.length;
  const begin = to === null ? from : to - room - waiting.length;
  let before = 0;
  waiting.forEach((index, place) => {
    const passed = to === null ? before : place + (room * before) / total;
    starts[index] = Math.floor(begin + passed);
    before += weights[place] ?? 0;
  });
}

const emptyRow: TimedRow = { english: "", translated: "", startMs: 0, endMs: 0 };

const padTwo = (value: number) => String(value).padStart(2, "0");

/** `hh:mm:ss` with `mark` and milliseconds: SRT has a comma there, WebVTT a point. */
export function formatTimestamp(ms: number, mark: "," | "."): string {
  const seconds = Math.floor(ms / 1000);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${clock.map(padTwo).join(":")}${mark}${String(ms % 1000).padStart(3, "0")}`;
}
