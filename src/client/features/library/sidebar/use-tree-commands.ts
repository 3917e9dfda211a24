import { useRef } from "react";
import type { FolderTree } from "#client/state/library/folder-tree.ts";
import { canMove, type MovableItem } from "#client/state/library/move-targets.ts";
import { useFolderActions, useLectureActions } from "#client/state/library/use-library.ts";
import { announce } from "./announcer.tsx";
import { toMovableItem } from "./drop-target.ts";
import { setExpanded } from "./expanded-folders.ts";
import type { KeyCommand } from "./keyboard.ts";
import { useT } from "./messages/index.ts";
import { folderKey, type Row, uncategorizedId } from "./tree-rows.ts";
import type { Anchor, TreeDialog, TreeState } from "./tree-state.ts";
import type { TreeRows } from "./use-tree-rows.ts";

interface TreeCommandContext {
  tree: FolderTree;
  rows: TreeRows;
  state: TreeState;
  change: (change: Partial<TreeState>) => void;
  /** Gives row `key` the focus, as soon as it is there. */
  focus: (key: string) => void;
  clearSearch: () => void;
  onOpen: (id: string) => void;
}

/** What can be done in the tree, by whatever means. The functions stay the same. */
export interface TreeCommands {
  focus(key: string): void;
  /** Row `key` has the focus now; null: no row has it. */
  setActive(key: string | null): void;
  activate(row: Row): void;
  toggle(row: Row): void;
  rename(row: Row): void;
  /** The row is called `name` now; null: as before. `back`: the focus returns to the row. */
  finishRename(row: Row, name: string | null, back: boolean): void;
  addFolder(parentId: string | null): void;
  /** As `named`, of the folder that was being made. */
  finishDraft(name: string | null, back: boolean): void;
  openDeleteDialog(row: Row): void;
  openMenu(row: Row, anchor: Anchor): void;
  closeMenu(): void;
  openDialog(asked: TreeDialog | null): void;
  move(moved: MovableItem, folderId: string | null): void;
  /** Follows a key press. False where it means nothing here. */
  execute(command: KeyCommand, anchorOf: (key: string) => Element | null): boolean;
}

export function useTreeCommands(given: TreeCommandContext): TreeCommands {
  const t = useT();
  const lectures = useLectureActions();
  const folders = useFolderActions();
  const latest = useRef({ ...given, t });
  latest.current = { ...given, t };
  const made = useRef<TreeCommands | null>(null);
  made.current ??= createTreeCommands(() => latest.current, lectures, folders);
  return made.current;
}

function createTreeCommands(
  now: () => TreeCommandContext & { t: ReturnType<typeof useT> },
  lectures: ReturnType<typeof useLectureActions>,
  folders: ReturnType<typeof useFolderActions>,
): TreeCommands {
  const findRow = (key: string) => now().rows.rows.find((row) => row.key === key);

  function getTargetName(moved: MovableItem, folderId: string | null): string {
    const { t, tree } = now();
    if (folderId !== null) return tree.byId.get(folderId)?.name ?? "";
    return t(moved.kind === "folder" ? "tree.topLevel" : "tree.uncategorized");
  }

  const commands: TreeCommands = {
    focus: (key) => now().focus(key),
    setActive: (active) => now().change({ activeKey: active }),

    activate(row) {
      const { change, onOpen, rows } = now();
      change({ activeKey: row.key });
      if (row.kind === "lecture") onOpen(row.lecture.id);
      else if (row.kind === "more") rows.more(row);
      else commands.toggle(row);
    },

    toggle(row) {
      const { rows } = now();
      if (row.kind === "folder") rows.setOpen([row.node.id], !row.open);
      if (row.kind === "uncategorized") rows.setOpen([uncategorizedId], !row.open);
    },

    rename: (row) => now().change({ activeKey: row.key, editingKey: row.key }),

    finishRename(row, name, back) {
      const { change, focus } = now();
      change({ editingKey: null });
      if (name !== null && row.kind === "folder") void folders.rename(row.node.id, name);
      if (name !== null && row.kind === "lecture") void lectures.rename(row.lecture.id, name);
      if (back) focus(row.key);
    },

    addFolder(parentId) {
      const { change, clearSearch } = now();
      clearSearch();
      if (parentId !== null) setExpanded([parentId], true);
      change({ draft: { parentId }, editingKey: null });
    },

    finishDraft(name, back) {
      const { change, focus, state } = now();
      const parentId = state.draft?.parentId ?? null;
      change({ draft: null });
      const id = name === null ? null : folders.create(parentId, name);
      if (!back) return;
      if (id !== null) focus(folderKey(id));
      else if (parentId !== null) focus(folderKey(parentId));
      else if (state.activeKey !== null) focus(state.activeKey);
    },

    openDeleteDialog(row) {
      if (row.kind === "lecture")
        commands.openDialog({ kind: "deleteLecture", lecture: row.lecture });
      if (row.kind === "folder") commands.openDialog({ kind: "deleteFolder", node: row.node });
    },

    openMenu: (row, anchor) => now().change({ activeKey: row.key, menu: { key: row.key, anchor } }),
    closeMenu: () => now().change({ menu: null }),
    openDialog: (asked) => now().change({ dialog: asked }),

    move(moved, folderId) {
      const { t, tree, change, state } = now();
      if (state.cutItem?.id === moved.id) change({ cutItem: null });
      if (!canMove(tree, moved, folderId)) {
        announce(t("tree.announce.noPlace", { name: moved.name }));
        return;
      }
      const place = getTargetName(moved, folderId);
      const sent =
        moved.kind === "folder"
          ? folders.move(moved.id, folderId)
          : lectures.move(moved.id, folderId);
      void sent.then((done) => {
        if (done) announce(t("tree.announce.moved", { name: moved.name, place }));
      });
    },

    execute(command, anchorOf) {
      const { t, rows, state, change } = now();
      switch (command.type) {
        case "focus":
          commands.focus(command.key);
          return true;
        case "open":
        case "close":
          rows.setOpen(command.ids, command.type === "open");
          return true;
        case "cancel": {
          if (state.cutItem === null) return false;
          change({ cutItem: null });
          announce(t("tree.announce.kept", { name: state.cutItem.name }));
          return true;
        }
        default:
          break;
      }
      const row = findRow(command.key);
      if (!row) return false;
      switch (command.type) {
        case "activate":
          commands.activate(row);
          return true;
        case "rename":
          commands.rename(row);
          return true;
        case "remove":
          commands.openDeleteDialog(row);
          return true;
        case "menu": {
          const anchor = anchorOf(row.key);
          if (anchor) commands.openMenu(row, anchor);
          return true;
        }
        case "cut": {
          const cut = toMovableItem(row);
          change({ cutItem: cut });
          if (cut) announce(t("tree.announce.cut", { name: cut.name }));
          return true;
        }
        case "paste": {
          if (state.cutItem === null) return false;
          // A folder on the section of loose lectures goes to the top.
          commands.move(state.cutItem, row.folderId);
          return true;
        }
      }
    },
  };
  return commands;
}
