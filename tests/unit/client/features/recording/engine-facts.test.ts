import { setupI18n } from "@lingui/core";
import { describe, expect, it } from "vitest";
import {
  describeLanguageEngine,
  describeSpeechEngine,
} from "#client/features/recording/engine-facts.ts";
import english from "#client/features/recording/engine-list-messages/en.json" with { type: "json" };
import type { ModelSpeed } from "#client/recognition/device/speed.ts";
import type { SpeechEngine } from "#client/recognition/speech-engine.ts";
import {
  listLanguageEngines,
  type SiteStream,
  selectSpeechEngine,
  translatesInStream,
} from "#client/state/engine-rules.ts";
import type { LanguageEngine } from "#client/translation/language-calls.ts";
import type { LanguagePair } from "#shared/languages.ts";
import type { SiteInfo } from "#shared/site.ts";

/**
 * Situations: what the site has, what this browser and this device answer, the network and the languages; and for each
 * the engines that are used without a choice, and what the page says of them.
 */

const { t } = setupI18n({ locale: "en", messages: { en: english } });

const toSite = (site: Partial<SiteStream & Pick<SiteInfo, "speechService">>) => ({
  speechService: null,
  recognizer: "english" as const,
  isDemoDefault: false,
  lacksModel: true,
  standIns: { speech: false, llm: false },
  ...site,
});
type Site = ReturnType<typeof toSite>;

const soniox = { speechService: "Soniox", recognizer: "soniox" } as const;
const sites = {
  soniox: toSite(soniox),
  sonioxAndModel: toSite({ ...soniox, lacksModel: false }),
  sonioxAndModelFast: toSite({ ...soniox, lacksModel: false, translationPace: "fast" }),
  deepgram: toSite({ speechService: "Deepgram", recognizer: "nova-3" }),
  ownServer: toSite({ speechService: "localServer", recognizer: "whisper" }),
  englishServer: toSite({ speechService: "ownServer", recognizer: "english" }),
  model: toSite({ lacksModel: false }),
  nothing: toSite({}),
  demo: toSite({ ...soniox, lacksModel: false, standIns: { speech: true, llm: true } }),
} satisfies Record<string, Site>;

const toPair = (
  sourceLanguage: LanguagePair["sourceLanguage"],
  targetLanguage: LanguagePair["targetLanguage"],
  isTwoWay = false,
): LanguagePair => ({ sourceLanguage, targetLanguage, isTwoWay });
const french = toPair("en", "fr");

interface Situation {
  site: keyof typeof sites;
  pair?: LanguagePair;
  /** This browser recognises: by its maker's servers, or with a language pack. */
  browser?: "remote" | "pack";
  /** What this browser's translator answers. */
  translator?: "available" | "downloadable";
  /** The speech model on this device. */
  model?: ModelSpeed | "unknown";
  /** A model on this device translates. */
  hasTranslationModel?: boolean;
  isOffline?: boolean;
  speech: SpeechEngine;
  /** `stream`: the speech service. Null: nothing. */
  language: LanguageEngine | "stream" | null;
  /** What is said, among other things, of the two. */
  says: readonly string[];
}

