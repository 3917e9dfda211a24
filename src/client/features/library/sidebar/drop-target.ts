import type { FolderTree } from "#client/state/library/folder-tree.ts";
import { canMove, type MovableItem } from "#client/state/library/move-targets.ts";
import type { Row } from "./tree-rows.ts";

/** Where something goes: a folder; null: out of all folders, or to the top. */
export interface DropTarget {
  folderId: string | null;
}

export function toMovableItem(row: Row): MovableItem | null {
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
export function findDropTarget(tree: FolderTree, moved: MovableItem, row: Row): DropTarget | null {
  if (moved.kind === "folder" && row.folderId === null) return null;
  return canMove(tree, moved, row.folderId) ? { folderId: row.folderId } : null;
}
