import { Signal } from "#client/lib/signal.ts";
import type { RowBlock, TranscriptRow } from "#client/realtime/session-types.ts";
import type { SearchHit } from "#shared/search.ts";

/**
 * Where a search result, or a sentence that an answer names, leads in the shown lecture. `hit` is null until it is
 * known, and if nothing was found.
 */
export interface SearchTarget {
  /** `startMs`: where rows have times, it finds a row that has moved since. */
  place: { type: "row"; row: number; startMs?: number } | { type: "text" | "summary" };
  hit: SearchHit | null;
}

export const searchTarget = new Signal<SearchTarget | null>(null);

/** The row that `target` leads to; null for none. */
export function findTargetRow(
  { place, hit }: SearchTarget,
  blocks: readonly RowBlock[],
): TranscriptRow | null {
  const rows = blocks.flatMap((block) => block.rows);
  if (place.type === "row") {
    const { row, startMs } = place;
    const there = rows.find(({ position }) => position === row) ?? null;
    if (!startMs || there?.startMs === startMs) return there;
    return rows.find((one) => one.startMs === startMs) ?? there;
  }
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
      : hit?.kind === "entry" && hit.position === row.position
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
