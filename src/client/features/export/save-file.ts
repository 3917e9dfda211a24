import { getLanguage } from "#client/i18n/bundle.ts";
import { toSafeName } from "#client/lib/file-names.ts";
import { download } from "#client/state/download.ts";
import { getPageTitle } from "#client/state/library/list-texts.ts";
import type { Lecture } from "#shared/lecture.ts";
import { toExportedLecture } from "./exported-lecture.ts";
import {
  canListTerms,
  canShowSlides,
  type FileOptions,
  type FileRequest,
  type Format,
} from "./formats.ts";

const types: Record<Format, string> = {
  txt: "text/plain;charset=utf-8",
  md: "text/markdown;charset=utf-8",
  srt: "application/x-subrip;charset=utf-8",
  vtt: "text/vtt;charset=utf-8",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
};

/** The code of each format is loaded on demand. */
async function createContent(request: FileRequest, signal: AbortSignal) {
  const { lecture, format, sides, labels } = request;
  switch (format) {
    case "txt":
      return (await import("./files/text.ts")).toText(lecture, sides, labels);
    case "md":
      return (await import("./files/text.ts")).toMarkdown(lecture, sides, labels);
    case "srt":
      return (await import("./files/subtitles.ts")).toSrt(lecture, sides);
    case "vtt":
      return (await import("./files/subtitles.ts")).toVtt(lecture, sides, labels.date);
    case "docx":
      return (await import("./create-docx-in-worker.ts")).createDocxInWorker(request, signal);
  }
}

/** @throws when the code of the format the terms or the slides cannot be loaded, or `signal` is aborted. */
export async function createFile(
  lecture: Lecture,
  { format, sides, untitled, getLabels, readTerms, readSlides }: FileOptions,
  signal: AbortSignal,
): Promise<Blob> {
  const terms = readTerms && canListTerms(format) ? await readTerms(lecture.folderId) : [];
  const slides = readSlides && canShowSlides(format) ? await readSlides(lecture.id, signal) : [];
  const document = toExportedLecture(lecture, untitled, terms, slides);
  const request = { lecture: document, format, sides, labels: getLabels(lecture) };
  return new Blob([await createContent(request, signal)], { type: types[format] });
}

/** Creates a file of `lecture` and downloads it. False: see `download`. @throws as `createFile` does. */
export async function saveFile(
  lecture: Lecture,
  options: FileOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const file = await createFile(lecture, options, signal);
  return download(
    file,
    `${toSafeName(getPageTitle(lecture, getLanguage()), options.untitled)}.${options.format}`,
  );
}
