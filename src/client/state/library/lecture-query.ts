import { queryOptions } from "@tanstack/react-query";
import { toApiError } from "#client/lib/call-server.ts";
import { fetchLecture } from "#client/state/fetch-lecture.ts";
import { queryKeys } from "./cache.ts";

/** The whole lecture, under the key that `cache.ts` updates. */
export const lectureQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.lecture(id),
    queryFn: ({ signal }) => fetchLecture(id, { signal }),
  });

/** An invalid id counts as a deleted lecture. */
export function isNotFound(failure: unknown): boolean {
  const { code } = toApiError(failure);
  return code === "not_found" || code === "validation_failed";
}
