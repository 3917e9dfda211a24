import { Signal } from "#client/lib/signal.ts";
import { safeStorage } from "#client/lib/storage.ts";
import { foldersMax } from "#shared/limits.ts";
import { looseId } from "./tree-rows.ts";

const key = "openFolders";

/** Ids have no spaces in them; an unknown one opens nothing. */
function remembered(): ReadonlySet<string> {
  const text = safeStorage.get(key);
  return new Set(text === null ? [looseId] : text.split(" "));
}

/** Ids of the folders that are open in the tree, remembered on this device. */
export const openFolders = new Signal<ReadonlySet<string>>(remembered());

export function setOpen(changed: readonly string[], open: boolean): void {
  const next = new Set(openFolders.get());
  for (const id of changed) {
    if (open) next.add(id);
    else next.delete(id);
  }
  remember(next);
}

function remember(next: ReadonlySet<string>): void {
  openFolders.set(next);
  safeStorage.set(key, [...next].join(" "));
}

/** Once there are more of them than a user can have, forgets those that are not in `known`. */
export function keepOpen(known: { has(id: string): boolean }): void {
  const open = openFolders.get();
  if (open.size <= foldersMax) return;
  const kept = [...open].filter((id) => id === looseId || known.has(id));
  if (kept.length < open.size) remember(new Set(kept));
}
