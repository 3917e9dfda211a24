import { keepPreviousData } from "@tanstack/react-query";
import { api } from "../../../lib/queries.tsx";
import { chipsOf } from "./chips.ts";

/**
 * The folders whose names contain `name`, page by page, and how many lectures there are in all. The
 * chosen folder is looked for in the whole tree where the pages have not come to it; `gone`: it is not
 * there any more.
 */
export function useChips(name: string, chosen: string | null | undefined) {
  const query = api.folders.chips.useInfiniteQuery(name === "" ? {} : { name }, {
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: "always",
  });
  const folders = chipsOf(query.data?.pages ?? []);
  const missing =
    typeof chosen === "string" && query.isSuccess && !folders.some(({ id }) => id === chosen);
  const tree = api.folders.list.useQuery(undefined, { enabled: missing });
  const chosenFolder = missing ? tree.data?.folders.find(({ id }) => id === chosen) : undefined;
  const first = query.data?.pages[0];
  return {
    query,
    folders,
    chosenFolder: chosenFolder ?? null,
    gone: missing && tree.isSuccess && !tree.isFetching && chosenFolder === undefined,
    counts: first ? { total: first.total, uncategorized: first.uncategorized } : null,
  };
}
