import type { LectureDocument, Sides } from "./lecture-document.ts";

/** Formats that a lecture can be exported in. */
export const formats = ["txt", "md", "srt", "vtt", "docx", "pdf"] as const;
export type Format = (typeof formats)[number];

/** Formats whose cues need times. */
export const hasCues = (format: Format): boolean => format === "srt" || format === "vtt";

/** Words of the interface's language in a file. */
export interface FileWords {
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
  words: FileWords;
}
