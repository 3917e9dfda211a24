// @vitest-environment happy-dom
import "fake-indexeddb/auto";
import { beforeEach, expect, it, vi } from "vitest";
import { SpeechModelError } from "#client/realtime/device-speech/speech-model-messages.ts";
import { chooseSpeechModel, modelDownloads, modelStore } from "#client/state/device-models.ts";
import { openSpeechModel } from "#client/state/speech-model.ts";
import { holdRecording } from "#tests/unit/client/kit/recording.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

const { openModel } = vi.hoisted(() => ({ openModel: vi.fn() }));
vi.mock("#client/realtime/device-speech/speech-model.ts", () => ({ openSpeechModel: openModel }));

const createModel = () => ({ transcribe: vi.fn(async () => []), dispose: vi.fn() });

async function storeModel(id: string): Promise<void> {
  const target = modelStore.openTarget(id);
  await target.begin([]);
  await target.finish();
  await modelDownloads.refresh();
}

beforeEach(async () => {
  localStorage.clear();
  openModel.mockReset();
  for (const id of ["whisper-tiny.en", "whisper-base"]) await modelStore.remove(id);
  await modelDownloads.refresh();
});

it("ends a model that fails while its speed is measured", async () => {
  await storeModel("whisper-tiny.en");
  const model = createModel();
  model.transcribe.mockRejectedValueOnce(new SpeechModelError("memory", "out of memory"));
  openModel.mockResolvedValueOnce(model);
  await expect(openSpeechModel(false, "en")).rejects.toMatchObject({ code: "memory" });
  expect(model.dispose).toHaveBeenCalledOnce();
});

it("keeps the model of the next language when the one before cannot be opened after all", async () => {
  await storeModel("whisper-tiny.en");
  await storeModel("whisper-base");
  localStorage.setItem("speechModelSpeed:whisper-tiny.en", "fast");
  chooseSpeechModel("whisper-tiny.en");
  let fail = (_reason: unknown) => {};
  openModel.mockReturnValueOnce(new Promise((_, reject) => (fail = reject)));
  const french = openSpeechModel(false, "fr");
  french.catch(() => {});
  await waitFor(() => expect(openModel).toHaveBeenCalledOnce());
  const model = createModel();
  openModel.mockResolvedValueOnce(model);
  expect(await openSpeechModel(false, "en")).toBe(model);
  fail(new SpeechModelError("damaged", "not a model"));
  await expect(french).rejects.toMatchObject({ code: "damaged" });
  expect(await openSpeechModel(false, "en")).toBe(model);
  expect(openModel).toHaveBeenCalledTimes(2);
});

it("wakes the recording once its language has a model, though another language waits too", async () => {
  const { wake } = holdRecording();
  await expect(openSpeechModel(false, "fr")).rejects.toMatchObject({ code: "missing" });
  await expect(openSpeechModel(false, "en")).rejects.toMatchObject({ code: "missing" });
  await storeModel("whisper-tiny.en");
  await waitFor(() => expect(wake).toHaveBeenCalledOnce());
});
