// @vitest-environment happy-dom
import "fake-indexeddb/auto";
import { act } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import DeviceModels from "#client/features/recording/device-models.tsx";
import { modelMessages } from "#client/features/recording/model-messages/index.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { deviceModels } from "#client/models/device-models.ts";
import type { ModelState } from "#client/models/model-downloads.ts";
import { modelDownloads, speechModelChoice } from "#client/state/device-models.ts";
import { windowTimes } from "#client/state/model-speeds.ts";
import { endRecordingSession } from "#client/state/recording.ts";
import { click, settle, show, waitForText } from "#tests/unit/client/kit/page.tsx";
import { holdRecording, recordingView } from "#tests/unit/client/kit/recording.ts";

const [tiny, base] = deviceModels;
const absent: ModelState = { status: "absent", bytes: 0 };
const stored = (bytes: number): ModelState => ({ status: "stored", bytes });

beforeAll(() => Promise.all([showLanguage("en"), modelMessages.load()]));
beforeEach(() => {
  localStorage.clear();
  speechModelChoice.set(null);
  windowTimes.set(new Map());
  vi.restoreAllMocks();
  for (const name of ["refresh", "download", "remove"] as const)
    vi.spyOn(modelDownloads, name).mockResolvedValue();
  vi.spyOn(modelDownloads, "cancel").mockReturnValue();
});

const toStates = (states: ModelState[]) =>
  new Map(deviceModels.map(({ id }, index) => [id, states[index] ?? absent]));

/** Shows the list with these states, of the models in order. */
async function open(...states: ModelState[]) {
  modelDownloads.states.set(toStates(states));
  await show(<DeviceModels />);
}
const readRow = (index = 0) => {
  const row = document.querySelectorAll("li")[index];
  return {
    text: row?.textContent ?? "",
    status: row?.querySelector("[role=status]")?.textContent ?? null,
    buttons: [...(row?.querySelectorAll("button") ?? [])].map(({ textContent }) => textContent),
  };
};

it("offers each model by name, languages and size, and downloads nothing by itself", async () => {
  await open();
  expect(readRow(0).text).toContain("Whisper tiny · 44 MBEnglish. The fastest");
  expect(readRow(1).text).toContain("Whisper base · 80 MBMany languages.");
  expect(readRow(2).text).toContain("Whisper small · 252 MBMany languages.");
  for (const index of [0, 1, 2]) expect(readRow(index).buttons).toEqual(["Download"]);
  expect(document.body.textContent).toContain("downloaded once, from huggingface.co");
  expect(modelDownloads.download).not.toHaveBeenCalled();
  await click("Download: Whisper base");
  expect(modelDownloads.download).toHaveBeenCalledExactlyOnceWith(base, undefined);
});

it("shows a download and cancels it; the button keeps the focus", async () => {
  await open();
  const button = document.querySelector<HTMLElement>("li button");
  button?.focus();
  await act(async () =>
    modelDownloads.states.set(
      toStates([
        { status: "downloading", bytes: 12_000_000, totalBytes: 44_000_000, isHere: true },
      ]),
    ),
  );
  const progress = document.querySelector("progress");
  expect([progress?.value, progress?.max]).toEqual([12_000_000, 44_000_000]);
  // Each step would be read out.
  expect(readRow().status).toBeNull();
  expect(readRow().text).toContain("12 MB of 44 MB");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Cancel: Whisper tiny");
  await click("Cancel: Whisper tiny");
  expect(modelDownloads.cancel).toHaveBeenCalledExactlyOnceWith(tiny?.id);
});

it("shows another tab's download, which only that tab can cancel", async () => {
  await open({ status: "downloading", bytes: 12_000_000, totalBytes: 44_000_000, isHere: false });
  expect(readRow().text).toContain("Another tab is downloading it: 12 MB of 44 MB.");
  expect(readRow().buttons).toEqual([]);
});

