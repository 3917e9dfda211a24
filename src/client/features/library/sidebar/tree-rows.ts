import type { MovableItem } from "#client/state/library/folder-tree.ts";
import { type FolderNode, type FolderTree, getPath } from "#client/state/library/folder-tree.ts";
import { getListTitle } from "#client/state/library/list-texts.ts";
import type { LectureListItem } from "#shared/lecture.ts";

/** The loaded lectures of one folder. `remaining`: whether there are more, and their state. */
export interface LoadedLectures {
  items: readonly LectureListItem[];
  remaining: "none" | "more" | "loading" | "failed";
}

interface RowBase {
  /** Unique among the rows. */
  key: string;
  /** 1 at the top level. */
  level: number;
  /** The folder that the row belongs to and that receives what is dropped on it; null: no folder. */
  folderId: string | null;
  /** Position among its siblings, from 1, and their number; undefined if unknown. */
  position?: number;
  size?: number;
}

export interface FolderRow extends RowBase {
  kind: "folder";
  item: MovableItem;
  node: FolderNode;
  open: boolean;
}

interface LectureRow extends RowBase {
  kind: "lecture";
  item: MovableItem;
  lecture: LectureListItem;
}

interface UncategorizedRow extends RowBase {
  kind: "uncategorized";
  count: number;
  open: boolean;
}

/** Stands for the lectures that are not loaded. `source`: the list whose next page it stands for. */
export interface MoreRow extends RowBase {
  kind: "more";
  source: string | null | "found";
  remaining: Exclude<LoadedLectures["remaining"], "none">;
}

/** `draft`: the name field of a new folder. */
interface OtherRow extends RowBase {
  kind: "empty" | "draft";
}

export type ItemRow = FolderRow | LectureRow;
export type GroupRow = FolderRow | UncategorizedRow;
export type Row = FolderRow | LectureRow | UncategorizedRow | MoreRow | OtherRow;

export const isItem = (row: Row): row is ItemRow => row.kind === "folder" || row.kind === "lecture";

export const isGroup = (row: Row): row is GroupRow =>
  row.kind === "folder" || row.kind === "uncategorized";

export const isFocusable = (row: Row): boolean =>
  isItem(row) || isGroup(row) || (row.kind === "more" && row.remaining === "failed");

/** The section of lectures without a folder, among the ids of expanded folders. Stored on devices. */
export const uncategorizedId = "loose";

export const getGroupId = ({ folderId }: GroupRow): string => folderId ?? uncategorizedId;

export const folderKey = (id: string) => `folder ${id}`;
export const lectureKey = (id: string) => `lecture ${id}`;
export const uncategorizedKey = "uncategorized";
export const draftKey = "draft";

export interface TreeRowsInput {
  tree: FolderTree;
  /** Ids of the expanded folders, or in a search of those toggled since it began; may contain `uncategorizedId`. */
  expanded: ReadonlySet<string>;
  /** The loaded lectures of a folder (null: of no folder); null before the first request. */
  getLoaded: (folderId: string | null) => LoadedLectures | null;
  draft: { parentId: string | null } | null;
}

/** The lectures of a folder that holds `count`. */
function getLectures(input: TreeRowsInput, folderId: string | null, count: number): LoadedLectures {
  return input.getLoaded(folderId) ?? { items: [], remaining: count > 0 ? "more" : "none" };
}

/** Rows for the lectures of one folder, and one row for those that are not loaded. */
function createLectureRows(
  { items, remaining }: LoadedLectures,
  level: number,
  folderId: string | null,
  siblings?: { before: number; size: number },
): Row[] {
  const rows = items.map(
    (lecture, index): Row => ({
      kind: "lecture",
      key: lectureKey(lecture.id),
      level,
      folderId,
      // A draft without words is told apart by its date, which nothing else shows here.
      item: {
        ...{ kind: "lecture", id: lecture.id, from: lecture.folderId },
        name: getListTitle(lecture) || lecture.title,
      },
      lecture,
      ...(siblings && { position: siblings.before + index + 1, size: siblings.size }),
    }),
  );
  if (remaining !== "none") rows.push(createMoreRow(folderId, level, remaining));
  return rows;
}

const createMoreRow = (
  source: MoreRow["source"],
  level: number,
  remaining: MoreRow["remaining"],
): MoreRow => ({
  kind: "more",
  key: `more ${source ?? uncategorizedId}`,
  level,
  folderId: source === "found" ? null : source,
  source,
  remaining,
});

