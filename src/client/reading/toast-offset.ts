import { type RefObject, useEffect } from "react";

/**
 * Keeps toasts above `element`, so that they never cover its buttons. The CSS variable `property` is set
 * to the distance in px from the top of `element` to the bottom of its offset parent.
 */
export function useToastOffset(
  property: `--${string}`,
  element: RefObject<HTMLElement | null>,
  enabled = true,
): void {
  useEffect(() => {
    const box = element.current;
    const parent = box?.offsetParent;
    if (!box || !parent || !enabled) return;
    const { style } = document.documentElement;
    const updateOffset = () =>
      style.setProperty(property, `${parent.clientHeight - box.offsetTop}px`);
    const resizeObserver = new ResizeObserver(updateOffset);
    resizeObserver.observe(box);
    updateOffset();
    return () => {
      resizeObserver.disconnect();
      style.removeProperty(property);
    };
  }, [property, element, enabled]);
}
