import type { RefObject } from "react";
import { findRowAt } from "./use-rows.ts";

const isVisible = (row: Element, page: Element) => {
  const [inner, outer] = [row.getBoundingClientRect(), page.getBoundingClientRect()];
  return inner.bottom > outer.top && inner.top < outer.bottom;
};

/** Part of the page's height below which the next row is scrolled up; with tools open, which that would close, 1. */
const lowestPart = 0.7;

/** Marks the row that is heard, in the document, so that no row renders again. */
export class RowMarker {
  #marked: HTMLElement | null = null;
  #position: number | null = null;

  /** `follows`: the page is scrolled to the row if the one before it was in view. */
  constructor(
    private readonly page: RefObject<HTMLElement | null>,
    private readonly follows: () => boolean = () => true,
  ) {}

  /** Null: none. */
  mark(position: number | null): void {
    const box = this.page.current;
    if (!box || (position === this.#position && this.#marked?.isConnected !== false)) return;
    const wasVisible = this.#marked === null || isVisible(this.#marked, box);
    this.clear();
    this.#marked = position === null ? null : findRowAt(box, position);
    this.#marked?.setAttribute("aria-current", "true");
    this.#position = position;
    if (this.#marked && wasVisible && this.follows()) keepInView(this.#marked, box);
  }

  clear(): void {
    this.#marked?.removeAttribute("aria-current");
    this.#marked = null;
    this.#position = null;
  }
}

function keepInView(row: HTMLElement, page: HTMLElement): void {
  const [inner, outer] = [row.getBoundingClientRect(), page.getBoundingClientRect()];
  const lowest = page.querySelector("[data-touched]") ? 1 : lowestPart;
  const isLow = inner.bottom > outer.top + outer.height * lowest;
  if (isLow || inner.top < outer.top) {
    const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    row.scrollIntoView({ block: "center", behavior: isStill ? "instant" : "smooth" });
  }
}
