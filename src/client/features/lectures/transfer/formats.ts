import type { LectureDocument, Sides } from "./lecture-document.ts";

/** Formats that a lecture can be exported in. */
export const formats = ["txt", "md", "srt", "vtt"] as const;
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

const types: Record<Format, string> = {
  txt: "text/plain;charset=utf-8",
  md: "text/markdown;charset=utf-8",
  srt: "application/x-subrip;charset=utf-8",
  vtt: "text/vtt;charset=utf-8",
};

export interface FileRequest {
  lecture: LectureDocument;
  format: Format;
  sides: Sides;
  words: FileWords;
}

/** The content of the file that `request` asks for. What makes a format is loaded when it is wanted. */
async function contentOf({
  lecture,
  format,
  sides,
  words,
}: FileRequest): Promise<string | Uint8Array<ArrayBuffer>> {
  switch (format) {
    case "txt":
      return (await import("./files/text.ts")).toText(lecture, sides, words.date);
    case "md":
      return (await import("./files/markdown.ts")).toMarkdown(lecture, sides, words);
    case "srt":
      return (await import("./files/srt.ts")).toSrt(lecture, sides);
    case "vtt":
      return (await import("./files/vtt.ts")).toVtt(lecture, sides, words.date);
  }
}

/** @throws when what makes the format cannot be loaded, or `signal` calls it off. */
export async function fileOf(request: FileRequest, signal?: AbortSignal): Promise<Blob> {
  signal?.throwIfAborted();
  return new Blob([await contentOf(request)], { type: types[request.format] });
}
