import { type RefObject, useEffect } from "react";
import { Signal, useValue } from "#client/lib/signal.ts";

/** A request to focus the search field, which may not be mounted yet. */
export const searchFocusRequested = new Signal(false);

export function useSearchFocusRequest(element: RefObject<HTMLElement | null>): void {
  const requested = useValue(searchFocusRequested);
  useEffect(() => {
    if (!requested || !element.current) return;
    element.current.focus();
    searchFocusRequested.set(false);
  }, [requested, element]);
}
