import { type OpenOptions, openModel } from "./model-worker-client.ts";
import type {
  Detection,
  DetectorState,
  HypothesisWord,
  ModelContents,
  SpeechOptions,
} from "./speech-model-messages.ts";

export type { HypothesisWord } from "./speech-model-messages.ts";

/** A speech model that runs on this device, in a worker, beside a voice detector. They answer one request at a time. */
export interface SpeechModel {
  /**
   * Recognises up to 30 s of mono audio at 16 kHz. `window` is copied and stays the caller's.
   *
   * @throws the reason of `signal` when that is aborted, an `AbortError` when the model is disposed.
   * @throws SpeechModelError when the model fails.
   */
  transcribe(
    window: Float32Array,
    options: SpeechOptions,
    signal?: AbortSignal,
  ): Promise<HypothesisWord[]>;
  /**
   * Tells in which frames somebody speaks. `samples`: whole frames, mono, 16 kHz; copied. `state`: that of the call before
   * on the same sound, from this model or another one; null: the sound begins.
   *
   * @throws as `transcribe` does.
   */
  detectSpeech(
    samples: Float32Array,
    state: DetectorState | null,
    signal?: AbortSignal,
  ): Promise<Detection>;
  /** Ends the worker and frees its memory. */
  dispose(): void;
}

/** @throws SpeechModelError */
export async function openSpeechModel(
  contents: ModelContents,
  options?: OpenOptions,
): Promise<SpeechModel> {
  const client = await openModel("speech", contents, options);
  return {
    transcribe(window, request, signal) {
      const samples = window.slice();
      return client.run<HypothesisWord[]>({ ...request, samples }, signal, [samples.buffer]);
    },
    detectSpeech(sound, state, signal) {
      const samples = sound.slice();
      return client.run<Detection>({ samples, state }, signal, [samples.buffer]);
    },
    dispose: () => client.end(),
  };
}
