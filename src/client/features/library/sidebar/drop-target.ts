import type { FolderTree } from "#client/state/library/folder-tree.ts";
import { type Movable, mayGo } from "#client/state/library/move-targets.ts";
import type { Row } from "./tree-rows.ts";

/** Where something goes: a folder; null: out of all folders, or to the top. */
export interface Target {
  folderId: string | null;
}

export function movableOf(row: Row): Movable | null {
  if (row.kind === "lecture") {
    const { id, title, folderId } = row.lecture;
    return { kind: "lecture", id, name: title, from: folderId };
  }
  if (row.kind !== "folder") return null;
  return { kind: "folder", id: row.node.id, name: row.node.name, from: row.node.parentId };
}

/**
 * Where `moved` goes when it is let go over `row`; null where it cannot. A row of a folder stands for that
 * folder, and everything in it too. A folder is not for the section of loose lectures.
 */
export function targetAt(tree: FolderTree, moved: Movable, row: Row): Target | null {
  if (moved.kind === "folder" && row.place === null) return null;
  return mayGo(tree, moved, row.place) ? { folderId: row.place } : null;
}
