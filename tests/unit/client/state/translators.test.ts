// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import type { SessionApi } from "#client/lecture/server-api.ts";
import { devicePairs, setDevicePairs } from "#client/state/device-pairs.ts";
import { queryClient } from "#client/state/queries.tsx";
import { listLanguageEngines, wrapLanguageCalls } from "#client/state/translators.ts";
import { NoTranslatorError, SiteError } from "#client/translation/translator-list.ts";
import type { SpokenLanguage, TranslationLanguage } from "#shared/languages.ts";
import { fakeServer } from "#tests/unit/client/kit/server.ts";

const site = (llm: boolean, isDemoDefault = false) => ({
  standIns: { speech: true, llm, mail: true, payments: true },
  isDemoDefault,
});

const pair = (sourceLanguage: SpokenLanguage, targetLanguage: TranslationLanguage) => ({
  sourceLanguage,
  targetLanguage,
});

const stubTranslator = () => vi.stubGlobal("Translator", {});
afterEach(() => {
  vi.unstubAllGlobals();
  devicePairs.set([]);
});

describe("the engines that translate", () => {
  it("are the site's model and then this browser, unless the person chose otherwise", () => {
    stubTranslator();
    expect(listLanguageEngines(site(false), null)).toEqual(["service", "browser"]);
    expect(listLanguageEngines(site(false), "browser")).toEqual(["browser", "service"]);
  });

  it("include this device, after the browser and before the site's model, where it has a model", () => {
    stubTranslator();
    setDevicePairs(["en>de", "en>fr", "de>en"]);
    expect(localStorage.getItem("deviceLanguages")).toBe("en>de en>fr de>en");
    expect(listLanguageEngines(site(false), "browser")).toEqual(["browser", "device", "service"]);
    expect(listLanguageEngines(site(false), "device")).toEqual(["device", "browser", "service"]);
    expect(listLanguageEngines(site(false), null)).toEqual(["service", "browser", "device"]);
    vi.unstubAllGlobals();
    expect(listLanguageEngines(site(true), null)).toEqual(["device"]);
    expect(listLanguageEngines(site(true), null, pair("en", "fr"))).toEqual(["device"]);
    expect(listLanguageEngines(site(true), null, pair("de", "en"))).toEqual(["device"]);
    expect(listLanguageEngines(site(true), null, pair("en", "ja"))).toEqual([]);
    expect(listLanguageEngines(site(true), null, pair("fr", "en"))).toEqual([]);
  });

  it("include this device as soon as another tab has a model for it, until it is deleted", () => {
    const tellOfTab = (newValue: string | null, key = "deviceLanguages") =>
      dispatchEvent(new StorageEvent("storage", { key, newValue }));
    // Of the version before, whose models all translate from English.
    tellOfTab("ru zh-cn");
    expect(devicePairs.get()).toEqual(["en>ru", "en>zh-cn"]);
    tellOfTab("en>ru it>en");
    expect(listLanguageEngines(site(true), null, pair("en", "ru"))).toEqual(["device"]);
    tellOfTab("fr", "another");
    expect(devicePairs.get()).toEqual(["en>ru", "it>en"]);
    tellOfTab("");
    expect(listLanguageEngines(site(true), null, pair("en", "ru"))).toEqual([]);
  });

  it("do not include an engine that is not there", () => {
    expect(listLanguageEngines(site(false), "browser")).toEqual(["service"]);
    expect(listLanguageEngines(site(true), "browser")).toEqual([]);
  });

  it("include the demo only where it was chosen, or the site is a demo", () => {
    expect(listLanguageEngines(site(true), null)).toEqual([]);
    expect(listLanguageEngines(site(true), "service")).toEqual(["service"]);
    expect(listLanguageEngines(site(true, true), null)).toEqual(["service"]);
    stubTranslator();
    expect(listLanguageEngines(site(true), null)).toEqual(["browser"]);
    expect(listLanguageEngines(site(true), "service")).toEqual(["service", "browser"]);
    expect(listLanguageEngines(site(true, true), null)).toEqual(["browser", "service"]);
  });
});

describe("a sentence without a translator", () => {
  const translate = () =>
    wrapLanguageCalls({} as SessionApi).translate(
      { text: "Hi.", ...pair("en", "fr"), context: "", wordContext: "" },
      new AbortController().signal,
    );
  afterEach(() => queryClient.clear());

  it.each([[[]], [["en>de"]]])(
    "is left to a site that does not answer, with %j on this device",
    async (models) => {
      setDevicePairs(models);
      fakeServer({});
      await expect(translate()).rejects.toThrow(SiteError);
    },
  );

  it("has none where the site has said that it has none", async () => {
    fakeServer({
      "site.info": () => ({
        ...site(true),
        speechService: "Soniox",
        challenge: null,
        outboxUrl: null,
      }),
    });
    await expect(translate()).rejects.toThrow(NoTranslatorError);
  });
});
