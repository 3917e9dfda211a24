import type { InfiniteData } from "@tanstack/react-query";
import type { LectureListItem } from "#shared/lecture.ts";
import { getListTitle } from "./list-texts.ts";

export interface LectureFilter {
  /** A folder; null: lectures in no folder; undefined: all. */
  folderId?: string | null | undefined;
  /** Part of the title that is shown, ignoring case. */
  title?: string | undefined;
}

export interface LecturePage {
  items: LectureListItem[];
  nextCursor: string | null;
  /** Number of titles that a search found; null without a search. */
  total: number | null;
}

export type LecturePages = InfiniteData<LecturePage, string | null>;

export function matchesFilter(
  { folderId, title }: LectureFilter,
  lecture: LectureListItem,
): boolean {
  if (folderId !== undefined && lecture.folderId !== folderId) return false;
  const shown = getListTitle(lecture) || lecture.title;
  return !title || shown.toLowerCase().includes(title.toLowerCase());
}

function compareNewestFirst(a: LectureListItem, b: LectureListItem): number {
  const age = Date.parse(b.createdAt) - Date.parse(a.createdAt);
  return age || (a.id > b.id ? -1 : 1);
}

/**
 * The loaded pages of `filter` after lecture `before` has become `after` (null: deleted). A lecture that now sorts
 * after the last loaded page is only counted. Unchanged pages keep their identity.
 */
export function applyLectureChange(
  data: LecturePages,
  filter: LectureFilter,
  before: LectureListItem,
  after: LectureListItem | null,
): LecturePages {
  const matched = matchesFilter(filter, before);
  const matchesNow = after !== null && matchesFilter(filter, after);
  if (!matched && !matchesNow) return data;
  const change = Number(matchesNow) - Number(matched);
  const last = data.pages.length - 1;
  let isPlaced = !matchesNow;
  const pages = data.pages.map((page, index) => {
    let items = page.items;
    if (items.some(({ id }) => id === before.id))
      items = items.filter(({ id }) => id !== before.id);
    if (!isPlaced && after) {
      const at = items.findIndex((other) => compareNewestFirst(after, other) < 0);
      const end = index === last && page.nextCursor === null;
      if (at !== -1 || end) {
        items = items.toSpliced(at === -1 ? items.length : at, 0, after);
        isPlaced = true;
      }
    }
    return items === page.items && change === 0
      ? page
      : { ...page, items, total: page.total === null ? null : Math.max(0, page.total + change) };
  });
  return { ...data, pages };
}

export function findLecture(
  lists: readonly (LecturePages | undefined)[],
  id: string,
): LectureListItem | null {
  for (const list of lists)
    for (const page of list?.pages ?? []) {
      const item = page.items.find((lecture) => lecture.id === id);
      if (item) return item;
    }
  return null;
}
