/** Rows and other parts of a lecture by their times, on the lecture's clock, ms. */

export interface Span {
  startMs: number;
  endMs: number;
}

/** Rows that are compared with one span. Those of one recording hardly overlap, so a minute has fewer. */
export const nearMax = 100;

/** The number of `values`, which ascend, that are at most `limit`. */
function countUpTo(values: readonly number[], limit: number): number {
  let [from, to] = [0, values.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((values[middle] ?? 0) <= limit) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Rows in the order of their starts. */
export class RowTimeline<Row extends Span> {
  readonly #rows: readonly Row[];
  readonly #starts: readonly number[];

  constructor(rows: Iterable<Row>) {
    this.#rows = [...rows].sort((a, b) => a.startMs - b.startMs);
    this.#starts = this.#rows.map(({ startMs }) => startMs);
  }

  /** The rows that overlap or touch `span`. Of rows that overlap each other, the last `nearMax` before its end. */
  listAt({ startMs, endMs }: Span): Row[] {
    const end = countUpTo(this.#starts, endMs);
    return this.#rows.slice(Math.max(0, end - nearMax), end).filter((row) => row.endMs >= startMs);
  }
}

/** A function that says whether a time is in one of `spans`, whose ends are not part of them. */
export function createCover(spans: readonly Span[]): (ms: number) => boolean {
  const ordered = spans.toSorted((a, b) => a.startMs - b.startMs);
  const starts = ordered.map(({ startMs }) => startMs);
  const ends: number[] = [];
  for (const { endMs } of ordered) ends.push(Math.max(endMs, ends.at(-1) ?? endMs));
  return (ms) => (ends[countUpTo(starts, ms) - 1] ?? Number.NEGATIVE_INFINITY) > ms;
}

/** A function that says whether one of `times` lies between two others. */
export function createTimes(times: readonly number[]): (fromMs: number, toMs: number) => boolean {
  const ordered = times.toSorted((a, b) => a - b);
  return (fromMs, toMs) => (ordered[countUpTo(ordered, fromMs)] ?? toMs) < toMs;
}
