import { type RefObject, useEffect, useRef } from "react";
import { useValue } from "./hooks.ts";
import { Signal } from "./observable.ts";

/** Id of the lecture that was opened from a list and just closed; the list moves the focus to its link. */
let returnId: string | null = null;

const clearReturnFocus = () => {
  returnId = null;
};

/** To be called when lecture `id` is closed. The next user input clears it. */
export function setReturnFocus(id: string): void {
  returnId = id;
  for (const event of ["pointerdown", "keydown", "wheel"])
    window.addEventListener(event, clearReturnFocus, { once: true, capture: true, passive: true });
}

/** A ref for the link to lecture `id`, which takes the focus if that lecture was just closed. */
export function useReturnFocus(id: string): RefObject<HTMLAnchorElement | null> {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (returnId !== id) return;
    clearReturnFocus();
    link.current?.focus({ preventScroll: true });
  }, [id]);
  return link;
}

/** A request to focus the sidebar's search field, which may not be mounted yet. */
export const searchFocusRequested = new Signal(false);

export function useSearchFocusRequest(element: RefObject<HTMLElement | null>): void {
  const requested = useValue(searchFocusRequested);
  useEffect(() => {
    if (!requested || !element.current) return;
    element.current.focus();
    searchFocusRequested.set(false);
  }, [requested, element]);
}
