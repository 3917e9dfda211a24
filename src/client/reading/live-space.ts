import { type RefCallback, useMemo } from "react";
import type { TranslationLanguage } from "#shared/languages.ts";
import { getLiveSpaces } from "./reserve-space.ts";
import type { ShownText } from "./shown-texts.ts";

/**
 * The space of the live line's first text where the second stands below it, which must not be pushed while the first
 * grows: `data-live-space` of its cell is a text of the height that is reserved. See `live-space` in lecture-page.css.
 */

/** The window in which `element` is shown: the page's, or that of the captions. Each has its own classes and observers. */
export const getWindow = (element: Element): Window & typeof globalThis =>
  element.ownerDocument.defaultView ?? window;

/** Rounding of heights, px; less than a line. */
const tolerancePx = 4;

/** How much of a text of `height` does not fit into `space`, px. */
export const getHiddenHeight = (height: number, space: number): number =>
  height - space > tolerancePx ? height - space : 0;

/**
 * The ref of a cell, whose only child is the text. Where that needs more than the cell's space, the cell gets that of
 * `longer`, once; of a text that needs still more the end is shown, and the cell says so (`data-cut`).
 */
const fitInto =
  (longer: string): RefCallback<HTMLElement> =>
  (cell) => {
    if (!cell) return;
    const view = getWindow(cell);
    const text = cell.firstElementChild;
    if (!(text instanceof view.HTMLElement)) return;
    const getHidden = () => getHiddenHeight(text.offsetHeight, cell.clientHeight);
    const observer = new view.ResizeObserver(() => {
      if (getHidden() > 0 && cell.dataset.liveSpace !== longer) cell.dataset.liveSpace = longer;
      const hidden = getHidden();
      cell.toggleAttribute("data-cut", hidden > 0);
      cell.style.setProperty("--hidden", `${hidden}px`);
    });
    observer.observe(text);
    observer.observe(cell);
    return () => observer.disconnect();
  };

export interface LiveSpaceProps {
  ref: RefCallback<HTMLElement>;
  "data-live-space": string;
}

/** The props of the cell. It is a new one in each sentence. */
export function useLiveSpace(text: ShownText, language: TranslationLanguage): LiveSpaceProps {
  return useMemo(() => {
    const [first, longer] = getLiveSpaces(text, language);
    return { ref: fitInto(longer), "data-live-space": first };
  }, [text, language]);
}
