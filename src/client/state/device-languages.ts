import { Signal } from "#client/lib/signal.ts";
import { safeStorage } from "#client/lib/storage.ts";
import { type TranslationLanguage, translationLanguages } from "#shared/languages.ts";

const key = "deviceLanguages";
const parse = (stored: string | null) =>
  translationLanguages.filter((language) => stored?.split(" ").includes(language));

/**
 * The languages that a model on this device translates into, as `device-translation.ts` has last found them. Kept, so
 * that nothing of it is loaded where there are none.
 */
export const deviceLanguages = new Signal<readonly TranslationLanguage[]>(
  parse(safeStorage.get(key)),
);

// Another tab has found something else.
globalThis.addEventListener?.("storage", (event) => {
  if (event.key === key) deviceLanguages.set(parse(event.newValue));
});

export function setDeviceLanguages(languages: readonly TranslationLanguage[]): void {
  safeStorage.set(key, languages.join(" "));
  deviceLanguages.set(languages);
}
