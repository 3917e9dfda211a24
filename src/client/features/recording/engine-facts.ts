import type { InterfaceLanguage } from "#client/i18n/bundle.ts";
import type { LanguagePack } from "#client/recognition/browser/recognition-engine.ts";
import type { EngineAvailability } from "#client/recognition/browser/web-speech.ts";
import type { ModelSpeed } from "#client/recognition/device/speed.ts";
import type { SpeechEngine } from "#client/recognition/speech-engine.ts";
import { canHear, hasModel, type SiteStream } from "#client/state/engine-rules.ts";
import type { LanguageEngine } from "#client/translation/language-calls.ts";
import { getLanguageName, getTranslationTag, type LanguagePair } from "#shared/languages.ts";
import type { SiteInfo } from "#shared/site.ts";
import type { Translate } from "./engine-list-messages/index.ts";

/**
 * What each engine can do on this device now, in short sentences: what it hears or translates, whether it follows, what it
 * costs, where the sound or the text goes, and whether it works without a network. By what was asked, and not by its name.
 */

type Site = SiteStream & Pick<SiteInfo, "speechService">;

interface Situation {
  site: Site;
  pair: LanguagePair;
  t: Translate;
  shownIn: InterfaceLanguage;
}

export interface SpeechSituation extends Situation {
  /** Of this browser's engine, for the spoken language; null before it is known. */
  pack: LanguagePack["state"] | "failed" | null;
  /** Of the model that would recognise on this device; null: there is none. `unknown`: it was not measured. */
  modelSpeed: ModelSpeed | "unknown" | null;
}

export function describeSpeechEngine(engine: SpeechEngine, situation: SpeechSituation): string[] {
  const { t } = situation;
  const isOnDevice = engine === "browser" && situation.pack === "available";
  return [
    describeHearing(engine, situation),
    describePace(engine, situation),
    t(`engine.quality.${getQuality(engine, situation.site)}`),
    t(engine === "service" || engine === "demo" ? "engine.cost.hours" : "engine.cost.free"),
    describeSound(engine, situation, isOnDevice),
    engine === "device" && situation.modelSpeed === null
      ? t("engine.network.model")
      : t(engine === "device" || isOnDevice ? "engine.network.none" : "engine.network.needed"),
  ];
}

function describeHearing(engine: SpeechEngine, { site, pair, t, shownIn }: SpeechSituation) {
  if (engine === "demo") return t("engine.hears.demo");
  const { sourceLanguage, isTwoWay } = pair;
  const hears = canHear(engine, pair, site);
  if (sourceLanguage === "detect") return t(hears ? "engine.hears.any" : "engine.hears.noneFound");
  if (isTwoWay) return t(hears ? "engine.hears.both" : "engine.hears.notBoth");
  const language = getLanguageName(sourceLanguage, shownIn);
  return t(hears ? "engine.hears.one" : "engine.hears.notOne", { language });
}

function describePace(engine: SpeechEngine, { modelSpeed, t }: SpeechSituation): string {
  if (engine !== "device") return t("engine.pace.follows");
  return t(`engine.pace.${modelSpeed ?? "unknown"}`);
}

function getQuality(engine: SpeechEngine, { speechService }: Site) {
  if (engine === "service")
    return speechService === "localServer" || speechService === "ownServer" ? "own" : "service";
  return engine;
}

function describeSound(
  engine: SpeechEngine,
  { site, t }: SpeechSituation,
  isOnDevice: boolean,
): string {
  if (engine === "device" || isOnDevice) return t("engine.sound.device");
  if (engine === "browser") return t("engine.sound.maker");
  if (engine === "demo") return t("engine.sound.site");
  switch (site.speechService) {
    case "localServer":
      return t("engine.sound.localServer");
    case "ownServer":
      return t("engine.sound.ownServer");
    default:
      return t("engine.sound.service", { service: site.speechService ?? "" });
  }
}

export interface LanguageSituation extends Situation {
  /** The speech service translates while people speak. */
  isStreamed: boolean;
  /** What this browser's translator has answered for the pair; null before it has, and without one. */
  browserPack: EngineAvailability | null;
  /** A model on this device translates the pair. */
  hasDeviceModel: boolean;
}

export function describeLanguageEngine(
  engine: LanguageEngine,
  situation: LanguageSituation,
): string[] {
  const { site, pair, t, shownIn, browserPack, hasDeviceModel, isStreamed } = situation;
  const { targetLanguage } = pair;
  const language =
    targetLanguage === "none" ? null : getLanguageName(getTranslationTag(targetLanguage), shownIn);
  const sayTranslates = (key: "yes" | "download" | "model" | "no") =>
    language === null ? [] : [t(`engine.into.${key}`, { language })];
  if (engine === "service") {
    if (isStreamed && !hasModel(site))
      return [t("engine.stream.only", { service: site.speechService ?? "" })];
    return [
      ...sayTranslates("yes"),
      t(isStreamed ? "engine.translationPace.fast" : "engine.translationPace.careful"),
      t("engine.writing.model"),
      t("engine.cost.none"),
      t("engine.text.site"),
      t("engine.network.needed"),
    ];
  }
  const isReady = engine === "device" ? hasDeviceModel : browserPack === "available";
  const isLacking = engine === "browser" && browserPack === "unavailable";
  const missing = engine === "device" ? "model" : isLacking ? "no" : "download";
  return [
    ...(engine === "browser" && browserPack === null
      ? []
      : sayTranslates(isReady ? "yes" : missing)),
    t("engine.writing.sentences"),
    t("engine.cost.free"),
    t("engine.text.device"),
    t(isReady ? "engine.network.none" : "engine.network.model"),
  ];
}
