// @vitest-environment happy-dom
import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SpeechModelError } from "#client/recognition/device/speech-model-messages.ts";
import { chooseSpeechModel, modelDownloads, modelStore } from "#client/state/device-models.ts";
import { windowTimes } from "#client/state/model-speeds.ts";
import {
  closeUnusedModel,
  modelSpeed,
  openModelId,
  openSpeechModel,
  prepareSpeechModel,
} from "#client/state/speech-model.ts";
import { holdRecording } from "#tests/unit/client/kit/recording.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

const { openModel } = vi.hoisted(() => ({ openModel: vi.fn() }));
vi.mock("#client/recognition/device/speech-model.ts", () => ({ openSpeechModel: openModel }));

/** A model whose calls end at once, unless a test holds them. */
const createModel = () => ({
  transcribe: vi.fn(async (_samples: Float32Array, _options: unknown, _signal?: AbortSignal) => []),
  detectSpeech: vi.fn(async () => ({ probabilities: [], state: null })),
  dispose: vi.fn(),
});
const english = { language: "en", prompt: "", said: "", terms: [] } as const;
const transcribe = async () =>
  (await openSpeechModel(null, "en")).transcribe(new Float32Array(1), english);

async function storeModel(id: string): Promise<void> {
  const target = modelStore.openTarget(id);
  await target.begin([]);
  await target.finish();
  await modelDownloads.refresh();
}

beforeEach(async () => {
  localStorage.clear();
  windowTimes.set(new Map());
  closeUnusedModel(0, null);
  openModel.mockReset();
  for (const id of ["whisper-tiny.en", "whisper-base"]) await modelStore.remove(id);
  await modelDownloads.refresh();
});

it("ends a model that fails while its speed is measured", async () => {
  await storeModel("whisper-tiny.en");
  const model = createModel();
  model.transcribe.mockRejectedValueOnce(new SpeechModelError("memory", "out of memory"));
  openModel.mockResolvedValueOnce(model);
  await expect(openSpeechModel(null, "en")).rejects.toMatchObject({ code: "memory" });
  expect(model.dispose).toHaveBeenCalledOnce();
});

it("loads a model that has failed again, once for all who were given it", async () => {
  await storeModel("whisper-tiny.en");
  windowTimes.set(new Map([["whisper-tiny.en", 500]]));
  openModel.mockImplementation(async () => createModel());
  const failed = await openSpeechModel(null, "en");
  const next = await openSpeechModel(failed, "en");
  expect(next).not.toBe(failed);
  expect(await openSpeechModel(failed, "en")).toBe(next);
  expect(openModel).toHaveBeenCalledTimes(2);
});

it("keeps the model of the next language when the one before cannot be opened after all", async () => {
  await storeModel("whisper-tiny.en");
  await storeModel("whisper-base");
  windowTimes.set(new Map([["whisper-tiny.en", 500]]));
  chooseSpeechModel("whisper-tiny.en");
  let fail = (_reason: unknown) => {};
  openModel.mockReturnValueOnce(new Promise((_, reject) => (fail = reject)));
  const french = openSpeechModel(null, "fr");
  french.catch(() => {});
  await waitFor(() => expect(openModel).toHaveBeenCalledOnce());
  const model = createModel();
  openModel.mockResolvedValueOnce(model);
  const english = await openSpeechModel(null, "en");
  await english.dispose();
  expect(model.dispose).toHaveBeenCalledOnce();
  fail(new SpeechModelError("damaged", "not a model"));
  await expect(french).rejects.toMatchObject({ code: "damaged" });
  expect(await openSpeechModel(null, "en")).toBe(english);
  expect(openModel).toHaveBeenCalledTimes(2);
});

it("wakes the recording once its language has a model, though another language waits too", async () => {
  const { wake } = holdRecording();
  await expect(openSpeechModel(null, "fr")).rejects.toMatchObject({ code: "missing" });
  await expect(openSpeechModel(null, "en")).rejects.toMatchObject({ code: "missing" });
  await storeModel("whisper-tiny.en");
  await waitFor(() => expect(wake).toHaveBeenCalledOnce());
});

