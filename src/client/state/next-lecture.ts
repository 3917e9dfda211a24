import { Signal } from "#client/lib/observable.ts";
import type { LanguagePair } from "#shared/languages.ts";
import { getStoredLanguages, storeLanguages } from "./preferences.ts";

const changes = new Signal({});

/** In place of a lecture while none is open: the languages of the next one. Loaded with the settings. */
export const nextLecture = {
  view: { get: getStoredLanguages, subscribe: changes.subscribe },
};

/** Stores the languages of new lectures, and shows them. */
export function changeNextLanguages(languages: LanguagePair): void {
  storeLanguages(languages);
  changes.set({});
}
