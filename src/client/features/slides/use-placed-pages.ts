import { useEffect, useEffectEvent, useRef } from "react";
import type { LectureDocument, TranscriptRow } from "#client/lecture/lecture-document.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { findSlideRow } from "#client/reading/slides/slides-state.ts";
import type { NewSlide, Slide } from "#shared/slides.ts";
import { alignPages } from "./align-pages.ts";
import type { Place } from "./own-slides.ts";

/** So many new sentences tell something new of the pages. */
const newRowsMin = 5;

type Page = Pick<NewSlide, "id" | "text" | "page" | "fileName" | "rowId" | "placedBy">;

const listWords = (rows: readonly TranscriptRow[]) =>
  rows.map(({ original, translated }) => `${original}\n${translated}`);

/** Where pages of files belong, each file by itself. Pages that a person has placed stay where they are. */
export function placePages(pages: readonly Page[], rows: readonly TranscriptRow[]): Place[] {
  const sentences = listWords(rows);
  const files = Map.groupBy(
    pages.filter(({ page, placedBy }) => page !== null && placedBy !== "person"),
    ({ fileName }) => fileName,
  );
  return [...files.values()].flatMap((file) => {
    const ordered = file.toSorted((a, b) => (a.page ?? 0) - (b.page ?? 0));
    const found = alignPages(
      ordered.map(({ text }) => text),
      sentences,
    );
    return ordered.map(({ id }, at) => ({
      id,
      rowId: rows[found[at] ?? -1]?.id ?? null,
      placedBy: "words" as const,
    }));
  });
}

/** The rows of stills whose sentence has ended since. */
function placeStills(slides: readonly Slide[], rows: readonly TranscriptRow[]): Place[] {
  const positions = new Map(rows.map(({ id }, position) => [id, position]));
  return slides
    .filter(({ placedBy, rowId, atMs }) => placedBy === "time" && rowId === null && atMs !== null)
    .flatMap((slide) => {
      const row = rows[findSlideRow(slide, rows, positions)];
      const isOver = row !== undefined && (row !== rows.at(-1) || row.endMs > (slide.atMs ?? 0));
      return isOver ? [{ id: slide.id, rowId: row.id, placedBy: "time" as const }] : [];
    });
}

/** While a lecture grows, places its stored pages by what is said, and its stills by their time. */
export function usePlacedPages(
  lecture: LectureDocument,
  stored: readonly Slide[],
  place: (places: Place[]) => void,
): void {
  const blocks = useValue(lecture.transcript.blocks);
  const status = useField(lecture.view, "status");
  const count = blocks.reduce((sum, { rows }) => sum + rows.length, 0);
  const wasRecorded = useRef(false);
  const placedCount = useRef(count);
  const update = useEffectEvent(() => {
    const rows = lecture.transcript.rows();
    const pages = placePages(stored, rows);
    const known = new Map(stored.map(({ id, rowId }) => [id, rowId]));
    const changed = [...pages, ...placeStills(stored, rows)].filter(
      ({ id, rowId }) => rowId !== null && known.get(id) !== rowId,
    );
    if (changed.length > 0) place(changed);
  });
  useEffect(() => {
    const isRecorded = status === "recording";
    const hasEnded = wasRecorded.current && !isRecorded;
    wasRecorded.current = isRecorded;
    const isDue = isRecorded && count - placedCount.current >= newRowsMin;
    if (!isDue && !hasEnded) return;
    placedCount.current = count;
    update();
  }, [count, status]);
}
