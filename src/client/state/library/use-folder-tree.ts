import { useMemo } from "react";
import { api } from "#client/state/queries.tsx";
import { buildTree } from "./folder-tree.ts";

/** The user's folders. `tree` is null until they are loaded. */
export function useFolderTree() {
  const query = api.folders.list.useQuery(undefined, { refetchOnWindowFocus: "always" });
  const { data } = query;
  const tree = useMemo(() => (data ? buildTree(data) : null), [data]);
  return { query, tree };
}
