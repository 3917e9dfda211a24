import type { RowBlock, TranscriptRow } from "#client/lecture/lecture-document.ts";
import { Signal } from "#client/lib/observable.ts";
import type { SearchHit } from "#shared/search.ts";

/**
 * Where a search result, or a sentence that an answer names, leads in the shown lecture. `hit` is null until it is
 * known, and if nothing was found.
 */
export interface SearchTarget {
  place: { type: "row"; row: number; startMs?: number | undefined } | { type: "text" | "summary" };
  hit: SearchHit | null;
}

export const searchTarget = new Signal<SearchTarget | null>(null);

/** Scrolls to a row of the shown lecture and marks it. */
export function openRow({ position, startMs }: Place): void {
  searchTarget.set(null);
  // The same row again is another target.
  setTimeout(() => searchTarget.set({ place: { type: "row", row: position, startMs }, hit: null }));
}

interface Place {
  /** The row's ordinal, as the server's answers name it. */
  position: number;
  /** Where rows have times, it finds a row that has moved since. */
  startMs?: number | undefined;
}

/** The row at a place; null where there is none. */
export function findCitedRow(
  rows: readonly TranscriptRow[],
  { position, startMs }: Place,
): TranscriptRow | null {
  const there = rows.find((row) => row.ordinal === position) ?? null;
  if (!startMs || there?.startMs === startMs) return there;
  return rows.find((row) => row.startMs === startMs) ?? there;
}

/** The row that `target` leads to; null for none. */
export function findTargetRow(
  { place, hit }: SearchTarget,
  blocks: readonly RowBlock[],
): TranscriptRow | null {
  const rows = blocks.flatMap((block) => block.rows);
  if (place.type === "row")
    return findCitedRow(rows, { position: place.row, startMs: place.startMs });
  if (place.type === "summary" || hit?.kind !== "text") return null;
  const excerpt = hit.text.join("");
  // The server splits texts at white space only, so one excerpt may span several rows.
  const overlaps = (text: string) =>
    text !== "" && (text.includes(excerpt) || excerpt.includes(text));
  return rows.find((row) => overlaps(row.original) || overlaps(row.translated)) ?? null;
}

/** The marked parts of `hit` in a row's two texts. */
export function listHitMatches(row: TranscriptRow, hit: SearchHit | null) {
  const excerpts =
    hit?.kind === "text"
      ? [hit.text, hit.text]
      : hit?.kind === "entry" && hit.position === row.ordinal
        ? [hit.original, hit.translated]
        : [];
  return excerpts.flatMap((excerpt, index) => {
    const text = index === 0 ? row.original : row.translated;
    let start = text.indexOf(excerpt.join(""));
    if (start === -1) return [];
    return excerpt.flatMap((piece, at) => {
      const copy = index === 1 && text === row.original ? 1 : 0;
      const match = { position: row.position, text, copy, start, end: start + piece.length };
      start = match.end;
      return at % 2 === 1 ? [match] : [];
    });
  });
}
