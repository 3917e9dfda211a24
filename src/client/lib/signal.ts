import { useSyncExternalStore } from "react";
import type { Observable } from "./observable.ts";

export { NestedObservable, Signal } from "./observable.ts";

/** One field of `source`: the component renders again only when that field changes. */
export function useField<T extends object, K extends keyof T>(
  source: Observable<T>,
  field: K,
): T[K] {
  return useSyncExternalStore(source.subscribe, () => source.get()[field]);
}

export function useValue<T>(source: Observable<T>): T {
  return useSyncExternalStore(source.subscribe, source.get);
}
