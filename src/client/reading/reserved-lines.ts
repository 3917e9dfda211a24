import { getWindow } from "./live-space.ts";

/**
 * How many lines fit into the reserved space of a translation, as the cell's `--lines`: CSS cannot count them, and the
 * cell may be higher than its lines, because the original beside it is.
 */

/** Rounding of heights, px. */
const tolerancePx = 1;

export const getLineCount = (height: number, lineHeight: number): number =>
  Math.max(1, Math.floor((height + tolerancePx) / lineHeight));

/** One for each window: an observer works with the frames of its own. */
const observers = new WeakMap<Window, ResizeObserver>();

function getObserver(view: Window & typeof globalThis): ResizeObserver {
  const existing = observers.get(view);
  if (existing) return existing;
  const observer = new view.ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      const lineHeight = Number.parseFloat(view.getComputedStyle(target).lineHeight);
      if (!(target instanceof view.HTMLElement) || !(lineHeight > 0)) continue;
      target.style.setProperty("--lines", String(getLineCount(contentRect.height, lineHeight)));
    }
  });
  observers.set(view, observer);
  return observer;
}

/** Keeps the count of the element that it is the ref of. */
export function countLines(cell: HTMLElement | null): (() => void) | undefined {
  if (cell === null) return;
  const observer = getObserver(getWindow(cell));
  observer.observe(cell);
  return () => observer.unobserve(cell);
}
