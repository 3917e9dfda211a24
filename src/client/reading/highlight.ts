import type { Match } from "./find-matches.ts";
import { createTextRange, joinTexts, listOwnTexts } from "./row-text.tsx";
import { findRowAt } from "./use-rows.ts";

/** Styled by `::highlight()` in highlights.css. */
type HighlightName = "hits" | "current-hit";

/** Marks `ranges` without a change of the document; an older browser marks nothing. */
export function highlight(name: HighlightName, ranges: readonly Range[]): void {
  if (typeof Highlight === "undefined") return;
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges));
}

/** The place of `match` in the document; null where its text is not shown. */
export function createRange(row: HTMLElement, match: Match): Range | null {
  const texts = [...row.querySelectorAll("p")]
    .map(listOwnTexts)
    .filter((own) => joinTexts(own) === match.text)[match.copy];
  return texts ? createTextRange(texts, match.start, match.end) : null;
}

/** Frames after which rows out of view, whose heights were estimated, have been laid out. */
const layoutFrames = 3;

/**
 * Scrolls the row at `position` to the middle of `page`, at once. Returns the function that stops it, and
 * calls `onShown` with the row.
 */
export function scrollToRow(
  page: HTMLElement,
  position: number,
  onShown: (row: HTMLElement) => void,
): () => void {
  let frame = 0;
  const scroll = (count: number) => {
    const row = findRowAt(page, position);
    if (!row) return;
    row.scrollIntoView({ block: "center" });
    if (count === 0) onShown(row);
    if (count < layoutFrames) frame = requestAnimationFrame(() => scroll(count + 1));
  };
  // After the router has reset the scroll position.
  frame = requestAnimationFrame(() => scroll(0));
  return () => cancelAnimationFrame(frame);
}
