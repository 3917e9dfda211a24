import { Signal } from "#client/lib/observable.ts";
import { safeStorage } from "#client/lib/storage.ts";

// The version before stored the languages that English is translated into.
const key = "deviceLanguages";
const parse = (stored: string | null): string[] =>
  (stored ?? "").split(" ").flatMap((name) => {
    if (/^[a-z]+>[a-z-]+$/.test(name)) return [name];
    return /^[a-z-]+$/.test(name) ? [`en>${name}`] : [];
  });

/**
 * The keys of the pairs that a model on this device translates, as `device-translation.ts` has last found them. Kept, so
 * that nothing of it is loaded where there are none.
 */
export const devicePairs = new Signal<readonly string[]>(parse(safeStorage.get(key)));

// Another tab has found something else.
globalThis.addEventListener?.("storage", (event) => {
  if (event.key === key) devicePairs.set(parse(event.newValue));
});

export function setDevicePairs(pairs: readonly string[]): void {
  safeStorage.set(key, pairs.join(" "));
  devicePairs.set(pairs);
}
