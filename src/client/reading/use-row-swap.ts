import { type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { TranscriptView } from "#client/lecture/lecture-document.ts";
import { getSwapKey, type ShownText } from "./shown-texts.ts";
import { findRow, getPosition } from "./use-rows.ts";

/** A touch of this length shows the other language while it lasts, and is no click. */
const holdMs = 300;

const noRows: ReadonlySet<string> = new Set();

const toggle = (keys: ReadonlySet<string>, key: string): ReadonlySet<string> => {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
};

/**
 * Where rows of `page` show one text: a click or Space swaps it for the row's other language and back, and
 * a held touch for as long as it lasts. Returns the keys of the swapped rows (`getSwapKey`), and a ref for the element
 * that announces a swapped text.
 */
export function useRowSwap(
  page: RefObject<HTMLElement | null>,
  texts: readonly ShownText[],
  transcript: TranscriptView,
) {
  const [swapped, setSwapped] = useState(noRows);
  const [shownTexts, setShownTexts] = useState(texts);
  const announcement = useRef<HTMLDivElement>(null);
  const isSingle = texts.length === 1;
  if (shownTexts !== texts) {
    setShownTexts(texts);
    setSwapped(noRows);
  }

  useEffect(() => {
    const box = page.current;
    if (!box || !isSingle) return;
    let holding: ReturnType<typeof setTimeout> | undefined;
    let heldRow: HTMLElement | null = null;
    let wasHeld = false;

    const swap = (row: HTMLElement) => {
      const shown = transcript.rows()[getPosition(row)];
      if (!shown) return;
      // At once, because a double click selects in the text that is then in the document.
      flushSync(() => setSwapped((keys) => toggle(keys, getSwapKey(shown))));
      const text = row.querySelector<HTMLElement>("p[lang]");
      if (!text || !announcement.current) return;
      announcement.current.lang = text.lang;
      announcement.current.textContent = text.textContent;
    };
    const findText = (event: Event) => {
      const isControl =
        event.target instanceof Element && event.target.closest("button, a, textarea");
      return isControl ? null : findRow(event.target);
    };

    const handleClick = (event: MouseEvent) => {
      const row = findText(event);
      const isSelecting = window.getSelection()?.isCollapsed === false;
      if (row && !isSelecting && !wasHeld && event.detail < 2) swap(row);
    };
    // A double click selects a word of the text that it was made on.
    const handleMouseDown = (event: MouseEvent) => {
      const row = findText(event);
      if (row && event.detail === 2) swap(row);
    };
    const handleKeyDown = (event: KeyboardEvent) => {
      const row = findRow(event.target);
      if (event.key !== " " || !row || event.target !== row) return;
      event.preventDefault();
      swap(row);
    };
    const handlePointerDown = (event: PointerEvent) => {
      const row = findText(event);
      wasHeld = false;
      if (!row || event.pointerType !== "touch") return;
      holding = setTimeout(() => {
        wasHeld = true;
        heldRow = row;
        swap(row);
      }, holdMs);
    };
    const release = () => {
      clearTimeout(holding);
      // A longer touch selects a word, which stays selected in the text that it is in.
      if (heldRow && window.getSelection()?.isCollapsed !== false) swap(heldRow);
      heldRow = null;
    };

    const listening = new AbortController();
    const { signal } = listening;
    box.addEventListener("click", handleClick, { signal });
    box.addEventListener("mousedown", handleMouseDown, { signal });
    box.addEventListener("keydown", handleKeyDown, { signal });
    box.addEventListener("pointerdown", handlePointerDown, { signal });
    for (const end of ["pointerup", "pointercancel"] as const)
      window.addEventListener(end, release, { signal });
    return () => {
      clearTimeout(holding);
      listening.abort();
    };
  }, [page, isSingle, transcript]);

  return { swapped, announcement };
}
