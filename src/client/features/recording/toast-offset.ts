import { type RefObject, useEffect } from "react";

/**
 * Toasts come above `element`, so that they never lie over its buttons. `property` takes the height
 * in px from the upper edge of `element` to the lower edge of what it is placed in.
 */
export function useToastOffset(
  property: `--${string}`,
  element: RefObject<HTMLElement | null>,
  wanted = true,
): void {
  useEffect(() => {
    const box = element.current;
    const around = box?.offsetParent;
    if (!box || !around || !wanted) return;
    const { style } = document.documentElement;
    const updateOffset = () =>
      style.setProperty(property, `${around.clientHeight - box.offsetTop}px`);
    const resizeObserver = new ResizeObserver(updateOffset);
    resizeObserver.observe(box);
    updateOffset();
    return () => {
      resizeObserver.disconnect();
      style.removeProperty(property);
    };
  }, [property, element, wanted]);
}
