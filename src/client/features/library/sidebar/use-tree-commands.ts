import { useRef } from "react";
import { createFolder, moveFolder, renameFolder } from "#client/state/library/folder-actions.ts";
import type { FolderTree } from "#client/state/library/folder-tree.ts";
import { moveLecture, renameLecture } from "#client/state/library/lecture-actions.ts";
import { canMove, type MovableItem } from "#client/state/library/move-targets.ts";
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
  /** Focuses row `key` as soon as it is rendered. */
  focus: (key: string) => void;
  clearSearch: () => void;
  onOpen: (id: string) => void;
}

/** What the user can do in the tree, by pointer, menu or keyboard. The functions keep their identity. */
export interface TreeCommands {
  focus(key: string): void;
  /** Called when row `key` got the focus; null: no row has it. */
  setActive(key: string | null): void;
  activate(row: Row): void;
  toggle(row: Row): void;
  rename(row: Row): void;
  /** Ends the editing of a name; `name` null: unchanged. `returnFocus`: focuses the row. */
  finishRename(row: Row, name: string | null, returnFocus: boolean): void;
  addFolder(parentId: string | null): void;
  /** As `finishRename`, for a new folder. */
  finishDraft(name: string | null, returnFocus: boolean): void;
  openDeleteDialog(row: Row): void;
  openMenu(row: Row, anchor: Anchor): void;
  closeMenu(): void;
  openDialog(dialog: TreeDialog): void;
  closeDialog(): void;
  move(item: MovableItem, folderId: string | null): void;
  /** Executes a key command. Returns false if it has no effect. */
  execute(command: KeyCommand, getAnchor: (key: string) => Element | null): boolean;
}

export function useTreeCommands(context: TreeCommandContext): TreeCommands {
  const t = useT();
  const latest = useRef({ ...context, t });
  latest.current = { ...context, t };
  const commands = useRef<TreeCommands | null>(null);
  commands.current ??= createTreeCommands(() => latest.current);
  return commands.current;
}

function createTreeCommands(
  getContext: () => TreeCommandContext & { t: ReturnType<typeof useT> },
): TreeCommands {
  const findRow = (key: string) => getContext().rows.rows.find((row) => row.key === key);

  function getTargetName(item: MovableItem, folderId: string | null): string {
    const { t, tree } = getContext();
    if (folderId !== null) return tree.byId.get(folderId)?.name ?? "";
    return t(item.kind === "folder" ? "tree.topLevel" : "tree.uncategorized");
  }

  const commands: TreeCommands = {
    focus: (key) => getContext().focus(key),
    setActive: (active) => getContext().change({ activeKey: active }),

    activate(row) {
      const { change, onOpen, rows } = getContext();
      change({ activeKey: row.key });
      if (row.kind === "lecture") onOpen(row.lecture.id);
      else if (row.kind === "more") rows.more(row);
      else commands.toggle(row);
    },

    toggle(row) {
      const { rows } = getContext();
      if (row.kind === "folder") rows.setOpen([row.node.id], !row.open);
      if (row.kind === "uncategorized") rows.setOpen([uncategorizedId], !row.open);
    },

    rename: (row) => getContext().change({ activeKey: row.key, editingKey: row.key }),

    finishRename(row, name, returnFocus) {
      const { change, focus } = getContext();
      change({ editingKey: null });
      if (name !== null && row.kind === "folder") void renameFolder(row.node.id, name);
      if (name !== null && row.kind === "lecture") void renameLecture(row.lecture.id, name);
      if (returnFocus) focus(row.key);
    },

    addFolder(parentId) {
      const { change, clearSearch } = getContext();
      clearSearch();
      if (parentId !== null) setExpanded([parentId], true);
      change({ draft: { parentId }, editingKey: null });
    },

    finishDraft(name, returnFocus) {
      const { change, focus, state } = getContext();
      const parentId = state.draft?.parentId ?? null;
      change({ draft: null });
      const id = name === null ? null : createFolder(parentId, name);
      if (!returnFocus) return;
      if (id !== null) focus(folderKey(id));
      else if (parentId !== null) focus(folderKey(parentId));
      else if (state.activeKey !== null) focus(state.activeKey);
    },

    openDeleteDialog(row) {
      if (row.kind === "lecture")
        commands.openDialog({ kind: "deleteLecture", lecture: row.lecture });
      if (row.kind === "folder") commands.openDialog({ kind: "deleteFolder", node: row.node });
    },

    openMenu: (row, anchor) =>
      getContext().change({ activeKey: row.key, menu: { key: row.key, anchor } }),
    closeMenu: () => getContext().change({ menu: null }),
    openDialog: (dialog) => getContext().change({ dialog }),
    closeDialog: () => getContext().change({ dialog: null }),

    move(item, folderId) {
      const { t, tree, change, state } = getContext();
      if (state.cutItem?.id === item.id) change({ cutItem: null });
      if (!canMove(tree, item, folderId)) {
        announce(t("tree.announce.noPlace", { name: item.name }));
        return;
      }
      const target = getTargetName(item, folderId);
      const sent =
        item.kind === "folder" ? moveFolder(item.id, folderId) : moveLecture(item.id, folderId);
      void sent.then((done) => {
        if (done) announce(t("tree.announce.moved", { name: item.name, place: target }));
      });
    },

    execute(command, getAnchor) {
      const { t, rows, state, change } = getContext();
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
          const anchor = getAnchor(row.key);
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
          // A folder pasted on the section of lectures without a folder goes to the top level.
          commands.move(state.cutItem, row.folderId);
          return true;
        }
      }
    },
  };
  return commands;
}
