import { safeStorage } from "#client/lib/storage.ts";
import { createStoredChoice } from "#client/state/preferences.ts";
import type { TranslationLanguage } from "#shared/languages.ts";

/** Times the voice's own pace. */
export const hearPaces: readonly number[] = [0.8, 1, 1.2, 1.4];

export const [hearPace, setHearPace] = createStoredChoice("hearPace", (stored) =>
  hearPaces.includes(Number(stored)) ? Number(stored) : 1,
);

const getVoiceKey = (language: TranslationLanguage) => `hearVoice.${language}`;

/** The id of the voice that was chosen on this device for text in `language`. */
export const getStoredVoice = (language: TranslationLanguage): string | null =>
  safeStorage.get(getVoiceKey(language));

export const storeVoice = (language: TranslationLanguage, id: string): void =>
  safeStorage.set(getVoiceKey(language), id);
