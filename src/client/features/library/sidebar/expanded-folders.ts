import { Signal } from "#client/lib/signal.ts";
import { safeStorage } from "#client/lib/storage.ts";
import { foldersMax } from "#shared/limits.ts";
import { uncategorizedId } from "./tree-rows.ts";

const key = "openFolders";

/** Ids have no spaces in them; an unknown one opens nothing. */
function readStored(): ReadonlySet<string> {
  const text = safeStorage.get(key);
  return new Set(text === null ? [uncategorizedId] : text.split(" "));
}

/** Ids of the folders that are open in the tree, remembered on this device. */
export const expandedFolders = new Signal<ReadonlySet<string>>(readStored());

export function setExpanded(changed: readonly string[], open: boolean): void {
  const next = new Set(expandedFolders.get());
  for (const id of changed) {
    if (open) next.add(id);
    else next.delete(id);
  }
  store(next);
}

function store(next: ReadonlySet<string>): void {
  expandedFolders.set(next);
  safeStorage.set(key, [...next].join(" "));
}

/** Once there are more of them than a user can have, forgets those that are not in `known`. */
export function pruneExpanded(known: { has(id: string): boolean }): void {
  const open = expandedFolders.get();
  if (open.size <= foldersMax) return;
  const kept = [...open].filter((id) => id === uncategorizedId || known.has(id));
  if (kept.length < open.size) store(new Set(kept));
}
