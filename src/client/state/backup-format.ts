import type { Placement } from "#client/sound/takes/take-gaps.ts";
import type { AudioCodec } from "#shared/relay.ts";

/**
 * The files of a backup: `manifest.json`, `glossary.json` (`GlossaryTerm[]`), `questions.json` (`Question[]`),
 * `quiz.json` (`QuizQuestion[]`), a file for each lecture (`BackupLecture`), one for each picture of a slide, and one
 * for each take whose sound is kept, Ogg or WAV. docs/api.md describes them.
 */
export const backupFormat = "dualect-backup";
/** Version 1 has rows without ids. */
export const backupVersion = 2;
export const manifestFile = "manifest.json";
export const glossaryFile = "glossary.json";
export const questionsFile = "questions.json";
export const quizFile = "quiz.json";

/** Kept sound of one take. */
export interface BackupSound {
  /** The take's id on the device. */
  id: string;
  file: string;
  codec: AudioCodec;
  /** Number of its chunks. */
  chunks: number;
  placements: readonly Placement[];
  /** The level of each chunk, a byte each, in base64. */
  levels: string;
}

export interface BackupItem {
  id: string;
  title: string;
  file: string;
  /** What the lecture counts in its account's storage. */
  bytes: number;
  sound: BackupSound[];
}

export interface BackupFolder {
  id: string;
  name: string;
  parentFolderId: string | null;
  /** ISO 8601. */
  createdAt: string;
}

export interface BackupManifest {
  format: typeof backupFormat;
  version: number;
  /** ISO 8601. */
  exportedAt: string;
  folders: BackupFolder[];
  lectures: BackupItem[];
  /** The person's own instructions for summaries. */
  summaryInstructions: string;
  /** What could not be read when the backup was made. */
  missing: string[];
}
