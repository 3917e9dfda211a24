import { fileTextMaxLength } from "#shared/limits.ts";

/** The text of a file that terms are taken from. Shared by the page and the worker that reads. */

export const fileMaxBytes = 50 * 1024 * 1024;
/** Pages, slides or, where a file has neither, sections. */
export const filePagesMax = 500;
/** Of what is unpacked of a file: the XML of 500 slides has a few megabytes. */
export const unpackedMaxBytes = 100 * 1024 * 1024;

export const termFileExtensions = ["pdf", "pptx", "docx", "txt", "md"] as const;

export interface FilePage {
  /** From 1, as the file's own program counts. */
  number: number;
  text: string;
}

export interface FileText {
  unit: "page" | "slide" | "section";
  /** Those with text. */
  pages: FilePage[];
  /** Lines end where the page does, not the sentence. */
  isWrapped: boolean;
}

/** Why a file's text cannot be had; the messages `files.refused.…` say so. */
export type FileProblem =
  | "kind"
  | "misnamed"
  /** Of Office before 2007. */
  | "old"
  | "size"
  /** More than `unpackedMaxBytes`. */
  | "unpacked"
  | "encrypted"
  | "encoding"
  | "broken"
  | "unreadable"
  | "empty"
  /** Pages of a PDF without text. */
  | "pictures"
  | "pages"
  | "long"
  | "many"
  | "slow";

export class FileError extends Error {
  override readonly name = "FileError";
  constructor(readonly problem: FileProblem) {
    super(problem);
  }
}

/** What the worker says. Its libraries send messages of their own, which have no `fileText`. */
export interface FileReport {
  fileText:
    | { kind: "progress"; done: number; total: number }
    | { kind: "read"; text: FileText }
    | { kind: "failed"; problem: FileProblem };
}

export type OnProgress = (done: number, total: number) => void;

/**
 * Of `texts` of all pages in order, those with text.
 *
 * @throws FileError `pages`, `long`, `empty`
 */
export function createFileText(
  unit: FileText["unit"],
  texts: readonly string[],
  isWrapped = false,
): FileText {
  if (texts.length > filePagesMax) throw new FileError("pages");
  const pages = texts
    .map((text, at) => ({ number: at + 1, text: tidyText(text) }))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  if (pages.length === 0) throw new FileError("empty");
  if (pages.reduce((sum, { text }) => sum + text.length, 0) > fileTextMaxLength)
    throw new FileError("long");
  return { unit, isWrapped, pages };
}

/** Lines without spaces around them and without control characters; a word that is divided at a line's end in one. */
const tidyText = (text: string) =>
  text
    .toWellFormed()
    .replace(/\u00ad\n?/g, "")
    .replace(/(?<=\p{Ll})[-‐]\n(?=\p{Ll})/gu, "")
    .replace(/[^\S\n]+|(?!\n)\p{Cc}/gu, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
