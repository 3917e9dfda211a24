import { type ReactNode, type RefObject, useLayoutEffect } from "react";
import { createPortal } from "react-dom";
import { useValue } from "#client/lib/hooks.ts";
import { Signal } from "#client/lib/observable.ts";

/** The element of the page's recording controls, which also holds the player. */
export const recordingControls = new Signal<HTMLElement | null>(null);

/** Shows `children` among the recording controls, where the page has some. */
export function InControls({ children }: { children: ReactNode }) {
  const controls = useValue(recordingControls);
  return controls && createPortal(children, controls);
}

/**
 * Keeps what lies over the page's lower edge, such as `page-bars`, above `element`. The CSS variable `property` is set
 * to the distance in px from the top of `element` to the bottom of its offset parent.
 *
 * @param initialRem the distance that it has most often: each change has the browser compute the whole page's styles.
 */
export function useEdgeOffset(
  property: `--${string}`,
  element: RefObject<HTMLElement | null>,
  initialRem = 0,
): void {
  useLayoutEffect(() => {
    const box = element.current;
    if (!box) return;
    const root = document.documentElement;
    const { style } = root;
    style.setProperty(property, `${initialRem}rem`);
    let shownPx: number | null = null;
    // Called first after the next layout: reading a size now would force one in the middle of the first render.
    const resizeObserver = new ResizeObserver(() => {
      shownPx ??= initialRem * Number.parseFloat(getComputedStyle(root).fontSize);
      const parent = box.offsetParent;
      if (!parent || parent.clientHeight - box.offsetTop === shownPx) return;
      shownPx = parent.clientHeight - box.offsetTop;
      style.setProperty(property, `${shownPx}px`);
    });
    resizeObserver.observe(box);
    return () => {
      resizeObserver.disconnect();
      style.removeProperty(property);
    };
  }, [property, element, initialRem]);
}
