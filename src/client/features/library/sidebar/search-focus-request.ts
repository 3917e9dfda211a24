import { type RefObject, useEffect } from "react";
import { Signal, useValue } from "#client/lib/signal.ts";

/** Somebody wants to search the lectures, perhaps before the field is there. */
export const searchWanted = new Signal(false);

export function useSearchWanted(element: RefObject<HTMLElement | null>): void {
  const wanted = useValue(searchWanted);
  useEffect(() => {
    if (!wanted || !element.current) return;
    element.current.focus();
    searchWanted.set(false);
  }, [wanted, element]);
}
