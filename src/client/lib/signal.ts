import { useSyncExternalStore } from "react";
import type { Observable } from "./observable.ts";

export { NestedObservable, Signal } from "./observable.ts";

/** One field of `source`: the component renders again only when that field changes. */
export function useField<T extends object, K extends keyof T>(
  source: Observable<T>,
  field: K,
): T[K] {
  const get = () => source.get()[field];
  return useSyncExternalStore(source.subscribe, get, get);
}

export function useValue<T>(source: Observable<T>): T {
  // Given twice: pages are prerendered, and hydrated with the state of which their markup was made.
  return useSyncExternalStore(source.subscribe, source.get, source.get);
}
