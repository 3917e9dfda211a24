// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import { listLanguageEngines } from "#client/state/translators.ts";

const site = (llm: boolean, isDemoDefault = false) => ({
  standIns: { speech: true, llm, mail: true, payments: true },
  isDemoDefault,
});

const stubTranslator = () => vi.stubGlobal("Translator", {});
afterEach(() => vi.unstubAllGlobals());

describe("the engines that translate", () => {
  it("are the site's model and then this browser, unless the person chose otherwise", () => {
    stubTranslator();
    expect(listLanguageEngines(site(false), null)).toEqual(["service", "browser"]);
    expect(listLanguageEngines(site(false), "browser")).toEqual(["browser", "service"]);
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
