import type { SpokenLanguage } from "#shared/languages.ts";

/** A recognised word; times in ms from the window's start. */
export interface HypothesisWord {
  text: string;
  startMs: number;
  endMs: number;
  /** No space stands before it: a letter of a script without spaces between words, which are divided into letters. */
  isJoined?: true;
  /** How sure the model is of the least certain of its parts, 0 to 1; it need not say. */
  certainty?: number;
}

/**
 * Why a model cannot be opened or used.
 * `missing`: a file of it is not stored. `damaged`: a file is not what it should be. Both: download it again.
 * `program`: a file of the program itself could not be fetched; it can once there is a network.
 * `unsupported`: this browser cannot run a model. `memory`: it needs more memory than there is.
 * `language`: it does not know the wanted language.
 * `failed`: anything else; its worker ended or stalled, for example.
 */
export type SpeechModelErrorCode =
  | ("missing" | "damaged" | "program")
  | ("unsupported" | "memory" | "language" | "failed");

/** `message` is for logs. */
export class SpeechModelError extends Error {
  override readonly name = "SpeechModelError";

  constructor(
    readonly code: SpeechModelErrorCode,
    message: string,
  ) {
    super(message);
  }
}

export type ModelPurpose = "speech" | "translation";

/** A stored model's files, by their paths in the model's folder, such as `onnx/encoder_model_quantized.onnx`. */
export type ModelContents = ReadonlyMap<string, Blob>;

export interface SpeechOptions {
  language: SpokenLanguage;
  /** What was said before. */
  prompt: string;
  /** The words that the sound begins with, where they are known: they come back with their times. */
  said: string;
  /** What may be said. */
  terms: readonly string[];
  /** Exactly so many tokens are decoded, whatever is heard: to measure the model. */
  tokenCount?: number;
}

/** Up to 30 s of mono sound at 16 kHz. */
export interface SpeechRequest extends SpeechOptions {
  samples: Float32Array<ArrayBuffer>;
}

/** Samples of a frame of the voice detector: 32 ms. */
export const frameSamples = 512;

/** Sound in which speech is to be found: whole frames of `frameSamples`, mono, 16 kHz, -1 to 1. */
export interface DetectionRequest {
  samples: Float32Array<ArrayBuffer>;
  /** Null at the beginning of a sound. */
  state: DetectorState | null;
}

/** What the detector knows of the sound before. */
export interface DetectorState {
  /** The network's own memory. */
  memory: Float32Array;
  /** The samples before the next frame. */
  context: Float32Array;
}

export interface Detection {
  /** That somebody speaks, of each frame, 0 to 1. */
  probabilities: number[];
  /** For the frames that follow. */
  state: DetectorState;
}

export interface TranslationRequest {
  /** One sentence, as `splitSentences` returns them. */
  text: string;
  /** The token by which a model of several languages knows the wanted one; null for a model of one language. */
  target: string | null;
}

/** From the page to the worker. A worker opens one model. */
export type ToWorker =
  | { type: "open"; purpose: ModelPurpose; contents: ModelContents }
  | { type: "run"; id: number; input: SpeechRequest | DetectionRequest | TranslationRequest }
  /** The request's result is no longer wanted. It gets no answer. */
  | { type: "abort"; id: number };

/** From the worker to the page. */
export type FromWorker =
  /** It works. While it runs a request, at most one a second. */
  | { type: "alive" }
  | { type: "ready" }
  | { type: "result"; id: number; output: unknown }
  /** `id`: of the request; null: the model could not be opened. */
  | { type: "failure"; id: number | null; code: SpeechModelErrorCode; text: string };
