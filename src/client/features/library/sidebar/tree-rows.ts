import type { FolderNode, FolderTree } from "#client/state/library/folder-tree.ts";
import type { LectureListItem } from "#shared/lecture.ts";

/** The loaded lectures of one folder. `remaining`: whether there are more, and their state. */
export interface LoadedLectures {
  items: readonly LectureListItem[];
  remaining: "none" | "more" | "loading" | "failed";
}

/** The folder that a row belongs to and that receives what is dropped on it; null: no folder. */
type FolderId = string | null;

interface RowBase {
  /** Unique siblings the rows. */
  key: string;
  /** 1 at the top level. */
  level: number;
  folderId: FolderId;
  /** Position siblings the siblings, from 1, and their number; null if unknownSiblings. */
  position: number | null;
  size: number | null;
}

export interface FolderRow extends RowBase {
  kind: "folder";
  node: FolderNode;
  open: boolean;
}

interface LectureRow extends RowBase {
  kind: "lecture";
  lecture: LectureListItem;
}

export interface UncategorizedRow extends RowBase {
  kind: "uncategorized";
  count: number;
  open: boolean;
}

/** Stands for the lectures that are not loaded. `source`: the list whose next page it stands for. */
export interface MoreRow extends RowBase {
  kind: "more";
  source: FolderId | "found";
  remaining: Exclude<LoadedLectures["remaining"], "none">;
}

interface EmptyRow extends RowBase {
  kind: "empty";
}

interface DraftRow extends RowBase {
  kind: "draft";
}

export type Row = FolderRow | LectureRow | UncategorizedRow | MoreRow | EmptyRow | DraftRow;

/** The section of lectures without a folder, siblings the ids of expanded folders. Stored on devices. */
export const uncategorizedId = "loose";

export const folderKey = (id: string) => `folder ${id}`;
export const lectureKey = (id: string) => `lecture ${id}`;
export const uncategorizedKey = "uncategorized";
export const draftKey = "draft";

export interface TreeRowsInput {
  tree: FolderTree;
  /** Ids of the expanded folders; may contain `uncategorizedId`. */
  expanded: ReadonlySet<string>;
  /** The loaded lectures of a folder (null: of no folder); null before the first request. */
  getLoaded: (folderId: string | null) => LoadedLectures | null;
  draft: { parentId: string | null } | null;
}

const notLoaded: LoadedLectures = { items: [], remaining: "more" };

/** Rows for the lectures of one folder, and one row for those that are not loaded. */
function createLectureRows(
  loaded: LoadedLectures,
  level: number,
  of: MoreRow["source"],
  siblings: { before: number; size: number | null },
): Row[] {
  const folderId = of === "found" ? null : of;
  const rows = loaded.items.map(
    (lecture, index): Row => ({
      kind: "lecture",
      key: lectureKey(lecture.id),
      level,
      folderId: folderId,
      position: siblings.size === null ? null : siblings.before + index + 1,
      size: siblings.size,
      lecture,
    }),
  );
  if (loaded.remaining !== "none") rows.push(createMoreRow(of, level, loaded.remaining));
  return rows;
}

const createMoreRow = (
  of: MoreRow["source"],
  level: number,
  rest: MoreRow["remaining"],
): MoreRow => ({
  ...{ kind: "more", key: `more ${of ?? uncategorizedId}`, level, position: null, size: null },
  ...{ folderId: of === "found" ? null : of, source: of, remaining: rest },
});

const createDraftRow = (parentId: string | null, level: number): DraftRow => ({
  ...{ kind: "draft", key: draftKey, level, folderId: parentId, position: null, size: null },
});

export function buildTreeRows(view: TreeRowsInput): Row[] {
  const { tree, draft } = view;
  const rows: Row[] = [];
  if (draft?.parentId === null) rows.push(createDraftRow(null, 1));
  tree.roots.forEach((node, index) => {
    addFolderRows(rows, view, node, { position: index + 1, size: tree.roots.length + 1 });
  });
  const open = view.expanded.has(uncategorizedId);
  const size = tree.roots.length + 1;
  rows.push({
    ...{
      kind: "uncategorized",
      key: uncategorizedKey,
      level: 1,
      folderId: null,
      position: size,
      size,
    },
    ...{ count: tree.uncategorized, open },
  });
  if (open) {
    const loaded = view.getLoaded(null) ?? (tree.uncategorized > 0 ? notLoaded : null);
    const siblings = { before: 0, size: tree.uncategorized };
    if (loaded) rows.push(...createLectureRows(loaded, 2, null, siblings));
  }
  return rows;
}

