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

/** What is shown inside the folders, and inside the section of lectures without a folder. */
interface View {
  isOpen: (id: string) => boolean;
  getFolders: (node: FolderNode) => readonly FolderNode[];
  /** The lectures of a folder that holds `count`. */
  getLectures: (folderId: string | null, count: number) => LoadedLectures;
  /** Whether all contents are shown, so that each has a known position. */
  isComplete: (folderId: string | null) => boolean;
  draft: TreeRowsInput["draft"];
}

const createTreeView = ({ expanded, getLoaded, draft }: TreeRowsInput): View => ({
  isOpen: (id) => expanded.has(id),
  getFolders: ({ children }) => children,
  getLectures: (folderId, count) =>
    getLoaded(folderId) ?? { items: [], remaining: count > 0 ? "more" : "none" },
  isComplete: () => true,
  draft,
});

export function buildTreeRows(input: TreeRowsInput): Row[] {
  const { roots, uncategorized } = input.tree;
  const view = createTreeView(input);
  const size = roots.length + 1;
  return [
    ...createDraftRows(view, null, 1),
    ...roots.flatMap((node, index) => createFolderRows(view, node, { position: index + 1, size })),
    ...createUncategorizedRows(view, uncategorized, { position: size, size }),
  ];
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
  const { tree, found } = input;
  const view = createTreeView(input);
  const visible = findVisibleFolders(input);
  const isVisible = ({ id }: FolderNode) => visible.has(id);
  const lectures = Map.groupBy(found.items, ({ folderId }) =>
    folderId !== null && tree.byId.has(folderId) ? folderId : null,
  );
  const hasMatches = (id: string | null) =>
    lectures.has(id) || (id !== null && tree.byId.get(id)?.children.some(isVisible) === true);
  const searchView: View = {
    ...view,
    // The expansion of folders with matches is inverted: they are open until they are toggled.
    isOpen: (id) => view.isOpen(id) !== hasMatches(id === uncategorizedId ? null : id),
    getFolders: (node) => (hasMatches(node.id) ? node.children.filter(isVisible) : node.children),
    getLectures: (id, count) =>
      hasMatches(id)
        ? { items: lectures.get(id) ?? [], remaining: "none" }
        : view.getLectures(id, count),
    isComplete: (id) => !hasMatches(id),
  };
  const uncategorized = lectures.get(null);
  return [
    ...tree.roots.filter(isVisible).flatMap((node) => createFolderRows(searchView, node)),
    ...(uncategorized ? createUncategorizedRows(searchView, uncategorized.length) : []),
    ...createMoreRows("found", 1, found.remaining),
  ];
}

type Place = Pick<RowBase, "position" | "size">;

/** The row of a folder and, if it is expanded, the rows inside it. */
function createFolderRows(view: View, node: FolderNode, place: Place = {}): Row[] {
  const { id, name, parentId, depth, children } = node;
  const row: FolderRow = {
    ...{ kind: "folder", key: folderKey(id), level: depth + 1, folderId: id, ...place },
    item: { kind: "folder", id, name, from: parentId },
    ...{ node, open: view.isOpen(id) },
  };
  if (!row.open) return [row];
  const level = row.level + 1;
  const size = children.length + node.lectures;
  const rows = [
    ...createDraftRows(view, id, level),
    ...view
      .getFolders(node)
      .flatMap((child, index) =>
        createFolderRows(view, child, view.isComplete(id) ? { position: index + 1, size } : {}),
      ),
    ...createLectureRows(view, id, level, { count: node.lectures, before: children.length }),
  ];
  if (rows.length === 0) rows.push({ kind: "empty", key: `empty ${id}`, level, folderId: id });
  return [row, ...rows];
}

function createUncategorizedRows(view: View, count: number, place: Place = {}): Row[] {
  const open = view.isOpen(uncategorizedId);
  const row: UncategorizedRow = {
    ...{ kind: "uncategorized", key: uncategorizedKey, level: 1, folderId: null, ...place },
    ...{ count, open },
  };
  return open ? [row, ...createLectureRows(view, null, 2, { count, before: 0 })] : [row];
}

/** Rows for the lectures of one folder, and one row for those that are not loaded. `before`: number of its subfolders. */
function createLectureRows(
  view: View,
  folderId: string | null,
  level: number,
  { count, before }: { count: number; before: number },
): Row[] {
  const { items, remaining } = view.getLectures(folderId, count);
  const rows = items.map((lecture, index): LectureRow => {
    const { id } = lecture;
    // A draft without words is told apart by its date, which nothing else shows here.
    const name = getListTitle(lecture) || lecture.title;
    return {
      ...{ kind: "lecture", key: lectureKey(id), level, folderId, lecture },
      item: { kind: "lecture", id, name, from: lecture.folderId },
      ...(view.isComplete(folderId) && { position: before + index + 1, size: before + count }),
    };
  });
  return [...rows, ...createMoreRows(folderId, level, remaining)];
}

function createMoreRows(
  source: MoreRow["source"],
  level: number,
  remaining: LoadedLectures["remaining"],
): MoreRow[] {
  if (remaining === "none") return [];
  const folderId = source === "found" ? null : source;
  return [
    { kind: "more", key: `more ${source ?? uncategorizedId}`, level, folderId, source, remaining },
  ];
}

const createDraftRows = ({ draft }: View, folderId: string | null, level: number): Row[] =>
  draft?.parentId === folderId ? [{ kind: "draft", key: draftKey, level, folderId }] : [];
