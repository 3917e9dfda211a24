// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { engineMessages } from "#client/features/recording/engine-messages/index.ts";
import EngineSettings from "#client/features/recording/engine-settings.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { languageChoice, speechChoice } from "#client/state/engines.ts";
import { queryClient } from "#client/state/queries.tsx";
import { show } from "#tests/unit/client/kit/page.tsx";
import { fakeServer } from "#tests/unit/client/kit/server.ts";

beforeAll(() => Promise.all([showLanguage("en"), engineMessages.load()]));
beforeEach(async () => {
  localStorage.clear();
  const standIns = { speech: true, llm: true, mail: true, payments: true };
  fakeServer({
    "site.info": () => ({
      speechService: "Soniox",
      standIns,
      isDemoDefault: false,
      challenge: null,
    }),
  });
});
afterEach(async () => {
  queryClient.clear();
  speechChoice.set(null);
  languageChoice.set(null);
});

/** The radios of each choice: `[demo, browser]` of speech, then of language. */
async function open() {
  await show(<EngineSettings />);
  return vi.waitFor(() => {
    const radios = [...document.querySelectorAll<HTMLInputElement>("input[type=radio]")];
    if (radios.length !== 4) throw new Error("The choices are not shown");
    return radios;
  });
}

const stubEngines = () => {
  vi.stubGlobal("SpeechRecognition", class {});
  vi.stubGlobal("Translator", {});
};

it("offers only the demo where the browser has no engines", async () => {
  const radios = await open();
  expect(document.querySelector("label")?.textContent).toBe("Demo");
  expect(radios.map(({ checked }) => checked)).toEqual([true, false, true, false]);
  expect(radios.map(({ disabled }) => disabled)).toEqual([false, true, false, true]);
});

it("uses the browser's engines in place of a demo, unless the person chooses otherwise", async () => {
  stubEngines();
  const radios = await open();
  const readChecked = () => radios.map(({ checked }) => checked);
  expect(readChecked()).toEqual([false, true, false, true]);
  await act(async () => radios[0]?.click());
  expect(readChecked()).toEqual([true, false, false, true]);
  // After a reload.
  vi.resetModules();
  const reloaded = await import("#client/state/engines.ts");
  expect([reloaded.speechChoice.get(), reloaded.languageChoice.get()]).toEqual(["demo", null]);
});
