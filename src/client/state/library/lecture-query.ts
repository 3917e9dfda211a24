import { queryOptions } from "@tanstack/react-query";
import { toApiError } from "#client/lib/api-error.ts";
import { fetchLecture } from "#client/state/fetch-lecture.ts";
import { queryKeys } from "./cache.ts";

/** The whole lecture, under the key by which `LibraryCache` changes it. */
export const lectureQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.lecture(id),
    queryFn: ({ signal }) => fetchLecture(id, { signal }),
  });

/** An id that is none of ours is as good as a lecture that is gone. */
export function isNotFound(failure: unknown): boolean {
  const { code } = toApiError(failure);
  return code === "not_found" || code === "validation_failed";
}
