import type { FileRequest, Format } from "./formats.ts";

const types: Record<Format, string> = {
  txt: "text/plain;charset=utf-8",
  md: "text/markdown;charset=utf-8",
  srt: "application/x-subrip;charset=utf-8",
  vtt: "text/vtt;charset=utf-8",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
};

/** The code of each format is loaded on demand. */
async function createContent(
  { lecture, format, sides, labels }: FileRequest,
  signal: AbortSignal | undefined,
): Promise<string | Uint8Array<ArrayBuffer>> {
  switch (format) {
    case "txt":
      return (await import("./files/plain-text.ts")).toText(lecture, sides, labels.date);
    case "md":
      return (await import("./files/markdown.ts")).toMarkdown(lecture, sides, labels);
    case "srt":
      return (await import("./files/srt.ts")).toSrt(lecture, sides);
    case "vtt":
      return (await import("./files/vtt.ts")).toVtt(lecture, sides, labels.date);
    case "docx":
      return (await import("./create-docx-in-worker.ts")).createDocxInWorker(
        { lecture, format, sides, labels: labels },
        signal,
      );
  }
}

/** @throws when the code of the format cannot be loaded, or `signal` is aborted. */
export async function createFile(request: FileRequest, signal?: AbortSignal): Promise<Blob> {
  return new Blob([await createContent(request, signal)], { type: types[request.format] });
}
