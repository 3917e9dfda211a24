import { useRef, useState } from "react";
import { Signal } from "#client/lib/observable.ts";
import { createFolder, moveFolder, renameFolder } from "#client/state/library/folder-actions.ts";
import {
  canMove,
  type FolderNode,
  type FolderTree,
  type MovableItem,
} from "#client/state/library/folder-tree.ts";
import { moveLecture, renameLecture } from "#client/state/library/lecture-actions.ts";
import type { ExportTarget } from "#client/state/library/lecture-dialogs.ts";
import { canOpen } from "#client/state/offline.ts";
import type { LectureListItem } from "#shared/lecture.ts";
import { setExpanded } from "./expanded-folders.ts";
import type { KeyCommand } from "./keyboard.ts";
import { t } from "./messages/index.ts";
import {
  folderKey,
  type GroupRow,
  getGroupId,
  type ItemRow,
  isGroup,
  isItem,
  type Row,
} from "./tree-rows.ts";
import type { TreeRows } from "./use-tree-rows.ts";

export type TreeDialog =
  | { kind: "deleteLecture"; lecture: LectureListItem }
  | { kind: "deleteFolder"; node: FolderNode }
  | { kind: "deleteAll"; lectures: number }
  | { kind: "move"; moved: MovableItem }
  | { kind: "export"; target: ExportTarget }
  | { kind: "import"; folderId: string | null };

export const isRowDialog = ({ kind }: TreeDialog): boolean =>
  kind !== "deleteAll" && kind !== "import";

/** Where a menu opens: at a button, or at the pointer. */
export type Anchor = Element | { x: number; y: number };

export interface TreeState {
  /** Key of the row that has the focus or had it last; null at first. */
  activeKey: string | null;
  editingKey: string | null;
  draft: { parentId: string | null } | null;
  /** Cut, and not pasted yet. */
  cutItem: MovableItem | null;
  menu: { key: string; anchor: Anchor } | null;
  dialog: TreeDialog | null;
}

export const initialState: TreeState = {
  activeKey: null,
  editingKey: null,
  draft: null,
  cutItem: null,
  menu: null,
  dialog: null,
};

/** The last change of the tree, as screen readers announce it. */
export const announcement = new Signal("");

export const announce = (text: string): void => announcement.set(text);

/** What the folder that `item` goes to is called; `folderId` null: the top level, or no folder. */
export function getPlaceName(tree: FolderTree, item: MovableItem, folderId: string | null): string {
  if (folderId !== null) return tree.byId.get(folderId)?.name ?? "";
  return t(item.kind === "folder" ? "tree.topLevel" : "tree.uncategorized");
}

interface TreeCommandContext {
  tree: FolderTree;
  rows: TreeRows;
  state: TreeState;
  change: (change: Partial<TreeState>) => void;
  /** Focuses row `key` as soon as it is rendered. */
  focus: (key: string) => void;
  clearSearch: () => void;
  onOpen: (id: string) => void;
  /** In a tree of folders alone: shows the lectures of a folder; null: of none. */
  onChoose?: ((folderId: string | null) => void) | undefined;
}

/** What the user can do in the tree, by pointer, menu or keyboard. The functions keep their identity. */
export function useTreeCommands(context: TreeCommandContext): TreeCommands {
  const latest = useRef(context);
  latest.current = context;
  const [commands] = useState(() => createTreeCommands(() => latest.current));
  return commands;
}

export type TreeCommands = ReturnType<typeof createTreeCommands>;

