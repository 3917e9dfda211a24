// @vitest-environment happy-dom
import "fake-indexeddb/auto";
import { beforeEach, expect, it, vi } from "vitest";
import { SpeechModelError } from "#client/realtime/device-speech/speech-model-messages.ts";
import { modelDownloads, modelStore } from "#client/state/device-models.ts";
import { openSpeechModel } from "#client/state/speech-model.ts";

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
  await modelStore.remove("whisper-tiny.en");
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
