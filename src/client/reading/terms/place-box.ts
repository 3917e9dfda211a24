import { type RefObject, useEffect, useEffectEvent, useLayoutEffect } from "react";
import { listen } from "#client/lib/listen.ts";

/** Edges in px from the window's upper left corner. */
interface Edges {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Between a box and the words that it belongs to, px. */
const gap = 8;

/**
 * Where a box of `size` stands within `area`: above `words` or below them, where there is room, and otherwise within the
 * area, over them.
 */
export function placeBox(
  words: Edges,
  size: { width: number; height: number },
  area: Edges,
  prefersBelow: boolean,
): { left: number; top: number } {
  const above = words.top - gap - size.height;
  const below = words.bottom + gap;
  const isAboveFree = above >= area.top;
  const isBelowFree = below + size.height <= area.bottom;
  const isBelow = prefersBelow ? isBelowFree || !isAboveFree : !isAboveFree;
  const clamp = (value: number, least: number, most: number) =>
    Math.max(least, Math.min(value, most));
  const center = (words.left + words.right - size.width) / 2;
  return {
    left: clamp(center, area.left, area.right - size.width),
    top: clamp(isBelow ? below : above, area.top, area.bottom - size.height),
  };
}

/** Below a row that is in view lie the recording controls, px. */
const footHeight = 112;

/** The part of `page` in which rows can be read: below its head, and above what lies over its lower edge. */
function getReadableArea(page: Element): Edges {
  const { left, right, top, bottom } = page.getBoundingClientRect();
  const head = page.querySelector("[data-page-head]")?.getBoundingClientRect();
  return {
    left: left + gap,
    right: right - gap,
    top: Math.max(top, head?.bottom ?? top),
    bottom: bottom - footHeight,
  };
}

interface Placement {
  box: RefObject<HTMLElement | null>;
  page: RefObject<HTMLElement | null>;
  range: Range;
  prefersBelow: boolean;
  /** It goes out of view with its words; otherwise it stays at the edge. */
  isHiddenWithWords?: boolean;
}

/** Keeps a fixed box at the words of `range`, as `--left` and `--top` of its style, while the page is scrolled. */
export function usePlacement({ box, page, range, prefersBelow, isHiddenWithWords }: Placement) {
  const place = useEffectEvent(() => {
    const element = box.current;
    const words = range.getBoundingClientRect();
    // The words may have left the page: the box stays where it was.
    if (!element || !page.current || (words.width === 0 && words.height === 0)) return;
    const area = getReadableArea(page.current);
    const size = { width: element.offsetWidth, height: element.offsetHeight };
    const { left, top } = placeBox(words, size, area, prefersBelow);
    element.style.setProperty("--left", `${Math.round(left)}px`);
    element.style.setProperty("--top", `${Math.round(top)}px`);
    const isOutOfView = words.bottom < area.top || words.top > area.bottom;
    element.style.visibility = isHiddenWithWords && isOutOfView ? "hidden" : "";
  });
  // After every render: the box may have other contents, or belong to other words.
  useLayoutEffect(() => place());
  useEffect(() => listen(page.current, "scroll", place, { passive: true }), [page]);
  useEffect(() => listen(window, "resize", place), []);
}
