import { type ReactNode, type RefObject, useEffect } from "react";
import { createPortal } from "react-dom";
import { Signal, useValue } from "#client/lib/signal.ts";

/** The element of the page's recording controls, which also holds the player and the tools of a touched row. */
export const recordingControls = new Signal<HTMLElement | null>(null);

/** Shows `children` among the recording controls, where the page has some. */
export function InControls({ children }: { children: ReactNode }) {
  const controls = useValue(recordingControls);
  return controls && createPortal(children, controls);
}

/**
 * Keeps what lies over the page's lower edge, such as `page-bars`, above `element`. The CSS variable `property` is set
 * to the distance in px from the top of `element` to the bottom of its offset parent.
 */
export function useEdgeOffset(
  property: `--${string}`,
  element: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    const box = element.current;
    if (!box) return;
    const { style } = document.documentElement;
    // Called first after the next layout: reading a size now would force one in the middle of the first render.
    const resizeObserver = new ResizeObserver(() => {
      const parent = box.offsetParent;
      if (parent) style.setProperty(property, `${parent.clientHeight - box.offsetTop}px`);
    });
    resizeObserver.observe(box);
    return () => {
      resizeObserver.disconnect();
      style.removeProperty(property);
    };
  }, [property, element]);
}
