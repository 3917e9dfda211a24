import { Signal } from "#client/lib/signal.ts";
import { stored } from "#client/lib/storage.ts";
import {
  defaultSourceLanguage,
  defaultTargetLanguage,
  isSourceLanguage,
  isTargetLanguage,
  type SourceLanguage,
  type TargetLanguage,
} from "#shared/languages.ts";

const sourceLanguageKey = "sourceLanguage";
const languageKey = "selectedLanguage";
const diarizationKey = "speakerDiarizationEnabled";
const microphoneKey = "microphoneId";
const sizeKey = "transcriptSize";
const faceKey = "transcriptFace";
const sidebarKey = "sidebarOpen";

/** The language that is spoken. What is stored and no such language gives way to the default. */
export function storedSourceLanguage(): SourceLanguage {
  const value = stored.get(sourceLanguageKey);
  if (isSourceLanguage(value)) return value;
  stored.set(sourceLanguageKey, defaultSourceLanguage);
  return defaultSourceLanguage;
}

export function storedTargetLanguage(): TargetLanguage {
  const value = stored.get(languageKey);
  return isTargetLanguage(value) ? value : defaultTargetLanguage;
}

export const storeTargetLanguage = (language: TargetLanguage): void =>
  stored.set(languageKey, language);

/** Whether speakers are told apart; they are unless somebody said no. */
export const storedDiarization = (): boolean => stored.get(diarizationKey) !== "false";

export const storeDiarization = (on: boolean): void => stored.set(diarizationKey, String(on));

/** The microphone that was last chosen on this device; null: the system's default. */
export const storedMicrophone = (): string | null => stored.get(microphoneKey);

export function storeMicrophone(id: string | null): void {
  if (id === null) stored.remove(microphoneKey);
  else stored.set(microphoneKey, id);
}

const sizes: readonly number[] = [15, 16, 17, 19, 22, 26];
const defaultSize = 17;

const knownSize = Number(stored.get(sizeKey));
export const readingSize = new Signal<number>(sizes.includes(knownSize) ? knownSize : defaultSize);

/** The next size in a direction, or null at the end of the scale. */
export function nextSize(current: number, step: 1 | -1): number | null {
  const index = sizes.indexOf(current);
  return sizes[index + step] ?? null;
}

export function stepReadingSize(step: 1 | -1): void {
  const next = nextSize(readingSize.get(), step);
  if (next === null) return;
  readingSize.set(next);
  stored.set(sizeKey, String(next));
}

export type ReadingFace = "sans" | "serif";

/** The face that the transcript and the summary are read in. */
export const readingFace = new Signal<ReadingFace>(
  stored.get(faceKey) === "serif" ? "serif" : "sans",
);

export function chooseReadingFace(face: ReadingFace): void {
  readingFace.set(face);
  stored.set(faceKey, face);
}

const wide = window.matchMedia("(min-width: 70rem)");

/** Whether the lectures are shown beside the page. On a narrow screen they lie over it and start closed. */
export const sidebarOpen = new Signal<boolean>(opensBeside());

function opensBeside(): boolean {
  return wide.matches && stored.get(sidebarKey) !== "false";
}

// A window that is made narrow, or a tablet that is turned, must not end up covered.
wide.addEventListener("change", () => sidebarOpen.set(opensBeside()));

export function showSidebar(open: boolean): void {
  sidebarOpen.set(open);
  if (wide.matches) stored.set(sidebarKey, String(open));
}

export const sidebarCovers = (): boolean => !wide.matches;
