import { browserClock, type Clock } from "#client/lib/clock.ts";
import type { SourceLanguage } from "#shared/languages.ts";
import { captureSampleRate } from "#shared/limits.ts";
import type { ModelDescription, ModelFiles } from "./model-description.ts";
import {
  type ModelWorker,
  readFiles,
  startModelWorker,
  WorkerClient,
} from "./model-worker-client.ts";
import type { HypothesisWord, SpeechDevice } from "./speech-model-messages.ts";

export type { HypothesisWord } from "./speech-model-messages.ts";

/** A speech model that runs on this device, in a worker. Recognises one window at a time. */
export interface SpeechModel {
  /**
   * Recognises up to 30 s of mono audio at 16 kHz. `window` is copied and stays the caller's. `prompt`: what was said
   * before. `terms`: what may be said.
   *
   * @throws RangeError when `window` is longer.
   * @throws the reason of `signal` when that is aborted, an `AbortError` when the model is disposed.
   * @throws SpeechModelError when the model fails.
   */
  transcribe(
    window: Float32Array,
    options: { language: SourceLanguage; prompt?: string; terms?: readonly string[] },
    signal?: AbortSignal,
  ): Promise<HypothesisWord[]>;
  /** Ends the worker and frees its memory. */
  dispose(): void;
}

/** A model that is ready. */
export interface OpenSpeechModel extends SpeechModel {
  readonly device: SpeechDevice;
}

export interface OpenOptions {
  signal?: AbortSignal;
  /** From 0 to 1: how much of the stored files has been read. What follows has no measure. */
  onProgress?: (share: number) => void;
  clock?: Clock;
  createWorker?: () => ModelWorker;
}

const windowMaxSeconds = 30;

/**
 * Starts a worker and loads the model from its stored files.
 *
 * @throws SpeechModelError; the reason of `signal` when that is aborted.
 */
export async function openSpeechModel(
  files: ModelFiles,
  model: ModelDescription,
  { signal, onProgress, clock = browserClock, createWorker = startModelWorker }: OpenOptions = {},
): Promise<OpenSpeechModel> {
  const contents = await readFiles(files, model);
  signal?.throwIfAborted();
  const client = new WorkerClient(createWorker(), clock, onProgress ?? (() => {}));
  const abort = () => client.end(signal?.reason);
  signal?.addEventListener("abort", abort);
  try {
    const device = await client.open("speech", model, contents);
    return {
      device,
      async transcribe(window, { language, prompt = "", terms = [] }, windowSignal) {
        if (window.length > windowMaxSeconds * captureSampleRate)
          throw new RangeError(`A window has at most ${windowMaxSeconds} s`);
        return client.run<HypothesisWord[]>((id) => {
          const samples = window.slice();
          const message = { type: "transcribe", id, samples, language, prompt, terms } as const;
          return { message, transfer: [samples.buffer] };
        }, windowSignal);
      },
      dispose: () => client.end(new DOMException("The model was disposed of", "AbortError")),
    };
  } catch (error) {
    client.end(error);
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}
