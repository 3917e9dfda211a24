import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { api } from "#client/state/queries.tsx";
import { trpc } from "#client/state/trpc.ts";
import { lecturePageSize } from "#shared/limits.ts";
import type { LectureFilter } from "./lecture-pages.ts";

/** Lectures that fit `filter`, newest first, page by page. Another tab's changes are there after a refocus. */
export function lecturePagesQuery({ folderId, title }: LectureFilter) {
  const input = {
    limit: lecturePageSize,
    ...(folderId !== undefined && { folderId }),
    ...(title && { title }),
  };
  return infiniteQueryOptions({
    queryKey: getQueryKey(api.lectures.list, input, "infinite"),
    queryFn: ({ pageParam, signal }) =>
      trpc.lectures.list.query({ ...input, cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchOnWindowFocus: "always",
  });
}

/** The user's lectures that fit the filter. `enabled` is false for a guest, who has none. */
export function useLectures({
  enabled = true,
  ...filter
}: LectureFilter & { enabled?: boolean } = {}) {
  const query = useInfiniteQuery({ ...lecturePagesQuery(filter), enabled });
  const lectures = query.data?.pages.flatMap((page) => page.items) ?? [];
  return {
    query,
    lectures,
    /** How many there are in all; null where only the last page will tell. */
    total: query.data?.pages[0]?.total ?? (query.hasNextPage ? null : lectures.length),
  };
}