it("continues or deletes what a cancelled download has left", async () => {
  await open({ status: "absent", bytes: 12_000_000 });
  expect(readRow().status).toBe("The download stopped at 12 MB of 44 MB.");
  await click("Continue: Whisper tiny");
  expect(modelDownloads.download).toHaveBeenCalledOnce();
  await click("Delete: Whisper tiny");
  expect(modelDownloads.remove).toHaveBeenCalledExactlyOnceWith(tiny);
});

it.each([
  ["unreachable", 0, "huggingface.co did not answer.", ["Try again"]],
  ["missing", 0, "does not have all files", ["Try again"]],
  ["cut", 12_000_000, "broke at 12 MB of 44 MB", ["Try again", "Delete"]],
  ["wrong", 3_000_000, "was damaged", ["Try again", "Delete"]],
  ["full", 0, "too little room for 44 MB", ["Try again"]],
  ["unavailable", 0, "stores nothing", ["Try again"]],
] as const)("tells that a download failed: %s", async (reason, bytes, text, buttons) => {
  await open({ status: "failed", reason, bytes, totalBytes: null });
  expect(readRow().status).toContain(text);
  expect(readRow().buttons).toEqual(buttons);
  await click("Try again: Whisper tiny");
  expect(modelDownloads.download).toHaveBeenCalledExactlyOnceWith(tiny, undefined);
});

it("asks again when the files are larger than what it said", async () => {
  await open({ status: "failed", reason: "larger", bytes: 0, totalBytes: 60_000_000 });
  expect(readRow().status).toContain("The files are 60 MB by now.");
  await click("Download 60 MB: Whisper tiny");
  expect(modelDownloads.download).toHaveBeenCalledExactlyOnceWith(tiny, 60_000_000);
});

it("asks before it deletes a model", async () => {
  await open(stored(44_000_000));
  await click("Delete: Whisper tiny");
  await waitForText("Delete Whisper tiny?");
  expect(document.body.textContent).toContain("This frees 44 MB on this device.");
  expect(modelDownloads.remove).not.toHaveBeenCalled();
  await click("Delete", "[role=alertdialog] button");
  expect(modelDownloads.remove).toHaveBeenCalledExactlyOnceWith(tiny);
});

it("uses only models that know the language that is spoken", async () => {
  const session = holdRecording();
  session.view.set(recordingView({ sourceLanguage: "de" }));
  await open(stored(44_000_000), stored(80_000_000));
  expect(readRow(0).buttons).toEqual(["Delete"]);
  expect(readRow(1).status).toBe("On this device, and in use.");
  endRecordingSession();
});

it("marks the model in use, and lets the person choose another one", async () => {
  await open(stored(44_000_000), stored(80_000_000));
  expect(readRow(0).status).toBe("On this device.");
  expect(readRow(1).status).toBe("On this device, and in use.");
  await click("Use: Whisper tiny");
  await settle(() => expect(readRow(0).status).toBe("On this device, and in use."));
  expect(readRow(1).buttons).toEqual(["Use", "Delete"]);
  expect(speechModelChoice.get()).toBe(tiny?.id);
});

it("says what this device does with each model, once one was measured", async () => {
  await open(stored(44_000_000));
  expect(document.body.textContent).not.toContain("On this device it");
  await act(async () => windowTimes.set(new Map([["whisper-tiny.en", 900]])));
  expect(readRow(0).text).toContain("On this device it follows speech.");
  expect(readRow(1).text).toContain("On this device it is probably one sentence behind.");
  expect(readRow(2).text).toContain("Probably too slow for live speech on this device");
  await act(async () => windowTimes.set(new Map([["whisper-tiny.en", 9_000]])));
  expect(readRow(0).text).toContain("Too slow for live speech on this device, fine for files.");
});

it("says it in Chinese", async () => {
  windowTimes.set(new Map([["whisper-tiny.en", 2_000]]));
  await showLanguage("zh");
  await modelMessages.load();
  await open(stored(44_000_000));
  expect(readRow(0).text).toContain("在本机会晚一句话。");
  expect(readRow(1).text).toContain("在本机可能会晚一句话。");
  await showLanguage("en");
});
