import type { BackupManifest } from "#client/state/backup-format.ts";
import type { RestoreLectureInput } from "#shared/backup.ts";
import type { GlossaryTerm } from "#shared/glossary.ts";
import type { Question } from "#shared/question.ts";
import type { QuizQuestion } from "#shared/quiz.ts";
import type { BackupProblem } from "./backup-error.ts";
import type { LectureHead } from "./read-backup.ts";

/** What the page asks its worker for, and what the worker answers. One question at a time; `open` comes first. */
export interface BackupQuestions {
  open: { input: Blob; result: BackupManifest };
  /** The lecture in a file; its parts follow by their numbers. */
  lecture: { input: string; result: LectureHead };
  part: { input: number; result: RestoreLectureInput };
  sound: { input: string; result: Blob };
  picture: { input: string; result: Blob };
  terms: { input: null; result: GlossaryTerm[] };
  /** The next page of them. */
  questions: { input: null; result: Question[] };
  quiz: { input: null; result: QuizQuestion[] };
}

export type BackupRequest = {
  [Kind in keyof BackupQuestions]: { kind: Kind; input: BackupQuestions[Kind]["input"] };
}[keyof BackupQuestions];

export type BackupReport =
  | { kind: "progress" }
  | { kind: "result"; result: BackupQuestions[keyof BackupQuestions]["result"] }
  | { kind: "problem"; problem: BackupProblem };
