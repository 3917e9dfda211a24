// @vitest-environment happy-dom
import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Signal } from "#client/lib/observable.ts";
import type { ModelState } from "#client/models/model-downloads.ts";
import type { SpeechEngine } from "#client/recognition/speech-engine.ts";
import type { SourceLanguage } from "#shared/languages.ts";
import { holdRecording, recordingView } from "#tests/unit/client/kit/recording.ts";
import { fakeServer } from "#tests/unit/client/kit/server.ts";

const minuteMs = 60_000;
let visibility: DocumentVisibilityState;

interface Page {
  engine: SpeechEngine;
  /** Models whose files are on the device. */
  stored: readonly string[];
  language?: SourceLanguage;
}

/** The program of a tab as it is loaded. */
async function openPage({ engine, stored, language = "en" }: Page) {
  vi.resetModules();
  // Earlier pages of this file go on listening, each with its own.
  const openModelId = new Signal<string | null>(null);
  const prepare = vi.fn(async (id: string) => openModelId.set(id));
  const closeUnused = vi.fn((_ms: number, wantedId: string | null) => {
    if (wantedId === null) openModelId.set(null);
  });
  vi.doMock("#client/state/speech-model.ts", () => ({
    prepareSpeechModel: prepare,
    closeUnusedModel: closeUnused,
    openModelId,
    openSpeechModel: vi.fn(),
  }));
  const session = holdRecording();
  session.view.set(recordingView({ sourceLanguage: language }));
  const { recordingSession } = await import("#client/state/recording.ts");
  recordingSession.set(session);
  const { modelDownloads } = await import("#client/state/device-models.ts");
  vi.spyOn(modelDownloads, "refresh").mockResolvedValue();
  const setStates = (change: Record<string, ModelState>) =>
    modelDownloads.states.set(new Map([...modelDownloads.states.get(), ...Object.entries(change)]));
  for (const id of stored) setStates({ [id]: { status: "stored", bytes: 1 } });
  const { chooseSpeechEngine } = await import("#client/state/engines.ts");
  chooseSpeechEngine(engine);
  const { keepModelReady } = await import("#client/state/ready-model.ts");
  keepModelReady();
  const prepared = () => prepare.mock.calls.map(([id]) => id);
  return { session, setStates, chooseSpeechEngine, keepModelReady, prepared, closeUnused };
}

const settle = () => vi.advanceTimersByTimeAsync(10);

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  visibility = "visible";
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => visibility);
  const standIns = { speech: false, llm: true, mail: true, payments: true };
  fakeServer({
    "site.info": () => ({
      speechService: "Soniox",
      recognizer: "soniox",
      standIns,
      isDemoDefault: false,
      challenge: null,
    }),
  });
});
afterEach(() => {
  vi.useRealTimers();
});

it("prepares the model of a page that recognises on this device", async () => {
  const { prepared } = await openPage({ engine: "device", stored: ["whisper-tiny.en"] });
  await settle();
  expect(prepared()).toEqual(["whisper-tiny.en"]);
});

it("loads nothing where another engine recognises, until this device is chosen", async () => {
  const { chooseSpeechEngine, prepared } = await openPage({
    engine: "service",
    stored: ["whisper-tiny.en"],
  });
  await settle();
  expect(prepared()).toEqual([]);
  chooseSpeechEngine("device");
  await settle();
  expect(prepared()).toEqual(["whisper-tiny.en"]);
});

it("loads nothing while no model knows the language that is spoken", async () => {
  const { session, prepared } = await openPage({
    engine: "device",
    stored: ["whisper-tiny.en"],
    language: "de",
  });
  await settle();
  expect(prepared()).toEqual([]);
  session.view.set(recordingView({ sourceLanguage: "en" }));
  await settle();
  expect(prepared()).toEqual(["whisper-tiny.en"]);
  // Other changes of the view are no reason.
  session.view.set(recordingView({ sourceLanguage: "en", recordedSeconds: 1 }));
  await settle();
  expect(prepared()).toHaveLength(1);
});

it("measures a model that this tab has downloaded, whichever engine is chosen", async () => {
  const { setStates, prepared } = await openPage({ engine: "service", stored: [] });
  const downloading = (isHere: boolean): ModelState => ({
    status: "downloading",
    bytes: 1,
    totalBytes: 2,
    isHere,
  });
  setStates({ "whisper-tiny.en": downloading(true), "whisper-base": downloading(false) });
  setStates({ "whisper-base": { status: "stored", bytes: 2 } });
  await settle();
  expect(prepared()).toEqual([]);
  setStates({ "whisper-tiny.en": { status: "stored", bytes: 2 } });
  await settle();
  expect(prepared()).toEqual(["whisper-tiny.en"]);
});

it("goes back to the model that is used next when another one was measured", async () => {
  const { setStates, prepared } = await openPage({ engine: "device", stored: ["whisper-small"] });
  await settle();
  const downloading = { status: "downloading", bytes: 1, totalBytes: 2, isHere: true } as const;
  setStates({ "whisper-base": downloading });
  setStates({ "whisper-base": { status: "stored", bytes: 2 } });
  await settle();
  expect(prepared()).toEqual(["whisper-small", "whisper-base", "whisper-small"]);
});

it("has a model closed that nothing uses, and opens it again when the page is looked at", async () => {
  const { closeUnused, prepared } = await openPage({
    engine: "device",
    stored: ["whisper-tiny.en"],
  });
  await settle();
  await vi.advanceTimersByTimeAsync(5 * minuteMs);
  expect(closeUnused.mock.calls).toEqual([[5 * minuteMs, "whisper-tiny.en"]]);
  visibility = "hidden";
  await vi.advanceTimersByTimeAsync(5 * minuteMs);
  expect(closeUnused.mock.lastCall).toEqual([5 * minuteMs, null]);
  // There is none any more.
  await vi.advanceTimersByTimeAsync(60 * minuteMs);
  expect(closeUnused).toHaveBeenCalledTimes(2);
  expect(prepared()).toHaveLength(1);
  visibility = "visible";
  document.dispatchEvent(new Event("visibilitychange"));
  await settle();
  expect(prepared()).toHaveLength(2);
});

it("follows the choices once, however many recordings are opened", async () => {
  const { keepModelReady, prepared } = await openPage({
    engine: "device",
    stored: ["whisper-tiny.en"],
  });
  keepModelReady();
  await settle();
  expect(prepared()).toHaveLength(1);
});
