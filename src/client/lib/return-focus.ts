import { type RefObject, useEffect, useRef } from "react";

/** The lecture that was opened from a list and has just been left; the list gives its link the focus. */
let left: string | null = null;

const forget = () => {
  left = null;
};

/** Lecture `id` was closed. What somebody does next makes that a thing of the past. */
export function returnFrom(id: string): void {
  left = id;
  for (const event of ["pointerdown", "keydown", "wheel"])
    window.addEventListener(event, forget, { once: true, capture: true, passive: true });
}

/** A ref for the link to lecture `id`, which has the focus where that lecture was just left. */
export function useReturn(id: string): RefObject<HTMLAnchorElement | null> {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (left !== id) return;
    forget();
    link.current?.focus({ preventScroll: true });
  }, [id]);
  return link;
}
