// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { engineMessages } from "#client/features/recording/engine-messages/index.ts";
import EngineSettings from "#client/features/recording/engine-settings.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { modelDownloads } from "#client/state/device-models.ts";
import { devicePairs } from "#client/state/device-pairs.ts";
import { speechChoice } from "#client/state/engines.ts";
import { queryClient } from "#client/state/queries.tsx";
import { endRecordingSession } from "#client/state/recording.ts";
import { languageChoice } from "#client/state/translators.ts";
import type { SiteInfo } from "#shared/site.ts";
import { show } from "#tests/unit/client/kit/page.tsx";
import { holdRecording, recordingView } from "#tests/unit/client/kit/recording.ts";
import { fakeServer } from "#tests/unit/client/kit/server.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

beforeAll(() => Promise.all([showLanguage("en"), engineMessages.load()]));
const serve = (
  speechService: SiteInfo["speechService"],
  speech = true,
  isDemoDefault = false,
  recognizer: SiteInfo["recognizer"] = "soniox",
) => {
  const standIns = { speech, llm: true, mail: true, payments: true };
  const info = { speechService, recognizer, standIns, isDemoDefault, challenge: null };
  fakeServer({ "site.info": () => info });
};
beforeEach(() => {
  vi.spyOn(modelDownloads, "refresh").mockResolvedValue();
  localStorage.clear();
  serve("Soniox");
});
afterEach(async () => {
  queryClient.clear();
  speechChoice.set(null);
  languageChoice.set(null);
});

/** The radios of each choice: `[demo, browser, device]` of speech, then of language. */
async function open() {
  await show(<EngineSettings fallback={null} />);
  return waitFor(() => {
    const radios = [...document.querySelectorAll<HTMLInputElement>("input[type=radio]")];
    if (radios.length !== 6) throw new Error("The choices are not shown");
    return radios;
  });
}

const stubEngines = () => {
  vi.stubGlobal("SpeechRecognition", class {});
  vi.stubGlobal("Translator", {});
};

it("uses this device where the browser has no engines, and never the demo by itself", async () => {
  const radios = await open();
  expect(document.querySelector("label")?.textContent).toBe("Demo");
  // A demo translation is only ever chosen.
  expect(radios.map(({ checked }) => checked)).toEqual([false, false, true, false, false, false]);
  expect(radios.map(({ disabled }) => disabled)).toEqual([false, true, false, false, true, true]);
});

it.each([
  ["Deepgram", "This site's service", /sent to this site and to Deepgram/],
  ["localServer", "Your own server on this machine", /sent to it/],
  ["ownServer", "This site's service", /This site's own speech server/],
] as const)("says what recognises with %s", async (service, label, hint) => {
  serve(service, false);
  const [radio] = await open();
  const parent = radio?.parentElement;
  expect(parent?.querySelector("label")?.textContent).toBe(label);
  expect(parent?.textContent).toMatch(hint);
  expect(parent?.textContent?.includes("Deepgram")).toBe(service === "Deepgram");
});

it("says which engines are not for the language that is spoken", async () => {
  stubEngines();
  serve("ownServer", false, false, "english");
  const session = holdRecording();
  session.view.set(recordingView({ sourceLanguage: "sq" }));
  const radios = await open();
  const states = radios.slice(0, 3).map((radio) => radio.parentElement?.textContent);
  expect(states.map((text) => text?.includes("Not for this language"))).toEqual([
    true,
    true,
    false,
  ]);
  await act(async () => session.view.set(recordingView({ sourceLanguage: "en" })));
  expect(document.body.textContent).not.toContain("Not for this language");
  endRecordingSession();
});

it("uses the demo beside a browser's engine where the site was started with it", async () => {
  stubEngines();
  serve("Soniox", true, true);
  const radios = await open();
  expect(radios.map(({ checked }) => checked)).toEqual([true, false, false, false, true, false]);
});

it("translates on this device once it has a model, unless the person chooses otherwise", async () => {
  devicePairs.set(["en>de"]);
  const radios = await open();
  const readChecked = () => radios.slice(3).map(({ checked }) => checked);
  expect(readChecked()).toEqual([false, false, true]);
  await act(async () => radios[3]?.click());
  expect(readChecked()).toEqual([true, false, false]);
  await act(async () => radios[5]?.click());
  expect(readChecked()).toEqual([false, false, true]);
  expect(languageChoice.get()).toBe("device");
  devicePairs.set([]);
});

it("gives each engine a line, and says more of the chosen one and of the device's models", async () => {
  stubEngines();
  const radios = await open();
  const readHints = () =>
    radios.map(({ id }) => document.getElementById(`${id}-hint`)?.textContent ?? null);
  expect(readHints().map((hint) => hint !== null)).toEqual([
    false,
    true,
    false,
    false,
    true,
    false,
  ]);
  expect(readHints()[1]).toContain("Free and without an hour limit");
  await act(async () => radios[0]?.click());
  expect(readHints()[0]).toContain("No speech service is connected");
  expect(readHints()[1]).toBeNull();
  expect(document.body.textContent).toContain("Free, no speakers");
  const [models] = document.querySelectorAll<HTMLElement>("[aria-expanded]");
  await act(async () => models?.click());
  expect(models?.getAttribute("aria-expanded")).toBe("true");
  expect(readHints()[2]).not.toBeNull();
});

it("uses the browser's engines in place of a demo, unless the person chooses otherwise", async () => {
  stubEngines();
  const radios = await open();
  const readChecked = () => radios.map(({ checked }) => checked);
  expect(readChecked()).toEqual([false, true, false, false, true, false]);
  await act(async () => radios[0]?.click());
  expect(readChecked()).toEqual([true, false, false, false, true, false]);
  // After a reload.
  vi.resetModules();
  const reloaded = await import("#client/state/engines.ts");
  const { languageChoice: language } = await import("#client/state/translators.ts");
  expect([reloaded.speechChoice.get(), language.get()]).toEqual(["demo", null]);
});

it("offers a speech server that is started while the page is open", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    await open();
    expect(document.body.textContent).toContain("Demo");
    serve("Deepgram", false);
    await act(async () => void vi.advanceTimersByTime(15_000));
    await waitFor(() => {
      const [first] = document.querySelectorAll<HTMLInputElement>("input[type=radio]");
      expect(document.querySelector("label")?.textContent).not.toBe("Demo");
      expect(first?.checked).toBe(true);
    });
  } finally {
    vi.useRealTimers();
  }
});
