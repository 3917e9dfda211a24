// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { engineListMessages } from "#client/features/recording/engine-list-messages/index.ts";
import EngineSettings from "#client/features/recording/engine-settings.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { modelDownloads } from "#client/state/device-models.ts";
import { devicePairs } from "#client/state/device-pairs.ts";
import { speechChoice } from "#client/state/engines.ts";
import { changeNextLanguages } from "#client/state/next-lecture.ts";
import { queryClient } from "#client/state/queries.tsx";
import { endRecordingSession } from "#client/state/recording.ts";
import { paceChoice } from "#client/state/stream-translation.ts";
import { languageChoice } from "#client/state/translators.ts";
import type { SiteInfo } from "#shared/site.ts";
import { settle, show } from "#tests/unit/client/kit/page.tsx";
import { holdRecording, recordingView } from "#tests/unit/client/kit/recording.ts";
import { fakeServer } from "#tests/unit/client/kit/server.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

beforeAll(() => Promise.all([showLanguage("en"), engineListMessages.load()]));
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

/** The radios of each choice: `[automatic, demo, browser, device]` of speech, then of language; with the paces `count` are more. */
async function open(count = 8) {
  await show(<EngineSettings fallback={null} />);
  return waitFor(() => {
    const radios = [...document.querySelectorAll<HTMLInputElement>("input[type=radio]")];
    if (radios.length !== count) throw new Error("The choices are not shown");
    return radios;
  });
}

const readChecked = (radios: HTMLInputElement[]) => radios.map(({ checked }) => checked);
const automatic = [true, false, false, false, true, false, false, false];
/** What is used while the choice is left to the program: for speech, and for language. */
const readNow = () =>
  [...(document.body.textContent ?? "").matchAll(/Now: ([^.]+)\./g)].map(([, now]) => now);

const stubEngines = () => {
  vi.stubGlobal("SpeechRecognition", class {});
  vi.stubGlobal("Translator", {});
};

it("lets the person choose what translates where both can, on this device", async () => {
  const standIns = { speech: false, llm: false, mail: true, payments: true };
  const site = { speechService: "Soniox", recognizer: "soniox", standIns, isDemoDefault: false };
  fakeServer({ "site.info": () => ({ ...site, challenge: null }) });
  await show(<EngineSettings fallback={null} />);
  const fast = await waitFor(() => {
    const labels = [...document.querySelectorAll("label")];
    const found = labels.find(({ textContent }) => textContent?.startsWith("Fast"));
    const radio = found?.querySelector("input");
    if (!radio) throw new Error("The choice is not shown");
    return radio;
  });
  expect(fast.checked).toBe(false);
  await act(async () => fast.click());
  expect(fast.checked).toBe(true);
  expect(localStorage.getItem("translationPace")).toBe("fast");
  paceChoice.set(null);
});

it("speaks of the languages of the next lecture while none is open", async () => {
  serve("Soniox", false);
  const pair = { sourceLanguage: "en", targetLanguage: "fr", isTwoWay: false } as const;
  changeNextLanguages(pair);
  const radios = await open();
  expect(readNow()).toEqual(["This site's service", "the speech service, while people speak"]);
  const other = { ...pair, sourceLanguage: "ja", targetLanguage: "none" } as const;
  await act(async () => changeNextLanguages(other));
  expect(readNow()).toEqual(["This site's service", "none"]);
  expect(radios[1]?.parentElement?.textContent).toContain("Hears Japanese");
});

it("uses this device where the browser has no engines, and never the demo by itself", async () => {
  const radios = await open();
  expect(document.querySelectorAll("label").item(1).textContent).toBe("Demo");
  expect(readChecked(radios)).toEqual(automatic);
  // A demo translation is only ever chosen.
  expect(readNow()).toEqual(["This device", "none"]);
  expect(radios.map(({ disabled }) => disabled)).toEqual([
    ...[false, false, true, false],
    ...[false, false, true, true],
  ]);
});

it.each([
  ["Deepgram", "This site's service", /goes to this site and to Deepgram/],
  ["localServer", "Your own server on this machine", /goes to your own server/],
  ["ownServer", "This site's service", /its own speech server/],
] as const)("says what recognises with %s", async (service, label, hint) => {
  serve(service, false);
  const [, radio] = await open();
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
  const states = radios.slice(1, 4).map((radio) => radio.parentElement?.textContent);
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
  const radios = await open(10);
  // Careful, and not fast, is how the demo translates.
  expect(readChecked(radios)).toEqual([
    ...automatic.slice(0, 6),
    ...[false, true],
    ...automatic.slice(6),
  ]);
  expect(readNow()).toEqual(["Demo", "This browser"]);
});

it("translates on this device once it has a model, unless the person chooses otherwise", async () => {
  devicePairs.set(["en>de"]);
  const radios = await open();
  expect(readNow()[1]).toBe("This device");
  await act(async () => radios[5]?.click());
  expect(languageChoice.get()).toBe("service");
  await act(async () => radios[7]?.click());
  expect(languageChoice.get()).toBe("device");
  expect(readChecked(radios).slice(4)).toEqual([false, false, false, true]);
  await act(async () => radios[4]?.click());
  expect([languageChoice.get(), localStorage.getItem("languageEngine")]).toEqual([null, null]);
  devicePairs.set([]);
});

it("says of each engine what it does, and opens the models of this device before it is chosen", async () => {
  stubEngines();
  const radios = await open();
  const readCard = (index: number) => radios[index]?.parentElement?.textContent;
  expect(readCard(1)).toContain("writes the sample lecture");
  expect(readCard(2)).toContain("Free, without an hour limit");
  expect(readCard(3)).toContain("The sound stays on this device");
  const [models] = document.querySelectorAll<HTMLElement>("[aria-expanded]");
  expect(models?.textContent).toBe("Speech models");
  await act(async () => models?.click());
  expect(models?.getAttribute("aria-expanded")).toBe("true");
  await settle(() => expect(readCard(3)).toContain("The model is downloaded once"));
});

it("uses the browser's engines in place of a demo, until the person chooses otherwise", async () => {
  stubEngines();
  const radios = await open();
  expect(readChecked(radios)).toEqual(automatic);
  expect(readNow()).toEqual(["This browser", "This browser"]);
  await act(async () => radios[1]?.click());
  expect(readChecked(radios).slice(0, 4)).toEqual([false, true, false, false]);
  // After a reload.
  vi.resetModules();
  const reloaded = await import("#client/state/engines.ts");
  const { languageChoice: language } = await import("#client/state/translators.ts");
  expect([reloaded.speechChoice.get(), language.get()]).toEqual(["demo", null]);
});
