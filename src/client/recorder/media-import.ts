import type { Span } from "#client/lecture/rows/row-timeline.ts";
import type { SpeechEngine, SpeechObstacle } from "#client/recognition/speech-engine.ts";
import type { FileFacts, FileProblem } from "#client/sound/media-files/media-file.ts";
import type { ErrorCode } from "#shared/errors.ts";
import type { LanguagePair } from "#shared/languages.ts";

/**
 * `waiting`: other files are read first. `interrupted`: the page that read it was closed; the person chooses the file
 * again. `held`: its sound waits (`obstacle`).
 */
export type MediaStage =
  | ("waiting" | "reading" | "interrupted")
  | ("recognizing" | "held" | "done" | "failed");

/** A file on its way to being a lecture. Replaced on change. */
export interface MediaImport {
  /** Of its take. */
  id: string;
  lectureId: string;
  /** Of the file. */
  name: string;
  stage: MediaStage;
  /** Length of the file's sound; what of it is read, and what has words, ms. */
  lengthMs: number;
  readMs: number;
  recognizedMs: number;
  /** Rows that wait for their translation. */
  untranslated: number;
  /** Until the stage ends, s; null: not known yet. */
  secondsLeft: number | null;
  /** Why the file, or its rest, was not read; null: it was. `other`: the chosen file is another one. */
  problem: FileProblem | "other" | null;
  /** The person has stopped its recognition. */
  isStopped: boolean;
  /** Why there is no lecture. */
  error: ErrorCode | null;
  obstacle: SpeechObstacle | null;
  /** Sound in the middle that could not be decoded, ms. */
  undecodedMs: number;
  /** Speech in which no words were found, of a file that is done; ms on the lecture's clock, ascending. */
  wordless: readonly Span[];
  /** What can be recognised again: sound that the person keeps, or that stays until the file is taken off the list. */
  sound: "kept" | "stays" | null;
}

export interface MediaJob {
  file: File;
  facts: FileFacts;
  /** The number of the chosen track; null: there is no choice. */
  track: number | null;
  /** Of the lecture. */
  title: string;
  /** When the sound was recorded, ISO 8601; null: not known, so it is dated now. */
  recordedAt: string | null;
}

export interface MediaSettings {
  /** The folder of the lectures; null: none. */
  folderId: string | null;
  languages: LanguagePair;
  /** Not `browser`, which hears a microphone only. */
  engine: Exclude<SpeechEngine, "browser">;
}
