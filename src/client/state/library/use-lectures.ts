import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { api } from "#client/state/queries.tsx";
import { trpc } from "#client/state/trpc.ts";
import { lecturePageSize } from "#shared/limits.ts";
import type { LectureFilter } from "./lecture-pages.ts";

/** Lectures that match the filter, newest first. Refetched on focus, for changes made in another tab. */
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

/** The user's lectures that match the filter. `enabled` is false for a guest, who has none. */
export function useLectures({
  enabled = true,
  ...filter
}: LectureFilter & { enabled?: boolean } = {}) {
  const query = useInfiniteQuery({ ...lecturePagesQuery(filter), enabled });
  const lectures = query.data?.pages.flatMap((page) => page.items) ?? [];
  return {
    query,
    lectures,
    /** Total number; null until the last page is loaded, if the server does not count. */
    total: query.data?.pages[0]?.total ?? (query.hasNextPage ? null : lectures.length),
  };
}
