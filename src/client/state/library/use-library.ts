import { useMemo } from "react";
import { api, queryClient } from "#client/state/queries.tsx";
import { LibraryCache } from "./cache.ts";
import { LibraryChanges } from "./changes.ts";
import { createFolderActions, type FolderActions } from "./folder-actions.ts";
import { buildTree } from "./folder-tree.ts";
import { createLectureActions, type LectureActions } from "./lecture-actions.ts";
import { type LibraryDeps, openRecording } from "./library-deps.ts";
import { libraryServer } from "./library-server.ts";

const cache = new LibraryCache(queryClient);
const deps: LibraryDeps = {
  cache,
  changes: new LibraryChanges(cache),
  server: libraryServer,
  recording: openRecording,
};
const lectureActions = createLectureActions(deps);
const folderActions = createFolderActions(deps, () => new Date());

/** Changes of lectures; the same object at each call. */
export const useLectureActions = (): LectureActions => lectureActions;

/** Changes of folders; the same object at each call. */
export const useFolderActions = (): FolderActions => folderActions;

/** The user's folders. `tree` is null until they are loaded. */
export function useFolderTree() {
  const query = api.folders.list.useQuery(undefined, { refetchOnWindowFocus: "always" });
  const { data } = query;
  const tree = useMemo(() => (data ? buildTree(data) : null), [data]);
  return { query, tree };
}
