// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeAll, expect, it } from "vitest";
import { dialogMessages } from "#client/features/recording/dialog-messages/index.ts";
import { SoundSettings } from "#client/features/recording/settings.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { givenSound } from "#client/sound/capture/microphone-sound.ts";
import { type OpenSource, openSources, soundChoice } from "#client/sound/display/sound-sources.ts";
import { rawMicrophones, setRawMicrophone } from "#client/state/raw-microphones.ts";
import { show } from "#tests/unit/client/kit/page.tsx";
import { holdRecording, recordingView } from "#tests/unit/client/kit/recording.ts";

beforeAll(() => Promise.all([showLanguage("en"), dialogMessages.load()]));
afterEach(() => {
  soundChoice.set(null);
  openSources.set([]);
  givenSound.set(null);
  for (const id of rawMicrophones.get()) setRawMicrophone(id, false);
});

const findSwitch = () =>
  [...document.querySelectorAll<HTMLElement>("[role=switch]")].find((one) => {
    const label = document.getElementById(one.getAttribute("aria-labelledby") ?? "");
    return label?.textContent === "As the microphone hears it";
  });

it("leaves the sound of the chosen microphone as it is, and of no other one", async () => {
  const session = holdRecording();
  session.microphones.set([
    { id: "built-in", label: "Built-in" },
    { id: "lapel", label: "Lapel" },
  ]);
  await show(<SoundSettings />);
  expect(findSwitch()?.getAttribute("aria-checked")).toBe("false");
  await act(async () => findSwitch()?.click());
  // The system's default is the first one.
  expect(rawMicrophones.get()).toEqual(["built-in"]);
  expect(session.applyRawSound).toHaveBeenCalledOnce();
  expect(findSwitch()?.getAttribute("aria-checked")).toBe("true");

  await act(async () => session.view.set(recordingView({ microphoneId: "lapel" })));
  expect(findSwitch()?.getAttribute("aria-checked")).toBe("false");
});

it("is not offered where there is no microphone that could keep it", async () => {
  const session = holdRecording();
  await show(<SoundSettings />);
  expect(findSwitch()).toBeUndefined();
  await act(async () => session.microphones.set([{ id: "lapel", label: "Lapel" }]));
  expect(findSwitch()).toBeDefined();
  const names = { microphone: "Microphone", display: "Tab" };
  await act(async () => soundChoice.set({ kind: "display", names }));
  expect(findSwitch()).toBeUndefined();
});

it.each([
  [["display"], false],
  [["display", "microphone"], true],
] as const)("says what the microphone gives beside a tab: %s", async (kinds, isSaid) => {
  holdRecording();
  givenSound.set({ rate: 48_000, channels: 1, isProcessed: true });
  const toSource = (kind: OpenSource["kind"]): OpenSource => ({
    kind,
    problem: null,
    level: () => 0,
    reopen: async () => {},
  });
  openSources.set(kinds.map(toSource));
  await show(<SoundSettings />);
  expect(document.body.textContent?.includes("The microphone gives 48 kHz")).toBe(isSaid);
});
