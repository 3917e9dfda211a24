import type { FolderList } from "../../../../shared/folder.ts";

export type Folder = FolderList["folders"][number];

/** Newest first; of those made in the same moment, by id, so that the order stays. */
export const newestFirst = (folders: readonly Folder[]): Folder[] =>
  folders.toSorted(
    (a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt) || (a.id < b.id ? 1 : -1),
  );
