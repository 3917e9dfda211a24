import type { FolderList } from "#shared/folder.ts";

export interface FolderNode {
  id: string;
  name: string;
  /** The folder that it is shown in; null at the top. */
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
  /** At the top, by name. */
  roots: readonly FolderNode[];
  byId: ReadonlyMap<string, FolderNode>;
  total: number;
  uncategorized: number;
}

type Folder = FolderList["folders"][number];
type MutableNode = Omit<FolderNode, "children"> & { children: MutableNode[] };

/** As a person counts: "Week 2" before "Week 10". The same in both languages of the interface. */
const collator = new Intl.Collator("en", { numeric: true });

const compareByName = (a: FolderNode, b: FolderNode) =>
  collator.compare(a.name, b.name) || (a.id < b.id ? -1 : 1);

/** Folders whose parent is among `folders`, and that reach the top by way of their parents. */
function findParents(folders: readonly Folder[]): Map<string, string | null> {
  const known = new Set(folders.map(({ id }) => id));
  const parents = new Map(
    folders.map(({ id, parentFolderId: parent }) => [
      id,
      parent !== null && known.has(parent) ? parent : null,
    ]),
  );
  const safe = new Set<string>();
  for (const start of parents.keys()) {
    const path = new Set<string>();
    let at: string | null = start;
    while (at !== null && !safe.has(at) && !path.has(at)) {
      path.add(at);
      at = parents.get(at) ?? null;
    }
    // Met itself: the ring is opened where it was met.
    if (at !== null && path.has(at)) parents.set(at, null);
    for (const id of path) safe.add(id);
  }
  return parents;
}

/** Every folder is in it once: at the top where its parent is missing, and where a ring is opened. */
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
  roots.sort(compareByName);
  // Outer folders come before inner ones.
  const order = [...roots];
  for (const node of order) {
    node.children.sort(compareByName);
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

/** The folders from the top down to `id`, itself last; empty where there is no such folder. */
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

/** True where folder `id` may be put into `parentId` (null: the top) and would change its place. */
export function canMoveFolder(tree: FolderTree, id: string, parentId: string | null): boolean {
  const node = tree.byId.get(id);
  if (!node || node.parentId === parentId) return false;
  return parentId === null || (tree.byId.has(parentId) && !isWithin(tree, parentId, id));
}
