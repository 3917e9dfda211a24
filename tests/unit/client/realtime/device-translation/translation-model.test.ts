import { describe, expect, it } from "vitest";
import type { ModelWorker } from "#client/realtime/device-speech/model-worker-client.ts";
import {
  type LoadModel,
  type PagePort,
  serveSpeechModel,
} from "#client/realtime/device-speech/serve-speech-model.ts";
import { openSpeechModel } from "#client/realtime/device-speech/speech-model.ts";
import { loadMarian } from "#client/realtime/device-translation/marian.ts";
import { openTranslationModel } from "#client/realtime/device-translation/translation-model.ts";
import { loadNodeRuntime } from "#tests/fixtures/speech-model/node-runtime.ts";
import { toModelFiles } from "#tests/fixtures/speech-model/tiny-speech-model.ts";
import {
  createTinyTranslationModel,
  targetTokens,
} from "#tests/fixtures/translation-model/tiny-translation-model.ts";

const tiny = createTinyTranslationModel();
const files = toModelFiles(tiny);
const load: LoadModel = (model, contents, onProgress) =>
  loadMarian(model, contents, loadNodeRuntime, onProgress);

/** A worker in this thread. */
function createWorker(): ModelWorker & { isRunning: boolean } {
  const worker = {
    onmessage: null as ModelWorker["onmessage"],
    onerror: null,
    isRunning: true,
    postMessage: (data: Parameters<ModelWorker["postMessage"]>[0]) =>
      void setImmediate(() => worker.isRunning && port.onmessage?.({ data })),
    terminate() {
      worker.isRunning = false;
    },
  };
  const port: PagePort = {
    onmessage: null,
    postMessage: (data) =>
      void setImmediate(() => worker.isRunning && worker.onmessage?.({ data })),
  };
  serveSpeechModel(port, load);
  return worker;
}

async function open() {
  const worker = createWorker();
  const model = await openTranslationModel(files, tiny.description, {
    createWorker: () => worker,
  });
  return { worker, model };
}

describe("a translation model in a worker", () => {
  it("translates requests in their order, and says which one has failed", async () => {
    const { model } = await open();
    const results = await Promise.allSettled([
      model.translate("one", targetTokens.hant),
      model.translate("endless", null),
      model.translate("two", null),
    ]);
    expect(results).toMatchObject([
      { value: "t1" },
      { reason: { code: "failed" } },
      { value: "s2" },
    ]);
    expect(model.isOpen()).toBe(true);
    model.dispose();
  });

  it("gives up a sentence that is no longer wanted, and translates the next one", async () => {
    const { model } = await open();
    const controller = new AbortController();
    const reason = new Error("not wanted");
    const first = model.translate("endless one two three", null, controller.signal);
    const second = model.translate("three", null);
    controller.abort(reason);
    await expect(first).rejects.toBe(reason);
    expect(await second).toBe("s3");
    model.dispose();
  });

  it("ends its worker when it is disposed of", async () => {
    const { model, worker } = await open();
    const waiting = model.translate("one", null);
    model.dispose();
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
    expect(worker.isRunning).toBe(false);
    expect(model.isOpen()).toBe(false);
  });

  it("does not open where a file is missing, and recognises no speech", async () => {
    const none = { read: async () => null };
    const opening = openTranslationModel(none, tiny.description, { createWorker });
    await expect(opening).rejects.toMatchObject({ code: "missing" });
    const speech = await openSpeechModel(files, tiny.description, { createWorker });
    await expect(
      speech.transcribe(new Float32Array(160), { language: "en" }),
    ).rejects.toMatchObject({ code: "failed" });
    speech.dispose();
  });
});
