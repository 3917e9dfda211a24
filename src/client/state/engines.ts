import { browserClock } from "#client/lib/clock.ts";
import { Signal } from "#client/lib/observable.ts";
import { readStoredChoice, safeStorage } from "#client/lib/storage.ts";
import {
  findLanguagePack,
  installLanguagePack,
  type LanguagePack,
} from "#client/recognition/browser/recognition-engine.ts";
import { getSpeechRecognition } from "#client/recognition/browser/web-speech.ts";
import {
  isRoomEngine,
  type SpeechEngine,
  speechEngines,
} from "#client/recognition/speech-engine.ts";
import type { SessionEngines } from "#client/recorder/session-ports.ts";
import type { LanguagePair, SourceLanguage, SpokenLanguage } from "#shared/languages.ts";
import type { SiteInfo } from "#shared/site.ts";
import {
  listSpeechEngines as listEngines,
  type SiteSpeech,
  type SpeechHere,
  selectSpeechEngine as selectEngine,
} from "./engine-rules.ts";
import { isOffline } from "./offline.ts";
import { getStoredLanguages } from "./preferences.ts";
import { recordingSession } from "./recording.ts";
import { fetchSiteInfo } from "./site-info.ts";
import { openSpeechModel } from "./speech-model.ts";
import { translatesInStream } from "./stream-translation.ts";
import { prepareTranslators, wrapLanguageCalls } from "./translators.ts";

/**
 * Which engine recognises speech: the site's service, its demo, this browser or a model on this device. The choice is kept on this device.
 * Loaded after the first paint.
 */

const choiceKey = "speechEngine";

/** What the person chose; null: the site's default. */
export const speechChoice = new Signal(readStoredChoice(choiceKey, speechEngines));

export function chooseSpeechEngine(engine: SpeechEngine | null): void {
  if (engine === null) safeStorage.remove(choiceKey);
  else safeStorage.set(choiceKey, engine);
  speechChoice.set(engine);
}

export const canRecognize = (): boolean => getSpeechRecognition() !== null;

/** What this browser and this device have now for speech in `language`. */
const getHere = (language: SourceLanguage | null): SpeechHere => ({
  canRecognize: canRecognize(),
  hasPack: language === packLanguage && languagePack.get()?.state === "available",
  isOffline: isOffline.get(),
});

/** The engines that can be chosen, the one that is used without a choice first, whatever is spoken. */
export const listSpeechEngines = (info: SiteSpeech): SpeechEngine[] =>
  listEngines(info, { canRecognize: canRecognize() });

/** The demo is a choice of its own where Record uses another engine. */
export const canOfferDemo = (info: SiteInfo): boolean =>
  info.standIns.speech && selectSpeechEngine(info) !== "demo";

/** What Record would use for a lecture in the languages of `pair`; null: in any. */
export const selectSpeechEngine = (
  info: SiteSpeech,
  choice = speechChoice.get(),
  pair: LanguagePair | null = null,
): SpeechEngine => selectEngine(info, getHere(pair?.sourceLanguage ?? null), choice, pair);

const siteKey = "siteSpeech";
const siteKinds = ["service", "demo", "demoDefault", "none"] as const;

/** The site as it was at the last recording: it may not be reachable now. Null before the first. */
function readKnownSite(): SiteSpeech | null {
  const kind = readStoredChoice(siteKey, siteKinds);
  if (kind === null) return null;
  return {
    isDemoDefault: kind === "demoDefault",
    speechService: kind === "none" ? null : kind,
    standIns: { speech: kind === "demo" || kind === "demoDefault" },
  };
}

function keepKnownSite({ isDemoDefault, speechService, standIns }: SiteSpeech): void {
  const usual = speechService === null ? "none" : "service";
  const kind: (typeof siteKinds)[number] = standIns.speech ? "demo" : usual;
  safeStorage.set(siteKey, isDemoDefault ? "demoDefault" : kind);
}

interface ShownLanguagePack extends Omit<LanguagePack, "state"> {
  state: LanguagePack["state"] | "failed";
}

/** Whether speech in `packLanguage` can stay on this device; null before it is known. */
export const languagePack = new Signal<ShownLanguagePack | null>(null);

let packLanguage: SpokenLanguage | null = null;

export async function checkLanguagePack(language: SpokenLanguage): Promise<void> {
  if (language === packLanguage) return;
  packLanguage = language;
  languagePack.set(null);
  const pack = await findLanguagePack(browserClock, language);
  if (language === packLanguage) languagePack.set(pack);
}

export async function downloadLanguagePack(language: SpokenLanguage): Promise<void> {
  const quality = languagePack.get()?.quality ?? null;
  languagePack.set({ state: "downloading", quality });
  const isInstalled = await installLanguagePack(language, quality);
  if (language === packLanguage)
    languagePack.set({ state: isInstalled ? "available" : "failed", quality });
}

function selectUsualEngine(site: SiteSpeech | null, pair: LanguagePair): SpeechEngine {
  if (site !== null) return selectSpeechEngine(site, speechChoice.get(), pair);
  const choice = speechChoice.get();
  // The room refuses a demo that nobody has chosen.
  return choice !== null && (choice !== "browser" || canRecognize()) ? choice : "service";
}

/** The engine of the next recording. */
export async function findSpeechEngine(): Promise<SpeechEngine> {
  const info = await fetchSiteInfo();
  if (info !== null) keepKnownSite(info);
  const pair = recordingSession.get()?.view.get() ?? getStoredLanguages();
  const { sourceLanguage } = pair;
  // Without a network, this browser's engine may work all the same.
  if (isOffline.get() && canRecognize() && sourceLanguage !== "detect")
    await checkLanguagePack(sourceLanguage);
  const engine = selectUsualEngine(info ?? readKnownSite(), pair);
  // Without a network there is no room: a model on this device recognises, or the sound waits for the room.
  return isOffline.get() && isRoomEngine(engine) ? "device" : engine;
}

export const engines: Required<SessionEngines> = {
  async selectSpeech() {
    const engine = await findSpeechEngine();
    prepareTranslators();
    return engine;
  },
  openSpeechModel,
  translatesInStream: (languages) => translatesInStream(languages),
  wrapLanguageCalls,
};
