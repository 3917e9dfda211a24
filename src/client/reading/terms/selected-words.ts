import type { RowBlock, TranscriptRow } from "#client/lecture/lecture-document.ts";
import { createTextRange, joinTexts, listOwnTexts } from "#client/reading/row-text.tsx";
import type { ShownText } from "#client/reading/shown-texts.ts";
import { findRow, getPosition } from "#client/reading/use-rows.ts";
import { lookUpMaxLength } from "#shared/limits.ts";
import { listWords } from "#shared/words.ts";

/** Words that are selected in one text of a row. */
export interface SelectedWords {
  /** On one line. */
  words: string;
  row: TranscriptRow;
  /** The text of the row that has the words. */
  text: ShownText;
  /** Where they stand on the page. */
  range: Range;
}

const findRowIn = (blocks: readonly RowBlock[], position: number): TranscriptRow | undefined =>
  blocks.findLast(({ from }) => from <= position)?.rows.find((row) => row.position === position);

/** Which text of `row` a paragraph of the page shows; null for one that is not final, or none of the row's. */
function findShownText(paragraph: Element, row: TranscriptRow): ShownText | null {
  const text = joinTexts(listOwnTexts(paragraph));
  if (text === row.original) return "original";
  return row.translation === "done" && text === row.translated ? "translation" : null;
}

/** What `range` has of a paragraph's own text. */
const readWords = (range: Range, paragraph: Element): string =>
  listOwnTexts(paragraph)
    .map((text) => {
      if (!range.intersectsNode(text)) return "";
      const from = text === range.startContainer ? range.startOffset : 0;
      return text.data.slice(from, text === range.endContainer ? range.endOffset : undefined);
    })
    .join("");

const isLetterOrDigit = /[\p{L}\p{N}]/u;

/**
 * What is selected in a row of `page`; null where nothing is, or more than one text of one row. A selection that ends at
 * the beginning of the next element, as after a triple click, ends in its row.
 */
export function readSelectedWords(
  selection: Selection | null,
  page: Element,
  blocks: readonly RowBlock[],
): SelectedWords | null {
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0).cloneRange();
  const { startContainer } = range;
  const start = startContainer instanceof Element ? startContainer : startContainer.parentElement;
  const paragraph = start?.closest("p");
  const element = findRow(paragraph ?? null);
  if (!paragraph || !element || !page.contains(element)) return null;
  if (!paragraph.contains(range.endContainer)) {
    const rest = range.cloneRange();
    rest.setStartAfter(paragraph);
    if (rest.toString().trim() !== "") return null;
    range.setEnd(paragraph, paragraph.childNodes.length);
  }
  const row = findRowIn(blocks, getPosition(element));
  const text = row && findShownText(paragraph, row);
  const words = readWords(range, paragraph).replace(/\s+/gu, " ").trim();
  if (!row || !text || words.length > lookUpMaxLength || !isLetterOrDigit.test(words)) return null;
  return { words, row, text, range };
}

/** A beginning and an end in a text, UTF-16 units. */
type Span = readonly [from: number, to: number];

let segmenter: Intl.Segmenter | undefined;

/** The first text of a row as the page shows it, without the speaker before it; empty where it has none. */
export function listRowTexts(row: Element): Text[] {
  const paragraph = row.querySelector("p");
  return paragraph ? listOwnTexts(paragraph) : [];
}

/** The words of `text`, in scripts without spaces those that a dictionary knows. */
export function listWordSpans(text: string): Span[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  const spans: Span[] = [];
  for (const { segment, index, isWordLike } of listWords(text, segmenter))
    if (isWordLike) spans.push([index, index + segment.length]);
  return spans;
}

/**
 * The span that an arrow key selects in `text`: the word before or after the one that is `selected`; with `isExtended`
 * the selection's words and that one, or without its last word. The first word where nothing is selected.
 */
export function moveSpan(
  text: string,
  selected: Span | null,
  step: 1 | -1 | 0,
  isExtended: boolean,
): Span | null {
  const words = listWordSpans(text);
  const getWord = (index: number) => words[Math.min(Math.max(index, 0), words.length - 1)];
  const first = selected ? words.findIndex(([, to]) => to > selected[0]) : -1;
  if (!selected || first < 0) return words[0] ?? null;
  const last = words.findLastIndex(([from]) => from < selected[1]);
  const start = getWord(isExtended ? first : (step > 0 ? last : first) + step);
  const end = isExtended ? getWord(Math.max(first, last + step)) : start;
  return start && end ? [start[0], end[1]] : null;
}

/** Selects words of the first text of a row, or of the one that has a selection, by the keyboard. */
export function selectByKey(row: Element, step: 1 | -1 | 0, isExtended: boolean): void {
  const selection = window.getSelection();
  if (!selection) return;
  const range = selection.rangeCount > 0 && !selection.isCollapsed ? selection.getRangeAt(0) : null;
  const within = range && row.contains(range.startContainer) ? range.startContainer : null;
  const paragraph = within?.parentElement?.closest("p") ?? row.querySelector("p");
  const texts = paragraph ? listOwnTexts(paragraph) : [];
  if (texts.length === 0) return;
  const selected: Span | null =
    range && within
      ? [
          measureTo(texts, range.startContainer, range.startOffset),
          measureTo(texts, range.endContainer, range.endOffset),
        ]
      : null;
  const span = moveSpan(joinTexts(texts), selected, step, isExtended);
  if (span) selectSpan(texts, span);
}

/** How many characters of `texts` are before a place of the page. */
function measureTo(texts: readonly Text[], container: Node, offset: number): number {
  const place = document.createRange();
  place.setStart(container, offset);
  let length = 0;
  for (const text of texts) {
    if (text === container) return length + offset;
    if (place.comparePoint(text, text.length) < 0) length += text.length;
  }
  return length;
}

export function selectSpan(texts: readonly Text[], [from, to]: Span): void {
  const { startContainer, startOffset, endContainer, endOffset } = createTextRange(texts, from, to);
  window.getSelection()?.setBaseAndExtent(startContainer, startOffset, endContainer, endOffset);
}
