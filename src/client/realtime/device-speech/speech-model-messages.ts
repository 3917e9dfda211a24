import type { SourceLanguage } from "#shared/languages.ts";
import type { ModelDescription } from "./model-description.ts";

/** A recognised word; times in ms from the window's start. */
export interface HypothesisWord {
  text: string;
  startMs: number;
  endMs: number;
  /** No space stands before it: a letter of a script without spaces between words, which are divided into letters. */
  isJoined?: true;
}

/** What runs a model's networks. */
export type SpeechDevice = "webgpu" | "wasm";

/**
 * Why a model cannot be opened or used.
 * `missing`: a file of it is not stored. `damaged`: a file is not what it should be. Both: download it again.
 * `program`: a file of the program itself could not be fetched; it can once there is a network.
 * `unsupported`: this browser cannot run a model. `memory`: it needs more memory than there is.
 * `language`: it does not know the wanted language.
 * `failed`: anything else; its worker ended or stalled, for example.
 */
export type SpeechModelErrorCode =
  | "missing"
  | "damaged"
  | "program"
  | "unsupported"
  | "memory"
  | "language"
  | "failed";

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

/** From the page to the worker. A worker opens one model. */
export type ToWorker =
  | {
      type: "open";
      purpose: ModelPurpose;
      model: ModelDescription;
      contents: ReadonlyMap<string, Blob>;
    }
  | {
      type: "transcribe";
      id: number;
      samples: Float32Array<ArrayBuffer>;
      language: SourceLanguage;
      prompt: string;
      terms: readonly string[];
    }
  /** `text`: one sentence. `target`: the token by which a model of several languages knows the wanted one. */
  | { type: "translate"; id: number; text: string; target: string | null }
  /** The request's result is no longer wanted. It gets no answer. */
  | { type: "abort"; id: number };

/** From the worker to the page. */
export type FromWorker =
  /** It works. At most one a second. */
  | { type: "alive" }
  | { type: "progress"; share: number }
  | { type: "ready"; device: SpeechDevice }
  | { type: "words"; id: number; words: HypothesisWord[] }
  | { type: "translation"; id: number; text: string }
  /** `id`: of the request; null: the model could not be opened. */
  | { type: "failure"; id: number | null; code: SpeechModelErrorCode; text: string };
