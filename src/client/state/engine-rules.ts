import type { SpeechEngine } from "#client/recognition/speech-engine.ts";
import type { LanguageEngine } from "#client/translation/language-calls.ts";
import { canRecognize, canTranslateInStream, type Recognizer } from "#shared/engine-languages.ts";
import { canBeTwoWay, type LanguagePair, toSpokenLanguage } from "#shared/languages.ts";
import type { SiteInfo } from "#shared/site.ts";

/** Which engine is used, by what the site has, what is asked of this browser and of this device, and what is spoken. */

/** `recognizer`: undefined before the site has answered. */
export interface SiteSpeech extends Pick<SiteInfo, "isDemoDefault"> {
  /** Null: the site has none. */
  speechService: string | null;
  recognizer?: Recognizer;
  standIns: Pick<SiteInfo["standIns"], "speech">;
}

/** What this browser and this device have now for speech. */
export interface SpeechHere {
  /** The browser has an engine. */
  canRecognize: boolean;
  /** It recognises the spoken language on this device, as far as is known. */
  hasPack: boolean;
  isOffline: boolean;
}

/** The engines that can be chosen, the one that is used without a choice first, whatever is spoken. */
export function listSpeechEngines(
  site: SiteSpeech,
  here: Pick<SpeechHere, "canRecognize">,
): SpeechEngine[] {
  const onDevice: SpeechEngine[] = here.canRecognize ? ["browser", "device"] : ["device"];
  if (site.isDemoDefault) return ["demo", ...onDevice];
  if (site.speechService === null) return onDevice;
  return site.standIns.speech ? [...onDevice, "demo"] : ["service", ...onDevice];
}

/** Of this device the models for many languages, which can be downloaded; of the demo what it takes the place of. */
const recognizers: Record<Exclude<SpeechEngine, "service">, Recognizer> = {
  browser: "browser",
  device: "whisper",
  demo: "soniox",
};

/** Whether `engine` hears what is spoken. Of a site that has not answered, that is expected. */
export function canHear(
  engine: SpeechEngine,
  pair: LanguagePair,
  { recognizer }: Pick<SiteSpeech, "recognizer">,
): boolean {
  const own = engine === "service" ? recognizer : recognizers[engine];
  const second =
    pair.isTwoWay && canBeTwoWay(pair) ? toSpokenLanguage(pair.targetLanguage) : undefined;
  return own === undefined || canRecognize(own, pair.sourceLanguage, second);
}

/** Without a network. The sound waits on this device where no model is there yet. */
const worksOffline = (engine: SpeechEngine, { hasPack }: SpeechHere): boolean =>
  engine === "device" || (engine === "browser" && hasPack);

/**
 * The engine that the person has chosen, if it is there; else the first that works now and hears `pair`, if one does. The
 * demo is not chosen for anybody, unless the site is one.
 */
export function selectSpeechEngine(
  site: SiteSpeech,
  here: SpeechHere,
  choice: SpeechEngine | null,
  pair: LanguagePair | null,
): SpeechEngine {
  const engines = listSpeechEngines(site, here);
  const chosen = engines.find((engine) => engine === choice);
  if (chosen !== undefined) return chosen;
  const [usual = "service"] = engines;
  if (usual === "demo") return usual;
  const hears = (engine: SpeechEngine) => pair === null || canHear(engine, pair, site);
  const real = engines.filter((engine) => engine !== "demo");
  const working = here.isOffline ? real.filter((engine) => worksOffline(engine, here)) : real;
  return working.find(hears) ?? working[0] ?? usual;
}

export interface SiteLanguage extends Pick<SiteInfo, "isDemoDefault"> {
  lacksModel?: boolean;
  standIns: Pick<SiteInfo["standIns"], "llm">;
}

/** What this browser and this device have for translations, of `pair` where that is known. */
export interface LanguageHere {
  canBrowserTranslate: boolean;
  canDeviceTranslate: boolean;
  isOffline: boolean;
}

/** All engines, in the order in which they are tried after the one that is used first. */
export const languageEngines = [
  "browser",
  "device",
  "service",
] as const satisfies readonly LanguageEngine[];

/** The site has a language model, or a demo of one that it uses. */
export const hasModel = ({ lacksModel, standIns, isDemoDefault }: SiteLanguage): boolean =>
  lacksModel !== true && (!standIns.llm || isDemoDefault);

/**
 * The engines that may be used, the first of which is used while it works. The demo, which only marks sentences, is one of
 * them only where the person chose it, or the site is a demo.
 */
export function listLanguageEngines(
  site: SiteLanguage,
  here: LanguageHere,
  choice: LanguageEngine | null,
): LanguageEngine[] {
  const isUsual = !site.standIns.llm && site.lacksModel !== true && !here.isOffline;
  const first = choice ?? (isUsual ? "service" : "browser");
  const isUsable = {
    browser: here.canBrowserTranslate,
    device: here.canDeviceTranslate,
    service: site.lacksModel !== true && (choice === "service" || hasModel(site)),
  };
  const others = languageEngines.filter((engine) => engine !== first);
  return [first, ...others].filter((engine) => isUsable[engine]);
}

export interface SiteStream extends SiteLanguage {
  recognizer: Recognizer;
  speechService: string | null;
  translationPace?: NonNullable<SiteInfo["translationPace"]>;
  standIns: Pick<SiteInfo["standIns"], "llm" | "speech">;
}

/** The demo voice takes the place of the first service. */
export const getStreamRecognizer = ({ recognizer, standIns }: SiteStream): Recognizer =>
  standIns.speech ? "soniox" : recognizer;

/**
 * Whether the speech service translates a lecture in these languages. `choice`: the engine that the person has chosen to
 * translate; `pace`: whether the stream or the model does where both can.
 */
export function translatesInStream(
  site: SiteStream,
  pair: LanguagePair,
  choice: LanguageEngine | null,
  pace: NonNullable<SiteInfo["translationPace"]>,
): boolean {
  if (choice === "browser" || choice === "device" || site.speechService === null) return false;
  const { sourceLanguage, targetLanguage } = pair;
  const isWanted = !hasModel(site) || pace === "fast";
  return (
    isWanted && canTranslateInStream(getStreamRecognizer(site), sourceLanguage, targetLanguage)
  );
}
