import { type RefObject, useEffect } from "react";
import { Signal, useValue } from "#client/lib/signal.ts";

/** Somebody wants to search the lectures, perhaps before the field is there. */
export const searchFocusRequested = new Signal(false);

export function useSearchFocusRequest(element: RefObject<HTMLElement | null>): void {
  const wanted = useValue(searchFocusRequested);
  useEffect(() => {
    if (!wanted || !element.current) return;
    element.current.focus();
    searchFocusRequested.set(false);
  }, [wanted, element]);
}
