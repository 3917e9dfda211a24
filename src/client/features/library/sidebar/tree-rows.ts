import type { InterfaceLanguage } from "#client/i18n/bundle.ts";
import {
  type FolderNode,
  type FolderTree,
  getPath,
  type MovableItem,
} from "#client/state/library/folder-tree.ts";
import { getListTitle, getPageTitle } from "#client/state/library/list-texts.ts";
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
  position?: number | undefined;
  size?: number | undefined;
}

export interface FolderRow extends RowBase {
  kind: "folder";
  item: MovableItem;
  node: FolderNode;
  open: boolean;
  canExpand: boolean;
}

export interface LectureRow extends RowBase {
  kind: "lecture";
  item: MovableItem;
  lecture: LectureListItem;
}

interface UncategorizedRow extends RowBase {
  kind: "uncategorized";
  count: number;
  open: boolean;
  canExpand: boolean;
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
  search: Search | null;
  /** Lectures have no rows: the tree chooses which of them another list shows. */
  foldersOnly?: boolean;
  /** Of the dates that drafts without words are called by. */
  language: InterfaceLanguage;
}

interface Search {
  /** Trimmed, not empty. */
  query: string;
  found: LoadedLectures;
}

/**
 * The rows of the tree. In a search: matching folders and lectures, inside the folders above them. A matching folder
 * without matching contents is collapsed, and shows all its contents when it is expanded.
 */
export function buildTreeRows({
  tree,
  expanded,
  getLoaded,
  draft,
  search,
  foldersOnly = false,
  language,
}: TreeRowsInput): Row[] {
  const matches = search && findMatches(tree, search);

  // The expansion of folders with matches is inverted: they are open until they are toggled.
  const isOpen = (node: FolderNode | null) =>
    expanded.has(node?.id ?? uncategorizedId) !== (matches?.areInside(node) ?? false);

  /** What is inside a folder, or (null) in no folder. `size`: of all, loaded or not; undefined if only matches are shown. */
  function getContents(node: FolderNode | null) {
    const id = node?.id ?? null;
    const folders = node?.children ?? [];
    if (foldersOnly) {
      const lectures: LoadedLectures = { items: [], remaining: "none" };
      return { folders: matches ? folders.filter(matches.isVisible) : folders, lectures };
    }
    if (matches?.areInside(node)) {
      const lectures: LoadedLectures = { items: matches.lectures.get(id) ?? [], remaining: "none" };
      return { folders: folders.filter(matches.isVisible), lectures };
    }
    const count = node?.lectures ?? tree.uncategorized;
    const unloaded: LoadedLectures = { items: [], remaining: count > 0 ? "more" : "none" };
    const lectures = getLoaded(id) ?? unloaded;
    // The count may be older than the list.
    const { length } = lectures.items;
    const size =
      folders.length + (lectures.remaining === "none" ? length : Math.max(count, length + 1));
    return { folders, lectures, size };
  }

  const createDraftRows = (folderId: string | null, level: number): Row[] =>
    draft?.parentId === folderId ? [{ kind: "draft", key: draftKey, level, folderId }] : [];

  /** The rows of sibling folders, each followed by those inside it, if it is expanded. */
  const createFolderRows = (nodes: readonly FolderNode[], size?: number): Row[] =>
    nodes.flatMap((node, index) => {
      const { id, name, parentId, depth } = node;
      const hasDraft = draft?.parentId === id;
      const canExpand = !foldersOnly || hasDraft || node.children.length > 0;
      const row: FolderRow = {
        kind: "folder",
        key: folderKey(id),
        level: depth + 1,
        folderId: id,
        node,
        open: canExpand && isOpen(node),
        canExpand,
        position: size && index + 1,
        size,
        item: { kind: "folder", id, name, from: parentId },
      };
      if (!row.open) return [row];
      const level = row.level + 1;
      const rows = [...createDraftRows(id, level), ...createContentRows(node, level)];
      if (rows.length === 0 && !foldersOnly)
        rows.push({ kind: "empty", key: `empty ${id}`, level, folderId: id });
      return [row, ...rows];
    });

  function createContentRows(node: FolderNode | null, level: number): Row[] {
    const folderId = node?.id ?? null;
    const { folders, lectures, size } = getContents(node);
    const rows = lectures.items.map((lecture, index): LectureRow => {
      const { id } = lecture;
      // A draft without words is told apart by its date, which nothing else shows here.
      const name = getListTitle(lecture) || getPageTitle(lecture, language);
      return {
        kind: "lecture",
        key: lectureKey(id),
        level,
        folderId,
        lecture,
        position: size && folders.length + index + 1,
        size,
        item: { kind: "lecture", id, name, from: lecture.folderId },
      };
    });
    const more = createMoreRows(folderId, level, lectures.remaining);
    return [...createFolderRows(folders, size), ...rows, ...more];
  }

  function createUncategorizedRows(count: number, size?: number): Row[] {
    const open = !foldersOnly && isOpen(null);
    const row: UncategorizedRow = {
      kind: "uncategorized",
      key: uncategorizedKey,
      level: 1,
      folderId: null,
      count,
      open,
      canExpand: !foldersOnly,
      position: size,
      size,
    };
    return open ? [row, ...createContentRows(null, 2)] : [row];
  }

  if (search && matches) {
    const uncategorized = matches.lectures.get(null);
    return [
      ...createFolderRows(tree.roots.filter(matches.isVisible)),
      ...(uncategorized ? createUncategorizedRows(uncategorized.length) : []),
      ...createMoreRows("found", 1, search.found.remaining),
    ];
  }
  const size = tree.roots.length + 1;
  return [
    ...createDraftRows(null, 1),
    ...createFolderRows(tree.roots, size),
    ...createUncategorizedRows(tree.uncategorized, size),
  ];
}

function findMatches(tree: FolderTree, { query, found }: Search) {
  const part = query.toLowerCase();
  const named = [...tree.byId.values()].filter(({ name }) => name.toLowerCase().includes(part));
  const ids = [...named.map(({ id }) => id), ...found.items.map(({ folderId }) => folderId)];
  const visible = new Set(ids.flatMap((id) => getPath(tree, id)));
  /** By folder; null: in no folder, or in an unknown one. */
  const lectures = Map.groupBy(found.items, ({ folderId }) =>
    folderId !== null && tree.byId.has(folderId) ? folderId : null,
  );
  /** Whether the folder matches, or something in it. */
  const isVisible = (node: FolderNode) => visible.has(node);
  const areInside = (node: FolderNode | null) =>
    lectures.has(node?.id ?? null) || node?.children.some(isVisible) === true;
  return { lectures, isVisible, areInside };
}

/** One row for the lectures of a list that are not loaded. */
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
