/**
 * The part of the Web Speech API that we use; lib.dom.d.ts has only its results.
 *
 * Source: https://webaudio.github.io/web-speech-api/
 */

/** Values of an error event. */
export type SpeechErrorCode =
  | "no-speech"
  | "aborted"
  | "audio-capture"
  | "network"
  | "not-allowed"
  | "service-not-allowed"
  | "language-not-supported"
  | "phrases-not-supported"
  | "bad-grammar";

export interface SpeechResultEvent {
  /** All results of the session: final ones first, then those that may still change. */
  readonly results: ArrayLike<{
    readonly isFinal: boolean;
    readonly [alternative: number]: { readonly transcript: string; readonly confidence: number };
  }>;
}

export interface SpeechRecognition {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  /** True: the audio does not leave the device. */
  processLocally?: boolean;
  /** True: the text has punctuation although nobody dictates it. */
  unspokenPunctuation?: boolean;
  /** What is more likely to be said. Chrome since 142: only with `processLocally`, otherwise `start` fails. */
  phrases?: readonly SpeechRecognitionPhrase[];
  onstart: (() => void) | null;
  onresult: ((event: SpeechResultEvent) => void) | null;
  onerror: ((event: { readonly error: SpeechErrorCode }) => void) | null;
  onend: (() => void) | null;
  /** A browser that does not know `track` ignores it and opens the default microphone. */
  start(track?: MediaStreamTrack): void;
  /** Ends the session after a last result. */
  stop(): void;
  /** Ends the session without another result. */
  abort(): void;
}

interface SpeechRecognitionPhrase {
  readonly phrase: string;
  readonly boost: number;
}

export type EngineAvailability = "unavailable" | "downloadable" | "downloading" | "available";

/** What a language pack can do: several people and noise, or one person who speaks clearly. Commands are no lecture. */
export type PackQuality = "conversation" | "dictation";

export interface LanguagePackOptions {
  langs: string[];
  processLocally: boolean;
  /** Chrome since 150; others ignore it. */
  readonly quality?: PackQuality | undefined;
}

export interface SpeechRecognitionConstructor {
  new (): SpeechRecognition;
  /** Chrome and Edge since 139. */
  available?(pack: LanguagePackOptions): Promise<EngineAvailability>;
  install?(pack: LanguagePackOptions): Promise<boolean>;
}

/** What a browser may have. Safari has its recognition with a prefix. */
const scope = globalThis as {
  SpeechRecognition?: SpeechRecognitionConstructor;
  webkitSpeechRecognition?: SpeechRecognitionConstructor;
  SpeechRecognitionPhrase?: new (phrase: string, boost: number) => SpeechRecognitionPhrase;
};

/** The browser's recognition; null where it has none. */
export const getSpeechRecognition = () =>
  scope.SpeechRecognition ?? scope.webkitSpeechRecognition ?? null;

/** The browser's class of phrases; undefined where it has none. */
export const getPhraseConstructor = () => scope.SpeechRecognitionPhrase;

/** Why the browser's recognition cannot be used. `onlyMicrophone`: it would not hear what is recorded. */
export type RecognitionFailure =
  | "denied"
  | "missing"
  | "unreachable"
  | "refused"
  | "noLanguage"
  | "onlyMicrophone";

export class RecognitionError extends Error {
  override readonly name = "RecognitionError";
  constructor(readonly reason: RecognitionFailure) {
    super(`recognition ${reason}`);
  }
}
