import { useRef } from "react";
import type { FolderTree } from "#client/state/library/folder-tree.ts";
import { type Movable, mayGo } from "#client/state/library/move-targets.ts";
import { useFolderActions, useLectureActions } from "#client/state/library/use-library.ts";
import { announce } from "./announcer.tsx";
import { movableOf } from "./drop-target.ts";
import { setOpen } from "./expanded-folders.ts";
import type { Command } from "./keyboard.ts";
import { useT } from "./messages/index.ts";
import { folderKey, looseId, type Row } from "./tree-rows.ts";
import type { Anchor, Asked, TreeState } from "./tree-state.ts";
import type { TreeRows } from "./use-tree-rows.ts";

interface Given {
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
export interface Commands {
  focus(key: string): void;
  /** Row `key` has the focus now; null: no row has it. */
  reached(key: string | null): void;
  activate(row: Row): void;
  toggle(row: Row): void;
  rename(row: Row): void;
  /** The row is called `name` now; null: as before. `back`: the focus returns to the row. */
  named(row: Row, name: string | null, back: boolean): void;
  addFolder(parentId: string | null): void;
  /** As `named`, of the folder that was being made. */
  draftNamed(name: string | null, back: boolean): void;
  askToRemove(row: Row): void;
  openMenu(row: Row, anchor: Anchor): void;
  closeMenu(): void;
  ask(asked: Asked | null): void;
  move(moved: Movable, folderId: string | null): void;
  /** Follows a key press. False where it means nothing here. */
  follow(command: Command, anchorOf: (key: string) => Element | null): boolean;
}

export function useCommands(given: Given): Commands {
  const t = useT();
  const lectures = useLectureActions();
  const folders = useFolderActions();
  const latest = useRef({ ...given, t });
  latest.current = { ...given, t };
  const made = useRef<Commands | null>(null);
  made.current ??= makeCommands(() => latest.current, lectures, folders);
  return made.current;
}

function makeCommands(
  now: () => Given & { t: ReturnType<typeof useT> },
  lectures: ReturnType<typeof useLectureActions>,
  folders: ReturnType<typeof useFolderActions>,
): Commands {
  const rowOf = (key: string) => now().rows.rows.find((row) => row.key === key);

  function placeName(moved: Movable, folderId: string | null): string {
    const { t, tree } = now();
    if (folderId !== null) return tree.byId.get(folderId)?.name ?? "";
    return t(moved.kind === "folder" ? "tree.topLevel" : "tree.uncategorized");
  }

  const commands: Commands = {
    focus: (key) => now().focus(key),
    reached: (active) => now().change({ active }),

    activate(row) {
      const { change, onOpen, rows } = now();
      change({ active: row.key });
      if (row.kind === "lecture") onOpen(row.lecture.id);
      else if (row.kind === "more") rows.more(row);
      else commands.toggle(row);
    },

    toggle(row) {
      const { rows } = now();
      if (row.kind === "folder") rows.setOpen([row.node.id], !row.open);
      if (row.kind === "loose") rows.setOpen([looseId], !row.open);
    },

    rename: (row) => now().change({ active: row.key, editing: row.key }),

    named(row, name, back) {
      const { change, focus } = now();
      change({ editing: null });
      if (name !== null && row.kind === "folder") void folders.rename(row.node.id, name);
      if (name !== null && row.kind === "lecture") void lectures.rename(row.lecture.id, name);
      if (back) focus(row.key);
    },

    addFolder(parentId) {
      const { change, clearSearch } = now();
      clearSearch();
      if (parentId !== null) setOpen([parentId], true);
      change({ draft: { parentId }, editing: null });
    },

    draftNamed(name, back) {
      const { change, focus, state } = now();
      const parentId = state.draft?.parentId ?? null;
      change({ draft: null });
      const id = name === null ? null : folders.create(parentId, name);
      if (!back) return;
      if (id !== null) focus(folderKey(id));
      else if (parentId !== null) focus(folderKey(parentId));
      else if (state.active !== null) focus(state.active);
    },

    askToRemove(row) {
      if (row.kind === "lecture") commands.ask({ kind: "deleteLecture", lecture: row.lecture });
      if (row.kind === "folder") commands.ask({ kind: "deleteFolder", node: row.node });
    },

    openMenu: (row, anchor) => now().change({ active: row.key, menu: { key: row.key, anchor } }),
    closeMenu: () => now().change({ menu: null }),
    ask: (asked) => now().change({ asked }),

    move(moved, folderId) {
      const { t, tree, change, state } = now();
      if (state.cut?.id === moved.id) change({ cut: null });
      if (!mayGo(tree, moved, folderId)) {
        announce(t("tree.says.noPlace", { name: moved.name }));
        return;
      }
      const place = placeName(moved, folderId);
      const sent =
        moved.kind === "folder"
          ? folders.move(moved.id, folderId)
          : lectures.move(moved.id, folderId);
      void sent.then((done) => {
        if (done) announce(t("tree.says.moved", { name: moved.name, place }));
      });
    },

    follow(command, anchorOf) {
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
          if (state.cut === null) return false;
          change({ cut: null });
          announce(t("tree.says.kept", { name: state.cut.name }));
          return true;
        }
        default:
          break;
      }
      const row = rowOf(command.key);
      if (!row) return false;
      switch (command.type) {
        case "activate":
          commands.activate(row);
          return true;
        case "rename":
          commands.rename(row);
          return true;
        case "remove":
          commands.askToRemove(row);
          return true;
        case "menu": {
          const anchor = anchorOf(row.key);
          if (anchor) commands.openMenu(row, anchor);
          return true;
        }
        case "cut": {
          const cut = movableOf(row);
          change({ cut });
          if (cut) announce(t("tree.says.cut", { name: cut.name }));
          return true;
        }
        case "paste": {
          if (state.cut === null) return false;
          // A folder on the section of loose lectures goes to the top.
          commands.move(state.cut, row.place);
          return true;
        }
      }
    },
  };
  return commands;
}
