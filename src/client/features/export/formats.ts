import type { LectureDocument, Sides } from "./lecture-document.ts";

/** Formats of files. A PDF is printed by the browser: see print/. */
export const formats = ["txt", "md", "srt", "vtt", "docx"] as const;
export type Format = (typeof formats)[number];

export const hasCues = (format: Format): boolean => format === "srt" || format === "vtt";

/** Words of the interface's language in a file. */
export interface FileLabels {
  /** Of the lecture, as it is shown. */
  date: string;
  summary: string;
  transcript: string;
  /** Of the interface, BCP 47. */
  language: string;
}

export interface FileRequest {
  lecture: LectureDocument;
  format: Format;
  sides: Sides;
  labels: FileLabels;
}
