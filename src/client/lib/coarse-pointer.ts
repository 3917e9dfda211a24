import { useSyncExternalStore } from "react";

const query = window.matchMedia("(pointer: coarse)");

function subscribe(listener: () => void) {
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

export const useCoarsePointer = (): boolean => useSyncExternalStore(subscribe, () => query.matches);
