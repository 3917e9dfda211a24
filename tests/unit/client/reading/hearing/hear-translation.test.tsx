// @vitest-environment happy-dom
import { act } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { hear, hearRequest, notSpokenRows } from "#client/reading/hearing/hear-state.ts";
import { click, findButton, hide, settle, show } from "#tests/unit/client/kit/page.tsx";
import { findRow, recordingWith, Surface, waitForRows } from "#tests/unit/client/kit/reading.tsx";
import { createRow } from "#tests/unit/client/kit/rows.ts";

/** What the simulated engine was given. A sentence is spoken until the test ends it. */
const spoken: { text: string; voice: { name: string } | null; onend?: () => void }[] = [];
const cancel = vi.fn();

const installVoices = (...tags: string[]) => {
  class Utterance {
    volume = 1;
    constructor(readonly text: string) {}
  }
  vi.stubGlobal("SpeechSynthesisUtterance", Utterance);
  vi.stubGlobal("speechSynthesis", {
    speaking: false,
    getVoices: () =>
      tags.map((lang) => ({
        voiceURI: lang,
        name: `Simulated ${lang}`,
        lang,
        localService: true,
        default: false,
      })),
    resume() {},
    speak: (utterance: (typeof spoken)[number] & { volume: number }) => {
      if (utterance.volume > 0) spoken.push(utterance);
    },
    cancel,
  });
};

beforeAll(() => Promise.all([showLanguage("en"), readingDialogMessages.load()]));
beforeEach(() => {
  spoken.length = 0;
  cancel.mockClear();
  hearRequest.set(null);
  localStorage.clear();
});

async function showRecording() {
  const recording = recordingWith(2);
  await show(<Surface lecture={recording.session} />);
  await waitForRows();
  return recording;
}
const strip = () => document.querySelector("[data-hear]");
const lastSpoken = () => spoken.at(-1)?.text;

it("speaks what is recorded, marks what it leaves out, and ends with the page", async () => {
  installVoices("zh-CN");
  const { transcript } = await showRecording();
  await act(async () => hear());
  await settle(() => expect(lastSpoken()).toBe("第1句。"));
  expect(findRow(1)?.getAttribute("aria-current")).toBe("true");
  await settle(() => expect(strip()?.textContent).toContain("the microphone hears the voice"));
  await act(async () =>
    transcript.append(
      [2, 3, 4].map((position) =>
        createRow({ position, translated: `第${position}句。`, startMs: position * 4_000 }),
      ),
    ),
  );
  await settle(() => expect(findRow(2)?.querySelector("[data-not-spoken]")).not.toBeNull());
  await click("Not spoken: hear this sentence");
  await settle(() => expect(lastSpoken()).toBe("第2句。"));
  expect(document.querySelectorAll("[data-not-spoken]")).toHaveLength(1);
  expect(findRow(1)?.querySelector("[data-not-spoken]")).not.toBeNull();
  const calls = cancel.mock.calls.length;
  await hide();
  expect(cancel.mock.calls.length).toBeGreaterThan(calls);
  expect(hearRequest.get()).toBeNull();
  expect(notSpokenRows.get().size).toBe(0);
});

it("keeps the voice and the pace of this device, and ignores what is none", async () => {
  localStorage.setItem("hearVoice.zh-cn", "no such voice");
  installVoices("zh-CN", "zh-TW");
  await showRecording();
  await act(async () => hear());
  await settle(() => expect(spoken.at(-1)?.voice?.name).toBe("Simulated zh-CN"));
  await click("Voice and pace: Simulated zh-CN, 1×");
  await click("Simulated zh-TW", "[role=menuitemradio]");
  await settle(() => expect(spoken.at(-1)?.voice?.name).toBe("Simulated zh-TW"));
  expect(localStorage.getItem("hearVoice.zh-cn")).toBe("zh-TW");
  await click("Stop hearing the translation");
  expect(strip()).toBeNull();
});

it("says what is missing where the browser has no voices at all", async () => {
  vi.stubGlobal("speechSynthesis", undefined);
  Reflect.deleteProperty(globalThis, "speechSynthesis");
  await showRecording();
  await act(async () => hear());
  await settle(() => expect(strip()?.textContent).toContain("This browser cannot speak."));
  expect(findButton("Pause the voice")).toBeUndefined();
});
