import type { InfiniteData } from "@tanstack/react-query";
import type { FolderList, FolderPage } from "#shared/folder.ts";
import { compareFolders } from "#shared/folder-order.ts";

export type ChipPages = InfiniteData<FolderPage, string | null>;

/** An optimistic change of folders. */
export type FolderChange =
  | { kind: "created"; id: string; name: string; parentFolderId: string | null; createdAt: string }
  | { kind: "renamed"; id: string; name: string }
  | { kind: "moved"; id: string; parentFolderId: string | null }
  /** `lectures`: how many lectures were deleted with the folders. */
  | { kind: "removed"; ids: readonly string[]; lectures: number }
  /** `to` undefined: the lecture was deleted. */
  | { kind: "lectureMoved"; from: string | null; to: string | null | undefined }
  | { kind: "lecturesRemoved" };

type Counted = { id: string; lectures: number };

interface CountedFolders<T> {
  folders: T[];
  total: number;
  uncategorized: number;
}

const addCount = (count: number, change: number) => Math.max(0, count + change);

/** Updates the lecture counts of folders after a change of lectures. */
function updateCounts<T extends Counted, L extends CountedFolders<T>>(
  list: L,
  change: FolderChange,
): L {
  switch (change.kind) {
    case "lectureMoved": {
      const { from, to } = change;
      const getChange = (id: string | null) => Number(id === to) - Number(id === from);
      const folders = list.folders.map((folder) => ({
        ...folder,
        lectures: addCount(folder.lectures, getChange(folder.id)),
      }));
      const uncategorized = addCount(list.uncategorized, getChange(null));
      const total = to === undefined ? addCount(list.total, -1) : list.total;
      return { ...list, folders, total, uncategorized };
    }
    case "lecturesRemoved": {
      const folders = list.folders.map((folder) => ({ ...folder, lectures: 0 }));
      return { ...list, folders, total: 0, uncategorized: 0 };
    }
    case "removed": {
      const folders = list.folders.filter(({ id }) => !change.ids.includes(id));
      return { ...list, folders, total: addCount(list.total, -change.lectures) };
    }
    default:
      return list;
  }
}

export function applyFolderChange(list: FolderList, change: FolderChange): FolderList {
  switch (change.kind) {
    case "created": {
      if (list.folders.some(({ id }) => id === change.id)) return list;
      const { kind: _, ...folder } = change;
      return { ...list, folders: [...list.folders, { ...folder, lectures: 0 }] };
    }
    case "renamed":
    case "moved": {
      const { kind: _, ...rest } = change;
      const folders = list.folders.map((folder) =>
        folder.id === change.id ? { ...folder, ...rest } : folder,
      );
      return { ...list, folders };
    }
    default:
      return updateCounts(list, change);
  }
}

const contains = (name: string, part: string) => name.toLowerCase().includes(part.toLowerCase());

export function applyChipChange(data: ChipPages, name: string, change: FolderChange): ChipPages {
  const last = data.pages.length - 1;
  const pages = data.pages.map((page, index): FolderPage => {
    if (change.kind === "renamed") {
      const { id } = change;
      const folders = page.folders
        .map((folder) => (folder.id === id ? { ...folder, name: change.name } : folder))
        .filter((folder) => folder.id !== id || contains(folder.name, name))
        .sort(compareFolders);
      return { ...page, folders };
    }
    if (change.kind === "created") {
      // Its place among folders that are not loaded is unknown.
      const isComplete = index === last && page.nextCursor === null;
      if (!isComplete || !contains(change.name, name)) return page;
      const created = { id: change.id, name: change.name, lectures: 0 };
      const others = page.folders.filter(({ id }) => id !== change.id);
      return { ...page, folders: [...others, created].sort(compareFolders) };
    }
    return updateCounts<FolderPage["folders"][number], FolderPage>(page, change);
  });
  return { ...data, pages };
}

export type FolderChip = FolderPage["folders"][number];

/** The folders of `pages` in order, without duplicates: a rename may have moved one between two pages. */
export function listChips(pages: readonly FolderPage[]): FolderChip[] {
  return [...new Map(pages.flatMap(({ folders }) => folders).map((one) => [one.id, one])).values()];
}
