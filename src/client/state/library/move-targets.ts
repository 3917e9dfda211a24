import { canMoveFolder, type FolderTree, getPath } from "./folder-tree.ts";

/** What is moved, and where it lies; null: in no folder, or at the top. */
export type MovableItem =
  | { kind: "lecture"; id: string; name: string; from: string | null }
  | { kind: "folder"; id: string; name: string; from: string | null };

/** True where `moved` may go to `folderId` and would not be there already. */
export function canMove(tree: FolderTree, moved: MovableItem, folderId: string | null): boolean {
  if (moved.kind === "folder") return canMoveFolder(tree, moved.id, folderId);
  return moved.from !== folderId && (folderId === null || tree.byId.has(folderId));
}

export interface MoveTarget {
  folderId: string | null;
  name: string;
  /** Names of the folders above it, outermost first. */
  path: readonly string[];
  depth: number;
}

/** The folders that `moved` may go to, as the tree has them, of those whose names contain `query`. */
export function listMoveTargets(tree: FolderTree, moved: MovableItem, query: string): MoveTarget[] {
  const part = query.trim().toLowerCase();
  const choices: MoveTarget[] = [];
  const visit = (nodes: FolderTree["roots"]) => {
    for (const node of nodes) {
      if (canMove(tree, moved, node.id) && node.name.toLowerCase().includes(part)) {
        const path = getPath(tree, node.parentId).map(({ name }) => name);
        choices.push({ folderId: node.id, name: node.name, path, depth: node.depth });
      }
      if (moved.kind === "lecture" || node.id !== moved.id) visit(node.children);
    }
  };
  visit(tree.roots);
  return choices;
}
