import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import { Signal } from "#client/lib/observable.ts";

/** A slide as the page shows it: of one's own lecture, or of a share. */
export interface ShownSlide {
  id: string;
  /** Its row's id on this page; null: nobody knows it. */
  rowId: string | null;
  /** When it was shown, on the lecture's clock; null: of a file. */
  atMs: number | null;
  page: number | null;
  fileName: string | null;
  text: string;
  /** Of the full picture, in pixels. */
  width: number;
  height: number;
  /** Addresses of its pictures. */
  full: string;
  thumbnail: string;
}

/** The slides of the shown lecture, in their order. */
export const shownSlides = new Signal<readonly ShownSlide[]>([]);

/** Those that stand at a row, by its id. */
export const rowSlides = new Signal<ReadonlyMap<string, readonly ShownSlide[]>>(new Map());

/** The slide that is shown large. */
export const openSlide = new Signal<string | null>(null);

export interface SlideControl {
  move: (id: string, rowId: string) => void;
  remove: (ids: readonly string[]) => void;
}

/** What its owner can do with the slides of the shown lecture; null for a reader. */
export const slideControl = new Signal<SlideControl | null>(null);

/** The slide for which the person is to choose a row. */
export const slideToPlace = new Signal<string | null>(null);

type Place = Pick<TranscriptRow, "id" | "startMs" | "endMs">;

/**
 * The index of a slide's row: its own one, or else the last that begins before it was shown. A page of a file that nobody
 * has placed has none (-1).
 */
export function findSlideRow(
  { rowId, atMs }: Pick<ShownSlide, "rowId" | "atMs">,
  rows: readonly Place[],
  positions: ReadonlyMap<string, number>,
): number {
  const own = rowId === null ? undefined : positions.get(rowId);
  if (own !== undefined || atMs === null || rows.length === 0) return own ?? -1;
  return Math.max(
    0,
    rows.findLastIndex(({ startMs, endMs }) => endMs > 0 && startMs <= atMs),
  );
}

/** Shows `slides` at `rows`. What stays the same keeps its identity, and its rows do not render again. */
export function showSlides(slides: readonly ShownSlide[], rows: readonly Place[]): void {
  if (slides.length === 0 && shownSlides.get().length === 0) return;
  const positions = new Map(rows.map(({ id }, position) => [id, position]));
  const placed = slides
    .map((slide) => ({ slide, row: findSlideRow(slide, rows, positions) }))
    .sort(
      (a, b) =>
        toOrder(a.row) - toOrder(b.row) ||
        (a.slide.atMs ?? 0) - (b.slide.atMs ?? 0) ||
        (a.slide.page ?? 0) - (b.slide.page ?? 0),
    );
  const groups = new Map<string, ShownSlide[]>();
  for (const { slide, row } of placed) {
    const id = rows[row]?.id;
    if (id === undefined) continue;
    const group = groups.get(id) ?? [];
    groups.set(id, group);
    group.push(slide);
  }
  const before = rowSlides.get();
  const kept = new Map(
    [...groups].map(([id, group]) => {
      const old = before.get(id);
      return [id, old && isSame(old, group) ? old : group] as const;
    }),
  );
  const isUnchanged =
    kept.size === before.size && [...kept].every(([id, group]) => before.get(id) === group);
  if (!isUnchanged) rowSlides.set(kept);
  const ordered = placed.map(({ slide }) => slide);
  if (!isSame(shownSlides.get(), ordered)) shownSlides.set(ordered);
}

/** Those without a row come last. */
const toOrder = (row: number) => (row === -1 ? Number.MAX_SAFE_INTEGER : row);

const isSame = (one: readonly ShownSlide[], other: readonly ShownSlide[]) =>
  one.length === other.length && one.every((slide, at) => slide === other[at]);

/** Another lecture is shown, or none. */
export function hideSlides(): void {
  shownSlides.set([]);
  rowSlides.set(new Map());
  openSlide.set(null);
  slideToPlace.set(null);
}