function createTreeCommands(getContext: () => TreeCommandContext) {
  const change = (part: Partial<TreeState>): void => getContext().change(part);
  const openDialog = (dialog: TreeDialog): void => change({ dialog });

  function activate(row: Row): void {
    change({ activeKey: row.key });
    if (row.kind === "lecture" && !canOpen(row.lecture.id)) return;
    if (row.kind === "lecture") getContext().onOpen(row.lecture.id);
    else if (row.kind === "more") getContext().rows.loadMore(row);
    else if (isGroup(row)) choose(row);
  }

  function choose(row: GroupRow): void {
    const { onChoose } = getContext();
    if (onChoose) onChoose(row.folderId);
    else toggle(row);
  }

  function toggle(row: Row): void {
    if (isGroup(row) && row.canExpand) getContext().rows.setExpanded([getGroupId(row)], !row.open);
  }

  const rename = ({ key }: Row): void => change({ activeKey: key, editingKey: key });

  /** Ends the editing of a name; `name` null: unchanged. `returnFocus`: focuses the row. */
  function finishRename({ key, item }: ItemRow, name: string | null, returnFocus: boolean): void {
    change({ editingKey: null });
    const renameItem = item.kind === "folder" ? renameFolder : renameLecture;
    if (name !== null) void renameItem(item.id, name);
    if (returnFocus) getContext().focus(key);
  }

  function addFolder(parentId: string | null): void {
    getContext().clearSearch();
    if (parentId !== null) setExpanded([parentId], true);
    change({ draft: { parentId }, editingKey: null });
  }

  /** As `finishRename`, for a new folder. */
  function finishDraft(name: string | null, returnFocus: boolean): void {
    const { focus, state } = getContext();
    const parentId = state.draft?.parentId ?? null;
    change({ draft: null });
    const id = name === null ? parentId : createFolder(parentId, name);
    const key = id === null ? state.activeKey : folderKey(id);
    if (returnFocus && key !== null) focus(key);
  }

  function openDeleteDialog(row: Row): void {
    if (row.kind === "lecture") openDialog({ kind: "deleteLecture", lecture: row.lecture });
    if (row.kind === "folder") openDialog({ kind: "deleteFolder", node: row.node });
  }

  const openMenu = ({ key }: Row, anchor: Anchor): void =>
    change({ activeKey: key, menu: { key, anchor } });

  function move(item: MovableItem, folderId: string | null): void {
    const { tree, state } = getContext();
    if (state.cutItem?.id === item.id) change({ cutItem: null });
    if (!canMove(tree, item, folderId)) {
      announce(t("tree.announce.noPlace", { name: item.name }));
      return;
    }
    const place = getPlaceName(tree, item, folderId);
    const moveItem = item.kind === "folder" ? moveFolder : moveLecture;
    void moveItem(item.id, folderId).then((moved) => {
      if (moved) announce(t("tree.announce.moved", { name: item.name, place }));
    });
  }

  /** Executes the command of a key on `row`, which `element` shows. Returns false if it has no effect. */
  function execute(command: KeyCommand, row: Row, element: Element): boolean {
    const { rows, focus, state } = getContext();
    switch (command.type) {
      case "focus":
        focus(command.key);
        return true;
      case "open":
      case "close":
        rows.setExpanded(command.ids, command.type === "open");
        return true;
      case "activate":
        activate(row);
        return true;
      case "rename":
        rename(row);
        return true;
      case "remove":
        openDeleteDialog(row);
        return true;
      case "menu":
        openMenu(row, element);
        return true;
      case "cut":
        if (!isItem(row)) return false;
        change({ cutItem: row.item });
        announce(t("tree.announce.cut", { name: row.item.name }));
        return true;
      case "paste":
        if (state.cutItem === null) return false;
        // A folder pasted on the section of lectures without a folder goes to the top level.
        move(state.cutItem, row.folderId);
        return true;
      case "cancel":
        if (state.cutItem === null) return false;
        change({ cutItem: null });
        announce(t("tree.announce.kept", { name: state.cutItem.name }));
        return true;
    }
  }

  return {
    focus: (key: string): void => getContext().focus(key),
    /** Called when row `key` got the focus; null: no row has it. */
    setActive: (key: string | null): void => change({ activeKey: key }),
    activate,
    toggle,
    rename,
    finishRename,
    addFolder,
    finishDraft,
    openDeleteDialog,
    openMenu,
    closeMenu: (): void => change({ menu: null }),
    openDialog,
    closeDialog: (): void => change({ dialog: null }),
    move,
    execute,
  };
}
