import { canMoveFolder, type FolderTree, getPath } from "./folder-tree.ts";

/** A lecture or folder to move. `from`: the folder it is in; null: in none, or at the top level. */
export type MovableItem =
  | { kind: "lecture"; id: string; name: string; from: string | null }
  | { kind: "folder"; id: string; name: string; from: string | null };

/** Whether `item` can move to `folderId` and is not there already. */
export function canMove(tree: FolderTree, item: MovableItem, folderId: string | null): boolean {
  if (item.kind === "folder") return canMoveFolder(tree, item.id, folderId);
  return item.from !== folderId && (folderId === null || tree.byId.has(folderId));
}

export interface MoveTarget {
  folderId: string | null;
  name: string;
  /** Names of the folders above it, outermost first. */
  path: readonly string[];
  depth: number;
}

/** The folders that `item` can move to and whose names contain `query`, in tree order. */
export function listMoveTargets(tree: FolderTree, item: MovableItem, query: string): MoveTarget[] {
  const part = query.trim().toLowerCase();
  const targets: MoveTarget[] = [];
  const visit = (nodes: FolderTree["roots"]) => {
    for (const node of nodes) {
      if (canMove(tree, item, node.id) && node.name.toLowerCase().includes(part)) {
        const path = getPath(tree, node.parentId).map(({ name }) => name);
        targets.push({ folderId: node.id, name: node.name, path, depth: node.depth });
      }
      if (item.kind === "lecture" || node.id !== item.id) visit(node.children);
    }
  };
  visit(tree.roots);
  return targets;
}
