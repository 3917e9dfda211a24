import type { InfiniteData } from "@tanstack/react-query";
import type { LectureListItem } from "#shared/lecture.ts";

export interface LectureFilter {
  /** A folder, null for lectures in none; without it all. */
  folderId?: string | null;
  /** Part of the title, in whatever case. */
  title?: string;
}

export interface LecturePage {
  items: LectureListItem[];
  nextCursor: string | null;
  /** How many titles a search has found; null without one. */
  total: number | null;
}

export type LecturePages = InfiniteData<LecturePage, string | null>;

export function matchesFilter(
  { folderId, title }: LectureFilter,
  lecture: LectureListItem,
): boolean {
  if (folderId !== undefined && lecture.folderId !== folderId) return false;
  return !title || lecture.title.toLowerCase().includes(title.toLowerCase());
}

/** Negative where `a` stands before `b`: newest first. */
function compareNewestFirst(a: LectureListItem, b: LectureListItem): number {
  const age = Date.parse(b.createdAt) - Date.parse(a.createdAt);
  return age || (a.id > b.id ? -1 : 1);
}

/**
 * The lists of `filter` after lecture `before` has become `after`, null: is gone. A lecture that comes
 * to stand behind the last loaded page is counted alone. Pages that do not change are the same objects.
 */
export function applyLectureChange(
  data: LecturePages,
  filter: LectureFilter,
  before: LectureListItem,
  after: LectureListItem | null,
): LecturePages {
  const was = matchesFilter(filter, before);
  const is = after !== null && matchesFilter(filter, after);
  if (!was && !is) return data;
  const change = Number(is) - Number(was);
  const last = data.pages.length - 1;
  let placed = !is;
  const pages = data.pages.map((page, index) => {
    let items = page.items;
    if (items.some(({ id }) => id === before.id))
      items = items.filter(({ id }) => id !== before.id);
    if (!placed && after) {
      const at = items.findIndex((other) => compareNewestFirst(after, other) < 0);
      const end = index === last && page.nextCursor === null;
      if (at !== -1 || end) {
        items = items.toSpliced(at === -1 ? items.length : at, 0, after);
        placed = true;
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
