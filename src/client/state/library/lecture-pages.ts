import type { InfiniteData } from "@tanstack/react-query";
import type { trpc } from "#client/state/trpc.ts";
import type { LectureListItem } from "#shared/lecture.ts";

export interface LectureFilter {
  /** A folder; null: lectures in no folder; undefined: all. */
  folderId?: string | null | undefined;
  /** Part of the title that is shown, ignoring case. */
  title?: string | undefined;
}

/** `total`: number of titles that a search found; null without a search. */
export type LecturePage = Awaited<ReturnType<typeof trpc.lectures.list.query>>;

export type LecturePages = InfiniteData<LecturePage, string | null>;

type Dated = Pick<LectureListItem, "id" | "createdAt">;

/** Of lectures and of folders. */
export const compareNewestFirst = (a: Dated, b: Dated): number =>
  Date.parse(b.createdAt) - Date.parse(a.createdAt) || (a.id > b.id ? -1 : 1);

/**
 * The loaded pages of `filter` after `lecture` was renamed or moved. A search keeps its results until it is repeated,
 * and a lecture that sorts after the last loaded page is not added.
 */
export function applyLectureChange(
  data: LecturePages,
  { folderId, title }: LectureFilter,
  lecture: LectureListItem,
): LecturePages {
  const belongs = folderId === undefined || folderId === lecture.folderId;
  if (findLecture([data], lecture.id)) {
    const after = belongs ? [lecture] : [];
    const change = (items: LectureListItem[]) =>
      items.flatMap((item) => (item.id === lecture.id ? after : [item]));
    return { ...data, pages: data.pages.map((page) => ({ ...page, items: change(page.items) })) };
  }
  if (!belongs || title) return data;
  const target = data.pages.find(
    ({ items, nextCursor }) =>
      nextCursor === null || items.some((item) => compareNewestFirst(lecture, item) < 0),
  );
  const pages = data.pages.map((page) =>
    page === target ? { ...page, items: [...page.items, lecture].sort(compareNewestFirst) } : page,
  );
  return { ...data, pages };
}

export const findLecture = (lists: readonly (LecturePages | undefined)[], id: string) =>
  lists
    .flatMap((list) => list?.pages.flatMap(({ items }) => items) ?? [])
    .find((lecture) => lecture.id === id);
