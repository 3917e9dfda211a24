import type { LectureDocument, Sides } from "./lecture-document.ts";

/** File formats. A PDF is printed by the browser instead: see print/. */
export const formats = ["txt", "md", "srt", "vtt", "docx"] as const;
export type Format = (typeof formats)[number];

export const hasCues = (format: Format): boolean => format === "srt" || format === "vtt";

/** Texts in the interface language that a file contains. */
export interface FileLabels {
  /** Formatted date of the lecture. */
  date: string;
  summary: string;
  transcript: string;
  /** The interface language, BCP 47. */
  language: string;
}

export interface FileRequest {
  lecture: LectureDocument;
  format: Format;
  sides: Sides;
  labels: FileLabels;
}