describe("a model that is prepared", () => {
  const measuredWindows = 3;

  it("is open and measured when a recording asks for it", async () => {
    await storeModel("whisper-tiny.en");
    const model = createModel();
    openModel.mockResolvedValueOnce(model);
    await prepareSpeechModel("whisper-tiny.en");
    expect(model.transcribe).toHaveBeenCalledTimes(measuredWindows);
    expect(windowTimes.get().get("whisper-tiny.en")).toBeGreaterThanOrEqual(0);
    expect(modelSpeed.get()).toEqual({ isTooSlow: false, isSmallest: true });
    await transcribe();
    expect(model.transcribe).toHaveBeenCalledTimes(measuredWindows + 1);
    expect(openModel).toHaveBeenCalledOnce();
  });

  it("is measured again, and not while a recording waits for it", async () => {
    await storeModel("whisper-tiny.en");
    windowTimes.set(new Map([["whisper-tiny.en", 5_000]]));
    const model = createModel();
    openModel.mockResolvedValueOnce(model);
    let signal: AbortSignal | undefined;
    model.transcribe.mockImplementationOnce((_samples, _options, given) => {
      signal = given;
      return new Promise((_, reject) => {
        given?.addEventListener("abort", () => reject(given.reason));
      });
    });
    const preparing = prepareSpeechModel("whisper-tiny.en");
    await waitFor(() => expect(model.transcribe).toHaveBeenCalledOnce());
    expect(modelSpeed.get()).toEqual({ isTooSlow: true, isSmallest: true });
    await transcribe();
    await preparing;
    expect(signal?.aborted).toBe(true);
    expect(model.transcribe).toHaveBeenCalledTimes(2);
    expect(windowTimes.get().get("whisper-tiny.en")).toBe(5_000);
    expect(openModel).toHaveBeenCalledOnce();
  });

  it("does not take the place of one that is in use", async () => {
    await storeModel("whisper-tiny.en");
    await storeModel("whisper-base");
    chooseSpeechModel("whisper-tiny.en");
    const model = createModel();
    openModel.mockResolvedValueOnce(model);
    await transcribe();
    await prepareSpeechModel("whisper-base");
    expect(openModel).toHaveBeenCalledOnce();
    expect(model.dispose).not.toHaveBeenCalled();
  });

  it("is opened anew when its files could not be read at first", async () => {
    await storeModel("whisper-tiny.en");
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    openModel.mockRejectedValueOnce(new SpeechModelError("program", "no network"));
    await prepareSpeechModel("whisper-tiny.en");
    expect(warn).toHaveBeenCalledOnce();
    openModel.mockResolvedValueOnce(createModel());
    await transcribe();
    expect(openModel).toHaveBeenCalledTimes(2);
  });
});

describe("a model that nothing calls", () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  const startedAt = Date.UTC(2026, 10, 29);

  async function openAt(ms: number) {
    vi.useFakeTimers({ toFake: ["Date"], now: startedAt + ms });
    await storeModel("whisper-tiny.en");
    windowTimes.set(new Map([["whisper-tiny.en", 500]]));
    const model = createModel();
    openModel.mockResolvedValueOnce(model);
    const opened = await openSpeechModel(null, "en");
    return { model, opened };
  }

  it("is closed once that was so for the wanted time, but for the one that is wanted", async () => {
    const { model, opened } = await openAt(1_000_000);
    await opened.detectSpeech(new Float32Array(1), null);
    vi.setSystemTime(startedAt + 1_299_000);
    closeUnusedModel(300_000, null);
    vi.setSystemTime(startedAt + 1_300_000);
    closeUnusedModel(300_000, "whisper-tiny.en");
    await Promise.resolve();
    expect(model.dispose).not.toHaveBeenCalled();
    expect(openModelId.get()).toBe("whisper-tiny.en");
    closeUnusedModel(300_000, "whisper-base");
    expect(openModelId.get()).toBeNull();
    await waitFor(() => expect(model.dispose).toHaveBeenCalledOnce());
  });

  it("is not closed while a window is computed, however long that takes", async () => {
    const { model, opened } = await openAt(2_000_000);
    let end = () => {};
    model.transcribe.mockReturnValueOnce(new Promise((resolve) => (end = () => resolve([]))));
    const call = opened.transcribe(new Float32Array(1), english);
    vi.setSystemTime(startedAt + 9_000_000);
    closeUnusedModel(300_000, null);
    end();
    await call;
    closeUnusedModel(300_000, null);
    await Promise.resolve();
    expect(model.dispose).not.toHaveBeenCalled();
  });
});
