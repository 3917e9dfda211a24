// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { dialogMessages } from "#client/features/recording/dialog-messages/index.ts";
import { SoundChoiceField } from "#client/features/recording/sound-choice.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { soundChoice, sourceLevels } from "#client/sound/display/sound-sources.ts";
import { SourceLevels } from "#client/sound/display/source-levels.ts";
import { show } from "#tests/unit/client/kit/page.tsx";

beforeAll(() => Promise.all([showLanguage("en"), dialogMessages.load()]));
afterEach(() => {
  soundChoice.set(null);
  sourceLevels.set(null);
  vi.unstubAllGlobals();
});

async function open(known: Record<string, boolean> | null) {
  vi.stubGlobal("navigator", {
    mediaDevices: known && { getDisplayMedia() {}, getSupportedConstraints: () => known },
  });
  await show(<SoundChoiceField />);
  return (name: string) => {
    const label = [...document.querySelectorAll("label")].find((one) => one.textContent === name);
    return document.getElementById(label?.htmlFor ?? "") as HTMLInputElement;
  };
}

const chromium = { suppressLocalAudioPlayback: true };

it("chooses the tab alone, with the microphone, and the microphone again", async () => {
  const radio = await open(chromium);
  expect(radio("Microphone only").checked).toBe(true);
  await act(async () => radio("Tab or screen sound").click());
  expect(soundChoice.get()?.kind).toBe("display");
  await act(async () => radio("Microphone and tab").click());
  expect(soundChoice.get()).toEqual({
    kind: "both",
    names: { microphone: "Microphone", display: "Tab" },
  });
  await act(async () => radio("Microphone only").click());
  expect(soundChoice.get()).toBeNull();
});

it.each([
  ["a browser without the sound of tabs", {}, "This browser shares pictures of a tab"],
  ["a phone", null, "This device cannot share the sound of a tab"],
])("explains itself in %s", async (_, known, text) => {
  const radio = await open(known);
  for (const name of ["Tab or screen sound", "Microphone and tab"]) {
    expect(radio(name).disabled).toBe(true);
    const why = document.getElementById(radio(name).getAttribute("aria-describedby") ?? "");
    expect(why?.textContent).toContain(text);
  }
});

it("says how many sentences were clear", async () => {
  const levels = new SourceLevels({ microphone: "Microphone", display: "Tab" });
  levels.add(1_000, { microphone: 200, display: 0 });
  levels.findSpeaker({ startMs: 0, endMs: 1_000, speaker: null }, 1_000);
  sourceLevels.set(levels);
  soundChoice.set({ kind: "both", names: { microphone: "Microphone", display: "Tab" } });
  await open(chromium);
  expect(document.body.textContent).toContain("So far 1 of 1 sentence was clear.");
});
