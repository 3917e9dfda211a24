// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import {
  canChoosePace,
  chooseTranslationPace,
  paceChoice,
  translatesInStream,
} from "#client/state/stream-translation.ts";
import type { Recognizer } from "#shared/engine-languages.ts";
import type { LanguagePair } from "#shared/languages.ts";

const site = ({
  llm = true,
  recognizer = "soniox" as Recognizer,
  translationPace = undefined as "fast" | "careful" | undefined,
  speechService = "Soniox" as string | null,
  lacksModel = false,
} = {}) => ({
  recognizer,
  speechService,
  lacksModel,
  standIns: { speech: false, llm: !llm, mail: false, payments: false },
  isDemoDefault: false,
  ...(translationPace && { translationPace }),
});
const pair = (
  sourceLanguage: LanguagePair["sourceLanguage"],
  targetLanguage: LanguagePair["targetLanguage"],
): LanguagePair => ({ sourceLanguage, targetLanguage, isTwoWay: false });
const french = pair("en", "fr");

afterEach(() => {
  localStorage.clear();
  paceChoice.set(null);
});

describe("a lecture is translated in the speech service's stream", () => {
  it("where the site has no language model, whatever was chosen where it had one", () => {
    chooseTranslationPace("careful");
    expect(translatesInStream(french, site({ llm: false }), null)).toBe(true);
    expect(canChoosePace(site({ llm: false }))).toBe(false);
  });

  it("where a site of one's own has a speech service's key alone", () => {
    const info = site({ lacksModel: true, translationPace: "careful" });
    expect(translatesInStream(french, info, null)).toBe(true);
    expect(canChoosePace(info)).toBe(false);
    const none = site({ lacksModel: true, speechService: null });
    expect(translatesInStream(french, none, null)).toBe(false);
  });

  it("where both are there, as the person chose, or else the site", () => {
    expect(canChoosePace(site())).toBe(true);
    expect(translatesInStream(french, site(), null)).toBe(false);
    expect(translatesInStream(french, site({ translationPace: "fast" }), null)).toBe(true);
    chooseTranslationPace("fast");
    expect(localStorage.getItem("translationPace")).toBe("fast");
    expect(translatesInStream(french, site(), "service")).toBe(true);
    chooseTranslationPace("careful");
    expect(translatesInStream(french, site({ translationPace: "fast" }), null)).toBe(false);
  });

  it("not where an engine of this device was chosen", () => {
    const info = site({ llm: false });
    expect(translatesInStream(french, info, "browser")).toBe(false);
    expect(translatesInStream(french, info, "device")).toBe(false);
  });

  it.each<[string, LanguagePair, Recognizer, boolean]>([
    ["detected languages", pair("detect", "fr"), "soniox", true],
    ["simplified Chinese", pair("en", "zh-cn"), "soniox", true],
    ["traditional Chinese, which it does not write", pair("en", "zh"), "soniox", false],
    ["Thai, whose sentences have no ends", pair("en", "th"), "soniox", false],
    ["speech in Thai", pair("th", "en"), "soniox", false],
    ["nothing", pair("en", "none"), "soniox", false],
    ["the language itself", pair("fr", "fr"), "soniox", false],
    ["a service that does not translate", french, "nova-3", false],
  ])("only as far as that can: %s", (_, languages, recognizer, isTranslated) => {
    expect(translatesInStream(languages, site({ llm: false, recognizer }), null)).toBe(
      isTranslated,
    );
  });
});
