import type { FolderTree } from "#client/state/library/folder-tree.ts";
import { canMove, type MovableItem } from "#client/state/library/move-targets.ts";
import type { Row } from "./tree-rows.ts";

/** `folderId` null: out of all folders, or to the top level. */
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
 * The target of dropping `item` on `row`; null if it cannot go there. A row inside a folder stands for that folder.
 * Folders cannot be dropped on the section of lectures without a folder.
 */
export function findDropTarget(tree: FolderTree, item: MovableItem, row: Row): DropTarget | null {
  if (item.kind === "folder" && row.folderId === null) return null;
  return canMove(tree, item, row.folderId) ? { folderId: row.folderId } : null;
}
