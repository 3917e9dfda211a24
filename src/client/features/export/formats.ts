import type { GlossaryTerm } from "#shared/glossary.ts";
import type { Lecture } from "#shared/lecture.ts";
import type { ExportedLecture, Sides } from "./exported-lecture.ts";
import type { SlideToExport } from "./exported-slides.ts";

/** File formats. A PDF is printed by the browser instead: see print/. */
export const formats = ["docx", "txt", "md", "srt", "vtt"] as const;
export type Format = (typeof formats)[number];

/** Whether a file of the format can list terms. */
export const canListTerms = (format: Format): boolean => format !== "srt" && format !== "vtt";

/** Whether a file of the format can show slides. */
export const canShowSlides = (format: Format): boolean => format === "docx" || format === "md";

/** Texts in the interface language that a file contains. */
export interface FileLabels {
  /** Formatted date of the lecture. */
  date: string;
  summary: string;
  /** Above what is to be done. */
  actions: string;
  transcript: string;
  /** Before a note. */
  note: string;
  /** Above the lecture's terms. */
  terms: string;
  /** The first word of a slide's name. */
  slide: string;
  /** The interface language, BCP 47. */
  language: string;
}

/** How a lecture becomes a file. */
export interface FileOptions {
  /** The terms that apply in a folder; undefined: the file lists none. */
  readTerms?: ((folderId: string | null) => Promise<readonly GlossaryTerm[]>) | undefined;
  /** The slides of a lecture; undefined: the file shows none. */
  readSlides?:
    | ((lectureId: string, signal: AbortSignal) => Promise<readonly SlideToExport[]>)
    | undefined;
  format: Format;
  sides: Sides;
  /** Replaces an empty title. */
  untitled: string;
  getLabels: (lecture: Lecture) => FileLabels;
}

/** What a file is created from. Plain data: it can be sent to a worker. */
export interface FileRequest {
  lecture: ExportedLecture;
  format: Format;
  sides: Sides;
  labels: FileLabels;
}
