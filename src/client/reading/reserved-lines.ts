/**
 * How many lines fit into the reserved space of a translation, as the cell's `--lines`: CSS cannot count them, and the
 * cell may be higher than its lines, because the original beside it is.
 */

/** Rounding of heights, px. */
const tolerancePx = 1;

export const getLineCount = (height: number, lineHeight: number): number =>
  Math.max(1, Math.floor((height + tolerancePx) / lineHeight));

let observer: ResizeObserver | null = null;

const getObserver = () => {
  observer ??= new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      const lineHeight = Number.parseFloat(getComputedStyle(target).lineHeight);
      if (!(target instanceof HTMLElement) || !(lineHeight > 0)) continue;
      target.style.setProperty("--lines", String(getLineCount(contentRect.height, lineHeight)));
    }
  });
  return observer;
};

/** Keeps the count of the element that it is the ref of. */
export function countLines(cell: HTMLElement | null): (() => void) | undefined {
  if (cell === null) return;
  getObserver().observe(cell);
  return () => getObserver().unobserve(cell);
}
