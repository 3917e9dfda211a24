import { oneLine } from "#client/lib/text.ts";
import { findSlideRow } from "#client/reading/slides/slides-state.ts";
import type { TranscriptEntry } from "#shared/lecture.ts";
import type { Slide } from "#shared/slides.ts";

/** A slide in a file. Plain data: it can be sent to a worker. */
export interface ExportedSlide extends Pick<Slide, "id" | "page" | "width" | "height"> {
  /** Its first line. */
  caption: string;
  /** Null where the page shows it by its address. */
  picture: { type: "image/jpeg" | "image/png"; data: Uint8Array<ArrayBuffer> } | null;
}

export type SlideToExport = Pick<Slide, "rowId" | "atMs" | "text"> & Omit<ExportedSlide, "caption">;

/** Slides by the indexes of their rows; those that nobody has placed at -1. */
export function groupSlides(
  slides: readonly SlideToExport[],
  rows: readonly Pick<TranscriptEntry, "id" | "startMs" | "endMs">[],
): Map<number, ExportedSlide[]> {
  const positions = new Map(rows.map(({ id }, position) => [id, position]));
  const groups = new Map<number, ExportedSlide[]>();
  for (const slide of slides) {
    const row = findSlideRow(slide, rows, positions);
    const { id, page, width, height, picture, text } = slide;
    const caption = oneLine(text.trim().split("\n")[0] ?? "");
    const group = groups.get(row) ?? [];
    groups.set(row, group);
    group.push({ id, page, width, height, picture, caption });
  }
  return groups;
}

/** The name of a slide, of which `label` is the first word. */
export const nameSlide = ({ page, caption }: ExportedSlide, label: string): string =>
  [page === null ? label : `${label} ${page}`, ...(caption ? [caption] : [])].join(": ");
