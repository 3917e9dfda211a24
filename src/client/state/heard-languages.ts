import type { SpeechEngine } from "#client/recognition/speech-engine.ts";
import type { LanguagePair } from "#shared/languages.ts";
import type { SiteInfo } from "#shared/site.ts";
import { canHear } from "./engine-rules.ts";
import { listSpeechEngines } from "./engines.ts";

/**
 * The first of this site's and this device's engines that hears `pair`; null: none does. The demo hears no words. Loaded
 * after the first paint.
 */
export const findEngineThatHears = (
  pair: LanguagePair,
  info: Pick<SiteInfo, "recognizer" | "speechService" | "standIns" | "isDemoDefault">,
): Exclude<SpeechEngine, "demo"> | null =>
  listSpeechEngines(info)
    .filter((engine) => engine !== "demo")
    .find((engine) => canHear(engine, pair, info)) ?? null;