const createDraftRow = (folderId: string | null, level: number): Row => ({
  kind: "draft",
  key: draftKey,
  level,
  folderId,
});

const createFolderRow = (node: FolderNode, open: boolean): FolderRow => ({
  kind: "folder",
  key: folderKey(node.id),
  level: node.depth + 1,
  folderId: node.id,
  item: { kind: "folder", id: node.id, name: node.name, from: node.parentId },
  node,
  open,
});

const createUncategorizedRow = (count: number, open: boolean): UncategorizedRow => ({
  kind: "uncategorized",
  key: uncategorizedKey,
  level: 1,
  folderId: null,
  count,
  open,
});

export function buildTreeRows(input: TreeRowsInput): Row[] {
  const { tree, draft, expanded } = input;
  const rows: Row[] = draft?.parentId === null ? [createDraftRow(null, 1)] : [];
  const size = tree.roots.length + 1;
  tree.roots.forEach((node, index) => {
    rows.push(...createFolderRows(input, node, { position: index + 1, size }));
  });
  const count = tree.uncategorized;
  const open = expanded.has(uncategorizedId);
  rows.push({ ...createUncategorizedRow(count, open), position: size, size });
  if (open) {
    const lectures = getLectures(input, null, count);
    rows.push(...createLectureRows(lectures, 2, null, { before: 0, size: count }));
  }
  return rows;
}

/** The row of a folder and, if it is expanded, the rows inside it. */
function createFolderRows(
  input: TreeRowsInput,
  node: FolderNode,
  siblings: Pick<RowBase, "position" | "size">,
): Row[] {
  const { id, children, depth } = node;
  const open = input.expanded.has(id);
  const rows: Row[] = [{ ...createFolderRow(node, open), ...siblings }];
  if (!open) return rows;
  const level = depth + 2;
  const size = children.length + node.lectures;
  if (input.draft?.parentId === id) rows.push(createDraftRow(id, level));
  children.forEach((child, index) => {
    rows.push(...createFolderRows(input, child, { position: index + 1, size }));
  });
  const lectures = getLectures(input, id, node.lectures);
  rows.push(...createLectureRows(lectures, level, id, { before: children.length, size }));
  if (size === 0 && rows.length === 1)
    rows.push({ kind: "empty", key: `empty ${id}`, level, folderId: id });
  return rows;
}

export interface SearchRowsInput extends TreeRowsInput {
  /** Trimmed, not empty. */
  query: string;
  found: LoadedLectures;
}

/** Ids of the folders shown in a search: those that match, those with matching lectures, and their ancestors. */
function findVisibleFolders({ tree, query, found }: SearchRowsInput): ReadonlySet<string> {
  const part = query.toLowerCase();
  const matches = [...tree.byId.values()].filter(({ name }) => name.toLowerCase().includes(part));
  const ids = [...matches.map(({ id }) => id), ...found.items.map(({ folderId }) => folderId)];
  return new Set(ids.flatMap((id) => getPath(tree, id).map((node) => node.id)));
}

/**
 * The rows of a search: matching folders and lectures, inside the folders above them. A matching folder without
 * matching contents is collapsed, and shows all its contents when it is expanded.
 */
export function buildSearchRows(input: SearchRowsInput): Row[] {
  const { tree, found, expanded: toggled } = input;
  const visible = findVisibleFolders(input);
  const lecturesByFolder = Map.groupBy(found.items, ({ folderId }) =>
    folderId !== null && tree.byId.has(folderId) ? folderId : null,
  );
  const createRows = (node: FolderNode): Row[] => {
    const children = node.children.filter(({ id }) => visible.has(id));
    const lectures = lecturesByFolder.get(node.id) ?? [];
    if (children.length === 0 && lectures.length === 0) return createFolderRows(input, node, {});
    const open = !toggled.has(node.id);
    const row = createFolderRow(node, open);
    if (!open) return [row];
    const list: LoadedLectures = { items: lectures, remaining: "none" };
    return [
      row,
      ...children.flatMap(createRows),
      ...createLectureRows(list, row.level + 1, node.id),
    ];
  };
  const rows = tree.roots.filter(({ id }) => visible.has(id)).flatMap(createRows);
  const uncategorized = lecturesByFolder.get(null);
  if (uncategorized) {
    const open = !toggled.has(uncategorizedId);
    rows.push(createUncategorizedRow(uncategorized.length, open));
    if (open) rows.push(...createLectureRows({ items: uncategorized, remaining: "none" }, 2, null));
  }
  if (found.remaining !== "none") rows.push(createMoreRow("found", 1, found.remaining));
  return rows;
}
