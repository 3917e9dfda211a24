import { type OpenOptions, openModel } from "#client/recognition/device/model-worker-client.ts";
import type {
  ModelContents,
  TranslationRequest,
} from "#client/recognition/device/speech-model-messages.ts";

/** A translation model that runs on this device, in a worker. Translates one sentence at a time. */
export interface TranslationModel {
  /**
   * @throws the reason of `signal` when that is aborted, an `AbortError` when the model is disposed.
   * @throws SpeechModelError when the model fails.
   */
  translate(request: TranslationRequest, signal?: AbortSignal): Promise<string>;
  /** False when its worker has ended: nothing can be translated with it any more. */
  isOpen(): boolean;
  /** Ends the worker and frees its memory. */
  dispose(): void;
}

/** @throws SpeechModelError */
export async function openTranslationModel(
  contents: ModelContents,
  options?: OpenOptions,
): Promise<TranslationModel> {
  const client = await openModel("translation", contents, options);
  return {
    translate: (request, signal) => client.run(request, signal),
    isOpen: () => !client.hasEnded,
    dispose: () => client.end(),
  };
}
