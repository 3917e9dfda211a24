import { useState, useSyncExternalStore } from "react";
import type { Observable } from "./observable.ts";

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

/** Stays true once `value` has been true: a widget is loaded when first needed, and stays mounted. */
export function useLatch(value: boolean): boolean {
  const [latched, setLatched] = useState(value);
  if (value && !latched) setLatched(true);
  return latched || value;
}

/** Whether a call is in flight, and the function that runs one. */
export function useBusy(): [busy: boolean, run: <T>(call: () => Promise<T>) => Promise<T>] {
  const [busy, setBusy] = useState(false);
  const run = async <T>(call: () => Promise<T>): Promise<T> => {
    setBusy(true);
    try {
      return await call();
    } finally {
      setBusy(false);
    }
  };
  return [busy, run];
}
