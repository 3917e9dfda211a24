import { compareFolders, type FolderList } from "#shared/folder.ts";

export interface FolderNode {
  id: string;
  name: string;
  /** The folder that it is shown in; null at the top level. */
  parentId: string | null;
  /** 0 at the top. */
  depth: number;
  lectures: number;
  /** Lectures in it and in all folders below it. */
  lecturesBelow: number;
  /** In the order of the tree. */
  children: readonly FolderNode[];
}

type Folder = FolderList["folders"][number];

export interface FolderTree {
  /** Top-level folders. */
  roots: readonly FolderNode[];
  byId: ReadonlyMap<string, FolderNode>;
  total: number;
  uncategorized: number;
}

/** Folders are in the order of `compare`, by name otherwise. Contains every folder once; one whose parent is missing is at the top level. The server stores no cycles. */
export function buildTree(
  { folders, total, uncategorized }: FolderList,
  compare: (one: Folder, other: Folder) => number = compareFolders,
): FolderTree {
  const ids = new Set(folders.map(({ id }) => id));
  const byParent = Map.groupBy(folders, ({ parentFolderId }) =>
    parentFolderId !== null && ids.has(parentFolderId) ? parentFolderId : null,
  );
  const byId = new Map<string, FolderNode>();
  const createNodes = (parentId: string | null, depth: number): FolderNode[] =>
    (byParent.get(parentId) ?? []).toSorted(compare).map(({ id, name, lectures }) => {
      const children = createNodes(id, depth + 1);
      const lecturesBelow = children.reduce((sum, child) => sum + child.lecturesBelow, lectures);
      const node = { id, name, parentId, depth, lectures, lecturesBelow, children };
      byId.set(id, node);
      return node;
    });
  return { roots: createNodes(null, 0), byId, total, uncategorized };
}

/** The folders from the top level down to `id`, itself last; empty if there is no such folder. */
export function getPath(tree: FolderTree, id: string | null): FolderNode[] {
  const path: FolderNode[] = [];
  let at = id === null ? undefined : tree.byId.get(id);
  while (at) {
    path.push(at);
    at = at.parentId === null ? undefined : tree.byId.get(at.parentId);
  }
  return path.reverse();
}

/** All folders below `nodes`, in the order of the tree. */
export const listFolders = (nodes: readonly FolderNode[]): FolderNode[] =>
  nodes.flatMap((node) => [node, ...listFolders(node.children)]);

export function listSubtree(tree: FolderTree, id: string): FolderNode[] {
  const top = tree.byId.get(id);
  const nodes = top ? [top] : [];
  for (const node of nodes) nodes.push(...node.children);
  return nodes;
}

/** A lecture or folder to move. `from`: the folder it is in; null: in none, or at the top level. */
export interface MovableItem {
  kind: "lecture" | "folder";
  id: string;
  name: string;
  from: string | null;
}

/** Whether the lecture or folder can move to `folderId` (null: top level) and is not there already. */
export function canMove(
  tree: FolderTree,
  { kind, id, from }: Omit<MovableItem, "name">,
  folderId: string | null,
): boolean {
  if (from === folderId || (folderId !== null && !tree.byId.has(folderId))) return false;
  if (kind === "lecture") return true;
  return tree.byId.has(id) && !getPath(tree, folderId).some((node) => node.id === id);
}
