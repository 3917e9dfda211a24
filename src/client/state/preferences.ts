import { Signal } from "#client/lib/observable.ts";
import { safeStorage } from "#client/lib/storage.ts";
import {
  defaultSourceLanguage,
  defaultTargetLanguage,
  isSourceLanguage,
  isTargetLanguage,
  type LanguagePair,
  type SourceLanguage,
  type TargetLanguage,
} from "#shared/languages.ts";

const sourceLanguageKey = "sourceLanguage";
const languageKey = "selectedLanguage";
const twoWayKey = "twoWay";
const diarizationKey = "speakerDiarizationEnabled";
const microphoneKey = "microphoneId";
const sidebarKey = "sidebarOpen";
const sideKey = "sideOpen";
const translationFirstKey = "translationFirst";

/** A choice that is stored on this device: its value, and the function that changes it. */
export function createStoredChoice<T>(
  key: string,
  parse: (stored: string | null) => T,
): [choice: Signal<T>, choose: (value: NonNullable<T>) => void] {
  const choice = new Signal(parse(safeStorage.get(key)));
  const choose = (value: NonNullable<T>) => {
    safeStorage.set(key, String(value));
    choice.set(value);
  };
  return [choice, choose];
}

/** The spoken language. An invalid stored value is replaced by the default. */
export function getStoredSourceLanguage(): SourceLanguage {
  const value = safeStorage.get(sourceLanguageKey);
  if (isSourceLanguage(value)) return value;
  safeStorage.set(sourceLanguageKey, defaultSourceLanguage);
  return defaultSourceLanguage;
}

export function getStoredTargetLanguage(): TargetLanguage {
  const value = safeStorage.get(languageKey);
  return isTargetLanguage(value) ? value : defaultTargetLanguage;
}

/** The languages of a new lecture. */
export const getStoredLanguages = (): LanguagePair => ({
  sourceLanguage: getStoredSourceLanguage(),
  targetLanguage: getStoredTargetLanguage(),
  isTwoWay: safeStorage.get(twoWayKey) === "true",
});

export function storeLanguages(change: Partial<LanguagePair>): void {
  const { sourceLanguage, targetLanguage, isTwoWay } = { ...getStoredLanguages(), ...change };
  safeStorage.set(sourceLanguageKey, sourceLanguage);
  safeStorage.set(languageKey, targetLanguage);
  safeStorage.set(twoWayKey, String(isTwoWay));
}

/** Whether speakers are distinguished; on unless it was turned off. */
export const getStoredDiarization = (): boolean => safeStorage.get(diarizationKey) !== "false";

export const storeDiarization = (on: boolean): void => safeStorage.set(diarizationKey, String(on));

/** The microphone that was last chosen on this device; null: the system's default. */
export const getStoredMicrophone = (): string | null => safeStorage.get(microphoneKey);

export function storeMicrophone(id: string | null): void {
  if (id === null) safeStorage.remove(microphoneKey);
  else safeStorage.set(microphoneKey, id);
}

const sizes: readonly number[] = [15, 16, 17, 19, 22, 26, 32, 40, 48];

const [size, setSize] = createStoredChoice("transcriptSize", (stored) =>
  sizes.includes(Number(stored)) ? Number(stored) : 17,
);
export const readingSize = size;

/** The next size in a direction (1: larger), or null at the end of the scale. */
export function getNextSize(current: number, step: 1 | -1): number | null {
  const index = sizes.indexOf(current);
  return sizes[index + step] ?? null;
}

export function changeReadingSize(step: 1 | -1): void {
  const next = getNextSize(readingSize.get(), step);
  if (next !== null) setSize(next);
}

export type ReadingFace = "sans" | "serif";

/** The typeface of the transcript and the summary. */
export const [readingFace, setReadingFace] = createStoredChoice<ReadingFace>(
  "transcriptFace",
  (stored) => (stored === "serif" ? "serif" : "sans"),
);

const readingModes = ["both", "translation", "original"] as const;
/** Which texts of a translated lecture are shown. */
export type ReadingMode = (typeof readingModes)[number];

export const [readingMode, setReadingMode] = createStoredChoice<ReadingMode>(
  "transcriptMode",
  (stored) => readingModes.find((mode) => mode === stored) ?? "both",
);

/** Whether the translation comes before the English where both are shown. */
export const [translationFirst, setTranslationFirst] = createStoredChoice(
  translationFirstKey,
  (stored) => stored === "true",
);

/** Begins with the translation, unless an order was chosen on this device. Stores nothing. */
export function showTranslationFirst(): void {
  if (safeStorage.get(translationFirstKey) === null) translationFirst.set(true);
}

/** Whether this browser has ever begun to import sound or video. Only then can a file be unfinished. */
export const [mediaImportsBegan, setMediaImportsBegan] = createStoredChoice(
  "mediaImportsBegan",
  (stored) => stored === "true",
);

const wideScreen = window.matchMedia("(min-width: 70rem)");

/** Whether the sidebar is open. On a narrow screen it covers the page and starts closed. */
export const sidebarOpen = new Signal<boolean>(shouldOpenSidebar());

function shouldOpenSidebar(): boolean {
  return wideScreen.matches && safeStorage.get(sidebarKey) !== "false";
}

// The sidebar must not cover a page whose window was made narrow or whose tablet was rotated.
wideScreen.addEventListener("change", () => sidebarOpen.set(shouldOpenSidebar()));

export function setSidebarOpen(open: boolean): void {
  sidebarOpen.set(open);
  if (wideScreen.matches) safeStorage.set(sidebarKey, String(open));
}

/** Whether the column beside a lecture's text is shown with a lecture that is opened. */
export const getStoredSideOpen = (): boolean => safeStorage.get(sideKey) !== "false";

export const storeSideOpen = (open: boolean): void => safeStorage.set(sideKey, String(open));

export const isSidebarOverlay = (): boolean => !wideScreen.matches;
