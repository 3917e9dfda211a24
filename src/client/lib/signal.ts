import { useSyncExternalStore } from "react";

/** A value that changes outside React. `get` returns the same reference until it has changed. */
interface Readable<T> {
  get(): T;
  /** Calls `listener` after each change; returns the way to stop that. */
  subscribe(listener: () => void): () => void;
}

export interface Signal<T> extends Readable<T> {
  set(value: T): void;
}

export function signal<T>(initial: T): Signal<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** One field of `source`: whoever holds it renders again when that field changes, and not otherwise. */
export function useField<T extends object, K extends keyof T>(source: Readable<T>, field: K): T[K] {
  return useSyncExternalStore(source.subscribe, () => source.get()[field]);
}

/** The value of `source`, read anew after each of its changes. */
export function useValue<T>(source: Readable<T>): T {
  return useSyncExternalStore(source.subscribe, source.get);
}
