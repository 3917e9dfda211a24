import { useEffect, useRef } from "react";
import { Signal } from "#client/lib/observable.ts";
import { safeStorage } from "#client/lib/storage.ts";
import { fetchListItem } from "#client/state/library/cache.ts";
import { type FolderTree, getPath } from "#client/state/library/folder-tree.ts";
import { foldersMax } from "#shared/limits.ts";
import { uncategorizedId } from "./tree-rows.ts";

const storageKey = "openFolders";

/** Ids of the expanded folders in the tree, stored on this device. Ids contain no spaces; unknown ones have no effect. */
export const expandedFolders = new Signal<ReadonlySet<string>>(
  new Set((safeStorage.get(storageKey) ?? uncategorizedId).split(" ")),
);

export function setExpanded(changed: readonly string[], isExpanded: boolean): void {
  const next = new Set(expandedFolders.get());
  for (const id of changed) {
    if (isExpanded) next.add(id);
    else next.delete(id);
  }
  store(next);
}

function store(next: ReadonlySet<string>): void {
  expandedFolders.set(next);
  safeStorage.set(storageKey, [...next].join(" "));
}

/** Removes ids that are not in `known`, once there are more than a user can have folders. */
export function pruneExpanded(known: { has(id: string): boolean }): void {
  const expanded = expandedFolders.get();
  if (expanded.size <= foldersMax) return;
  const kept = [...expanded].filter((id) => id === uncategorizedId || known.has(id));
  if (kept.length < expanded.size) store(new Set(kept));
}

/** Expands the folders above the lecture that was just opened, once: the user may collapse them again. */
export function useExpandToLecture(openId: string | null, tree: FolderTree | null): void {
  const expandedFor = useRef<string | null>(null);
  useEffect(() => {
    if (tree) pruneExpanded(tree.byId);
    if (openId === null) expandedFor.current = null;
    if (!tree || openId === null || expandedFor.current === openId) return;
    let cancelled = false;
    void fetchListItem(openId).then((lecture) => {
      if (cancelled || !lecture) return;
      expandedFor.current = openId;
      const { folderId } = lecture;
      const path = getPath(tree, folderId).map(({ id }) => id);
      setExpanded(folderId === null ? [uncategorizedId] : path, true);
    });
    return () => {
      cancelled = true;
    };
  }, [openId, tree]);
}
