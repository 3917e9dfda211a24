import type { SourceLanguage } from "#shared/languages.ts";

/** A recognised word; times in ms from the window's start. */
export interface HypothesisWord {
  text: string;
  startMs: number;
  endMs: number;
}

/** A speech model that runs on this device, in a worker. Recognises one window at a time. */
export interface SpeechModel {
  /** Recognises up to 30 s of mono audio at 16 kHz. Rejects when aborted or when the model fails. */
  transcribe(
    window: Float32Array,
    options: { language: SourceLanguage; prompt?: string },
    signal?: AbortSignal,
  ): Promise<HypothesisWord[]>;
  dispose(): void;
}