function addFolderRows(
  rows: Row[],
  view: TreeRowsInput,
  node: FolderNode,
  siblings: { position: number; size: number },
): void {
  const { id, depth, children } = node;
  const open = view.expanded.has(id);
  rows.push({
    kind: "folder",
    key: folderKey(id),
    level: depth + 1,
    folderId: id,
    ...siblings,
    node,
    open,
  });
  if (!open) return;
  const level = depth + 2;
  const draft = view.draft?.parentId === id;
  if (draft) rows.push(createDraftRow(id, level));
  const size = children.length + node.lectures;
  children.forEach((child, index) => {
    addFolderRows(rows, view, child, { position: index + 1, size });
  });
  const loaded = view.getLoaded(id) ?? (node.lectures > 0 ? notLoaded : null);
  const lectures = loaded
    ? createLectureRows(loaded, level, id, { before: children.length, size })
    : [];
  rows.push(...lectures);
  if (size > 0 || draft || lectures.length > 0) return;
  rows.push({ kind: "empty", key: `empty ${id}`, level, folderId: id, position: null, size: null });
}

export interface SearchRowsInput extends TreeRowsInput {
  /** Trimmed, not empty. */
  query: string;
  found: LoadedLectures;
  /** Folders that the user has expanded or collapsed since the search began. */
  toggled: ReadonlySet<string>;
}

/** Folders shown in a search: those that match, those with matching lectures, and their ancestors. */
function findVisibleFolders({ tree, query, found }: SearchRowsInput): {
  fit: Set<string>;
  kept: Set<string>;
} {
  const part = query.toLowerCase();
  const fit = new Set<string>();
  for (const { id, name } of tree.byId.values()) if (name.toLowerCase().includes(part)) fit.add(id);
  const kept = new Set<string>();
  const holding = found.items.map(({ folderId }) => folderId);
  for (const start of [...fit, ...holding]) {
    let at = start === null ? undefined : tree.byId.get(start);
    while (at && !kept.has(at.id)) {
      kept.add(at.id);
      at = at.parentId === null ? undefined : tree.byId.get(at.parentId);
    }
  }
  return { fit, kept };
}

/**
 * The rows of a search: matching folders and lectures, inside the folders above them. A matching folder without
 * matching contents is collapsed, and shows all its contents when it is expanded.
 */
export function buildSearchRows(view: SearchRowsInput): Row[] {
  const { tree, found, toggled } = view;
  const { kept } = findVisibleFolders(view);
  const inFolder = new Map<string | null, LectureListItem[]>();
  for (const lecture of found.items) {
    const folderId =
      lecture.folderId !== null && tree.byId.has(lecture.folderId) ? lecture.folderId : null;
    inFolder.set(folderId, [...(inFolder.get(folderId) ?? []), lecture]);
  }
  const rows: Row[] = [];
  const unknownSiblings = { before: 0, size: null };
  const add = (node: FolderNode) => {
    const inside = node.children.filter(({ id }) => kept.has(id));
    const lectures = inFolder.get(node.id) ?? [];
    if (inside.length === 0 && lectures.length === 0) {
      // No match inside: shows all its contents when the user expands it.
      const siblings = { position: 0, size: 0 };
      const from = rows.length;
      addFolderRows(rows, { ...view, expanded: toggled }, node, siblings);
      const row = rows[from];
      if (row) rows[from] = { ...row, position: null, size: null };
      return;
    }
    const open = !toggled.has(node.id);
    rows.push({
      ...{ kind: "folder", key: folderKey(node.id), level: node.depth + 1, folderId: node.id },
      ...{ position: null, size: null, node, open },
    });
    if (!open) return;
    for (const child of inside) add(child);
    rows.push(
      ...createLectureRows(
        { items: lectures, remaining: "none" },
        node.depth + 2,
        node.id,
        unknownSiblings,
      ),
    );
  };
  for (const root of tree.roots) if (kept.has(root.id)) add(root);
  const uncategorized = inFolder.get(null) ?? [];
  if (uncategorized.length > 0) {
    const open = !toggled.has(uncategorizedId);
    rows.push({
      ...{
        kind: "uncategorized",
        key: uncategorizedKey,
        level: 1,
        folderId: null,
        position: null,
        size: null,
      },
      ...{ count: uncategorized.length, open },
    });
    if (open)
      rows.push(
        ...createLectureRows({ items: uncategorized, remaining: "none" }, 2, null, unknownSiblings),
      );
  }
  if (found.remaining !== "none") rows.push(createMoreRow("found", 1, found.remaining));
  return rows;
}

export const isFocusable = (row: Row): boolean =>
  row.kind === "folder" ||
  row.kind === "lecture" ||
  row.kind === "uncategorized" ||
  (row.kind === "more" && row.remaining === "failed");

/** The name shown in the row; empty for rows without a name. */
export function getRowName(row: Row): string {
  if (row.kind === "folder") return row.node.name;
  return row.kind === "lecture" ? row.lecture.title : "";
}
