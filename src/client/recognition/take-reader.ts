import type { ConnectionState } from "#client/recognition/speech-engine.ts";
import type { Take } from "#client/sound/takes/take.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import type { RelayTokens } from "#shared/relay.ts";

/** Gets the words out of takes, one take after another. */
export interface TakeReader {
  readonly state: ConnectionState;
  add(take: Take): void;
  /** `takesOver`: see `UploaderDeps.path`. */
  start(takesOver: boolean): void;
  /** Call it after each appended chunk. */
  sendChunks(): void;
  retryNow(): void;
  close(): void;
}

/** A lecture's settings in a `config` message. */
export interface LectureSettings {
  diarization: boolean;
  context: string;
  /** End of the words on the lecture's clock, ms. */
  lectureEndMs: number;
  /** What the service is to translate into in its stream; null or missing: it is not. */
  translateInto?: TranslationLanguage | null;
}

/** What a reader tells. `End`: why it has ended. */
export interface ReaderEvents<End> {
  /** `isTranslated`: translations come with the words. */
  onTokens(batch: RelayTokens, take: Take, isTranslated?: boolean): void;
  /** No sentence goes on with the tokens that follow: speech without words lies between. */
  endSentence(): void;
  /** Sound of `take` was acknowledged from `fromMs` on, on its own clock, in which the room may have missed speech. */
  onUnproven?(take: Take, fromMs: number): void;
  /** What was recognised, and not acknowledged, will be sent again. */
  onLost?(): void;
  /** The takes, or the reader's state have changed. */
  onProgress(): void;
  /** All takes are complete, and nothing is read any more. */
  onComplete(): void;
  /** Nothing is read any more. Sound without words stays in its takes. */
  onEnd(end: End): void;
}
