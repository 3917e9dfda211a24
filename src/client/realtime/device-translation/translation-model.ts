import { browserClock, type Clock } from "#client/lib/clock.ts";
import type {
  ModelDescription,
  ModelFiles,
} from "#client/realtime/device-speech/model-description.ts";
import {
  type ModelWorker,
  readFiles,
  startModelWorker,
  WorkerClient,
} from "#client/realtime/device-speech/model-worker-client.ts";

/** A translation model that runs on this device, in a worker. Translates one sentence at a time. */
export interface TranslationModel {
  /**
   * @param sentence one sentence, as `splitSentences` returns them.
   * @param target the token of the wanted language; null for a model of one language.
   * @throws the reason of `signal` when that is aborted, an `AbortError` when the model is disposed.
   * @throws SpeechModelError when the model fails.
   */
  translate(sentence: string, target: string | null, signal?: AbortSignal): Promise<string>;
  /** False when its worker has ended: nothing can be translated with it any more. */
  isOpen(): boolean;
  /** Ends the worker and frees its memory. */
  dispose(): void;
}

interface OpenOptions {
  clock?: Clock;
  createWorker?: () => ModelWorker;
}

/**
 * Starts a worker and loads the model from its stored files.
 *
 * @throws SpeechModelError
 */
export async function openTranslationModel(
  files: ModelFiles,
  model: ModelDescription,
  { clock = browserClock, createWorker = startModelWorker }: OpenOptions = {},
): Promise<TranslationModel> {
  const contents = await readFiles(files, model);
  const client = new WorkerClient(createWorker(), clock, () => {});
  try {
    await client.open("translation", model, contents);
  } catch (error) {
    client.end(error);
    throw error;
  }
  return {
    translate: (text, target, signal) =>
      client.run((id) => ({ message: { type: "translate", id, text, target } }), signal),
    isOpen: () => !client.hasEnded,
    dispose: () => client.end(new DOMException("The model was disposed of", "AbortError")),
  };
}
