import type { SpeechEngine } from "#client/recognition/speech-engine.ts";
import { canRecognize, type Recognizer } from "#shared/engine-languages.ts";
import { canBeTwoWay, type LanguagePair, toSpokenLanguage } from "#shared/languages.ts";
import type { SiteInfo } from "#shared/site.ts";
import { listSpeechEngines } from "./engines.ts";

/** Which engines hear what is spoken. Loaded after the first paint. */

type Site = Pick<SiteInfo, "recognizer" | "speechService" | "standIns" | "isDemoDefault">;

/** Of this device the models for many languages, which can be downloaded; of the demo what it takes the place of. */
const recognizers: Record<Exclude<SpeechEngine, "service">, Recognizer> = {
  browser: "browser",
  device: "whisper",
  demo: "soniox",
};

export function canHear(engine: SpeechEngine, pair: LanguagePair, info: Site): boolean {
  const recognizer = engine === "service" ? info.recognizer : recognizers[engine];
  const second =
    pair.isTwoWay && canBeTwoWay(pair) ? toSpokenLanguage(pair.targetLanguage) : undefined;
  return canRecognize(recognizer, pair.sourceLanguage, second);
}

/** The first of this site's and this device's engines that hears `pair`; null: none does. The demo hears no words. */
export const findEngineThatHears = (
  pair: LanguagePair,
  info: Site,
): Exclude<SpeechEngine, "demo"> | null =>
  listSpeechEngines(info)
    .filter((engine) => engine !== "demo")
    .find((engine) => canHear(engine, pair, info)) ?? null;
