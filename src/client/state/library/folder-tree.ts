import type { FolderList } from "#shared/folder.ts";
import { compareFolders } from "#shared/folder.ts";

type Folder = FolderList["folders"][number];

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

type MutableNode = Omit<FolderNode, "children"> & { children: MutableNode[] };

/** Contains every folder once; one with a missing parent, or in a cycle of parents, is at the top level. */
export function buildTree({ folders, total, uncategorized }: FolderList): FolderTree {
  const given = new Map(folders.map((folder) => [folder.id, folder]));
  const getParent = ({ parentFolderId }: Folder) => given.get(parentFolderId ?? "");
  const byParent = Map.groupBy(folders, getParent);
  const roots: MutableNode[] = [];
  /** Parents come before their children. */
  const byId = new Map<string, MutableNode>();

  /** Adds the folder at the top level, with all folders below it. */
  function addRoot(root: Folder): void {
    const queue: [Folder, MutableNode | null][] = [[root, null]];
    for (const [folder, parent] of queue) {
      const { id, name, lectures } = folder;
      if (byId.has(id)) continue;
      const depth = parent ? parent.depth + 1 : 0;
      const parentId = parent?.id ?? null;
      const node = { id, name, parentId, depth, lectures, lecturesBelow: lectures, children: [] };
      byId.set(id, node);
      (parent?.children ?? roots).push(node);
      for (const child of byParent.get(folder) ?? []) queue.push([child, node]);
    }
  }

  for (const folder of byParent.get(undefined) ?? []) addRoot(folder);
  // What no root leads to is in a cycle or below one. The cycle is cut at one of its folders.
  for (const folder of folders) {
    const path = new Set<Folder>();
    let at: Folder | undefined = folder;
    while (at && !byId.has(at.id) && !path.has(at)) {
      path.add(at);
      at = getParent(at);
    }
    if (at) addRoot(at);
  }
  roots.sort(compareFolders);
  for (const node of [...byId.values()].toReversed()) {
    node.children.sort(compareFolders);
    const parent = byId.get(node.parentId ?? "");
    if (parent) parent.lecturesBelow += node.lecturesBelow;
  }
  return { roots, byId, total, uncategorized };
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
