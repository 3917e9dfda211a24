import type { FolderList } from "#shared/folder.ts";
import { compareFolders } from "#shared/folder.ts";

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
  /** By name. */
  children: readonly FolderNode[];
}

export interface FolderTree {
  /** Top-level folders, by name. */
  roots: readonly FolderNode[];
  byId: ReadonlyMap<string, FolderNode>;
  total: number;
  uncategorized: number;
}

type Folder = FolderList["folders"][number];
type MutableNode = Omit<FolderNode, "children"> & { children: MutableNode[] };

/** The parent of each folder: null at the top level, for a missing parent, and where a cycle is cut. */
function findParents(folders: readonly Folder[]): Map<string, string | null> {
  const ids = new Set(folders.map(({ id }) => id));
  const parents = new Map(
    folders.map(({ id, parentFolderId: parent }) => [
      id,
      parent !== null && ids.has(parent) ? parent : null,
    ]),
  );
  const checked = new Set<string>();
  for (const start of parents.keys()) {
    const path = new Set<string>();
    let at: string | null = start;
    while (at !== null && !checked.has(at) && !path.has(at)) {
      path.add(at);
      at = parents.get(at) ?? null;
    }
    // A cycle: cut here, so that this folder moves to the top level.
    if (at !== null && path.has(at)) parents.set(at, null);
    for (const id of path) checked.add(id);
  }
  return parents;
}

/** Contains every folder once; one with a missing parent, or in a cycle of parents, is at the top level. */
export function buildTree(list: FolderList): FolderTree {
  const parents = findParents(list.folders);
  const byId = new Map<string, MutableNode>();
  for (const { id, name, lectures } of list.folders) {
    const parentId = parents.get(id) ?? null;
    byId.set(id, { id, name, parentId, depth: 0, lectures, lecturesBelow: lectures, children: [] });
  }
  const roots: MutableNode[] = [];
  for (const node of byId.values()) {
    const parent = node.parentId === null ? undefined : byId.get(node.parentId);
    (parent?.children ?? roots).push(node);
  }
  roots.sort(compareFolders);
  // Breadth first: parents come before their children.
  const order = [...roots];
  for (const node of order) {
    node.children.sort(compareFolders);
    for (const child of node.children) {
      child.depth = node.depth + 1;
      order.push(child);
    }
  }
  for (const node of order.toReversed()) {
    const parent = node.parentId === null ? undefined : byId.get(node.parentId);
    if (parent) parent.lecturesBelow += node.lecturesBelow;
  }
  return { roots, byId, total: list.total, uncategorized: list.uncategorized };
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

export const isWithin = (tree: FolderTree, id: string | null, outer: string): boolean =>
  getPath(tree, id).some((node) => node.id === outer);

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
  return kind === "lecture" || (tree.byId.has(id) && !isWithin(tree, folderId, id));
}