const situations: Record<string, Situation> = {
  "one key": {
    site: "soniox",
    speech: "service",
    language: "stream",
    says: [
      "Hears English.",
      "Words come while people speak.",
      "Counts toward your hours.",
      "The sound goes to this site and to Soniox.",
      "Needs a network.",
      "There is no language model here. Soniox translates while people speak, unless you choose another.",
    ],
  },
  "one key, two languages by turns": {
    site: "soniox",
    pair: toPair("en", "de", true),
    speech: "service",
    language: "stream",
    says: ["Hears both languages, by turns."],
  },
  "one key, a language without marks": {
    site: "soniox",
    pair: toPair("en", "th"),
    translator: "downloadable",
    speech: "service",
    language: "browser",
    says: ["Translates into Thai after a one-time download.", "The text stays on this device."],
  },
  "two keys": {
    site: "sonioxAndModel",
    speech: "service",
    language: "service",
    says: [
      "A translation comes when its sentence has ended.",
      "Takes the context into account, and writes summaries.",
      "The text goes to this site.",
    ],
  },
  "two keys, fast": {
    site: "sonioxAndModelFast",
    speech: "service",
    language: "stream",
    says: ["Translations come while people speak."],
  },
  "a service that does not translate": {
    site: "deepgram",
    browser: "remote",
    translator: "available",
    speech: "service",
    language: "browser",
    says: ["The sound goes to this site and to Deepgram.", "Translates into French."],
  },
  "a service that does not hear the language": {
    site: "deepgram",
    pair: toPair("sw", "en"),
    browser: "remote",
    speech: "browser",
    language: null,
    says: ["Hears Swahili.", "The sound may go to the browser's maker.", "Needs a network."],
  },
  "detected languages, with a service that finds them": {
    site: "soniox",
    pair: toPair("detect", "fr"),
    browser: "pack",
    speech: "service",
    language: "stream",
    says: ["Finds out which language is spoken."],
  },
  "detected languages, which nothing here finds": {
    site: "ownServer",
    pair: toPair("detect", "fr"),
    browser: "pack",
    speech: "service",
    language: null,
    says: ["Cannot find out which language is spoken."],
  },
  "two languages, which a server hears one at a time": {
    site: "ownServer",
    pair: toPair("en", "de", true),
    speech: "service",
    language: null,
    says: [
      "Hears only one language at a time.",
      "The sound goes to your own server on this machine.",
    ],
  },
  "a server's model for English alone, and a language of this browser": {
    site: "englishServer",
    pair: toPair("ja", "en"),
    browser: "pack",
    translator: "available",
    speech: "browser",
    language: "browser",
    says: [
      "Hears Japanese.",
      "The sound stays on this device.",
      "Works without a network.",
      "Free, without an hour limit.",
    ],
  },
  "a server's model for English alone, and no other browser": {
    site: "englishServer",
    pair: toPair("ja", "en"),
    speech: "device",
    language: null,
    says: ["Hears Japanese.", "Its speed is measured once a model is here."],
  },
  "a language model alone, and a browser by its maker's servers": {
    site: "model",
    browser: "remote",
    speech: "browser",
    language: "service",
    says: ["Less accurate, and without speakers.", "The sound may go to the browser's maker."],
  },
  "nothing but a model that follows": {
    site: "nothing",
    model: "follows",
    hasTranslationModel: true,
    speech: "device",
    language: "device",
    says: [
      "Words come while people speak.",
      "The sound stays on this device.",
      "Works without a network.",
      "Sentence by sentence, without the context.",
    ],
  },
  "nothing but a model that is behind": {
    site: "nothing",
    model: "behind",
    speech: "device",
    language: null,
    says: ["On this device, words come a sentence later."],
  },
  "nothing but a model that is too slow": {
    site: "nothing",
    model: "tooSlow",
    speech: "device",
    language: null,
    says: ["Too slow on this device: words come ever later, and none is lost."],
  },
  "nothing at all": {
    site: "nothing",
    speech: "device",
    language: null,
    says: ["Works without a network once its model is here."],
  },
  "two keys, offline": {
    site: "sonioxAndModel",
    browser: "remote",
    translator: "available",
    model: "follows",
    isOffline: true,
    speech: "device",
    language: "browser",
    says: ["Works without a network.", "The sound stays on this device."],
  },
  "two keys, offline, with a language pack": {
    site: "sonioxAndModel",
    browser: "pack",
    hasTranslationModel: true,
    isOffline: true,
    speech: "browser",
    language: "device",
    says: ["Works without a network.", "The text stays on this device."],
  },
  "a browser by its maker's servers, offline": {
    site: "nothing",
    browser: "remote",
    isOffline: true,
    speech: "device",
    language: null,
    says: ["Works without a network once its model is here."],
  },
  "stand-ins, in a browser that recognises": {
    site: "demo",
    browser: "remote",
    speech: "browser",
    language: null,
    says: ["Hears English."],
  },
  "stand-ins, and nothing else: the demo is only ever chosen": {
    site: "demo",
    speech: "device",
    language: null,
    says: ["Hears English."],
  },
};

/** As the page does: the engines without a choice, and what their cards say. */
function look(situation: Situation) {
  const { pair = french, browser, translator, model = null } = situation;
  const { hasTranslationModel = false, isOffline = false } = situation;
  const site = sites[situation.site];
  const here = { canRecognize: browser !== undefined, hasPack: browser === "pack", isOffline };
  const speech = selectSpeechEngine(site, here, null, pair);
  const language = listLanguageEngines(
    site,
    { canBrowserTranslate: !!translator, canDeviceTranslate: hasTranslationModel, isOffline },
    null,
  )[0];
  const pace = "translationPace" in site ? site.translationPace : undefined;
  const isStreamed =
    speech === "service" && translatesInStream(site, pair, null, pace ?? "careful");
  const common = { site, pair, t, shownIn: "en" as const };
  const pack = browser === "pack" ? "available" : browser === "remote" ? "unavailable" : null;
  const ofSpeech = describeSpeechEngine(speech, { ...common, pack, modelSpeed: model });
  const described = isStreamed ? "service" : language;
  const ofLanguage = described
    ? describeLanguageEngine(described, {
        ...common,
        isStreamed,
        browserPack: translator ?? null,
        hasDeviceModel: hasTranslationModel,
      })
    : [];
  return {
    speech,
    language: isStreamed ? "stream" : (language ?? null),
    said: [...ofSpeech, ...ofLanguage],
  };
}

describe("what is used where the person has chosen nothing, and what the page says of it", () => {
  it.each(Object.entries(situations))("%s", (_, situation) => {
    const { speech, language, said } = look(situation);
    expect({ speech, language }).toEqual({
      speech: situation.speech,
      language: situation.language,
    });
    expect(said).toEqual(expect.arrayContaining([...situation.says]));
  });
});

describe("what the person has chosen", () => {
  const here = { canRecognize: true, hasPack: false, isOffline: false };

  it.each([
    ["is used, whether or not it hears what is spoken", "browser", sites.soniox, "browser"],
    ["is used, also a demo", "demo", sites.demo, "demo"],
    ["is not used where the site no longer has it", "service", sites.nothing, "device"],
  ] as const)("%s", (_, choice, site, engine) => {
    expect(selectSpeechEngine(site, here, choice, toPair("sq", "en"))).toBe(engine);
  });
});
