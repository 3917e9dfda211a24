import { type RefObject, useEffect, useEffectEvent } from "react";
import { listen } from "#client/lib/listen.ts";

export interface RowActions {
  edit: (position: number) => void;
  retry: (position: number) => void;
  rename: (speaker: string) => void;
}

export function findRow(node: EventTarget | null): HTMLElement | null {
  return node instanceof Element ? node.closest<HTMLElement>("[data-row]") : null;
}

export const getPosition = (row: HTMLElement): number => Number(row.dataset.row);

export const findRowAt = (page: HTMLElement, position: number): HTMLElement | null =>
  page.querySelector<HTMLElement>(`[data-row="${position}"]`);

/** Where rows begin in the window: below the page's head, where it is in view. */
function getRowsTop(page: HTMLElement): number {
  const { top } = page.getBoundingClientRect();
  const head = page.querySelector("[data-page-head]")?.getBoundingClientRect().bottom ?? top;
  return Math.max(top, head);
}

/** The first row in view, or the last row where none is in view. */
export function findVisibleRow(page: HTMLElement): HTMLElement | null {
  const { left, width, bottom } = page.getBoundingClientRect();
  for (let y = getRowsTop(page) + 6; y < bottom; y += 24) {
    const row = findRow(document.elementFromPoint(left + width / 2, y));
    if (row && page.contains(row)) return row;
  }
  return [...page.querySelectorAll<HTMLElement>("[data-row]")].at(-1) ?? null;
}

/** The first row that is wholly in view below the page's head; null without one. */
export function findReadRow(page: HTMLElement): HTMLElement | null {
  // Without rows nothing is measured: an empty page is asked while it renders.
  if (!page.querySelector("[data-row]")) return null;
  const { left, width, bottom } = page.getBoundingClientRect();
  const start = getRowsTop(page);
  for (let y = start + 18; y < bottom; y += 24) {
    const row = findRow(page.ownerDocument.elementFromPoint(left + width / 2, y));
    if (row && page.contains(row) && row.getBoundingClientRect().top >= start) return row;
  }
  return null;
}

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * Listens for all rows of `page` at once. On the page itself Enter focuses the first row in view; in a
 * row the arrow keys move to the next row, Enter or F2 edits it, and Escape returns to the page.
 */
export function useRows(page: RefObject<HTMLElement | null>, actions: RowActions): void {
  const handleClick = useEffectEvent((event: Event) => {
    if (!(event.target instanceof Element)) return;
    const speaker = event.target.closest<HTMLElement>("[data-speaker]")?.dataset.speaker;
    const failed = event.target.closest<HTMLElement>("[data-retry]")?.dataset.retry;
    if (speaker !== undefined) actions.rename(speaker);
    if (failed !== undefined) actions.retry(Number(failed));
  });
  const handleKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const box = page.current;
    if (!box || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = event.target === box ? null : findRow(event.target);
    if (event.target === box && event.key === "Enter") {
      event.preventDefault();
      findVisibleRow(box)?.focus();
    }
    if (!row || event.target !== row) return;
    const step = steps[event.key];
    const rows = step === undefined ? [] : [...box.querySelectorAll<HTMLElement>("[data-row]")];
    const next = step === undefined ? undefined : rows[rows.indexOf(row) + step];
    if (step !== undefined) next?.focus();
    else if (event.key === "Enter" || event.key === "F2") actions.edit(getPosition(row));
    else if (event.key === "Escape") box.focus();
    else return;
    event.preventDefault();
  });
  useEffect(() => listen(page.current, "click", handleClick), [page]);
  useEffect(() => listen(page.current, "keydown", handleKeyDown), [page]);
}
