import { type RefObject, useEffect, useRef } from "react";

/** The lecture that was opened from a list and has just been left; the list gives its link the focus. */
let returnId: string | null = null;

const clearReturnFocus = () => {
  returnId = null;
};

/** Lecture `id` was closed. What somebody does next makes that a thing of the past. */
export function setReturnFocus(id: string): void {
  returnId = id;
  for (const event of ["pointerdown", "keydown", "wheel"])
    window.addEventListener(event, clearReturnFocus, { once: true, capture: true, passive: true });
}

/** A ref for the link to lecture `id`, which has the focus where that lecture was just left. */
export function useReturnFocus(id: string): RefObject<HTMLAnchorElement | null> {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (returnId !== id) return;
    clearReturnFocus();
    link.current?.focus({ preventScroll: true });
  }, [id]);
  return link;
}
