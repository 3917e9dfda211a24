import { useNavigate } from "@tanstack/react-router";
import {
  BookA,
  Download,
  FolderInput,
  FolderPlus,
  GraduationCap,
  MessageCircleQuestionMark,
  PencilLine,
  Trash2,
} from "lucide-react";
import AnchoredMenu from "#client/ui/anchored-menu.tsx";
import type { MenuEntry } from "#client/ui/menu-entries.tsx";
import { useT } from "./messages/index.ts";
import type { ItemRow } from "./tree-rows.ts";
import type { Anchor, TreeCommands } from "./use-tree-commands.ts";

interface RowMenuProps {
  row: ItemRow;
  anchor: Anchor;
  commands: TreeCommands;
  element: () => HTMLElement | null;
}

export default function RowMenu({ row, anchor, commands, element }: RowMenuProps) {
  const t = useT();
  const navigate = useNavigate();
  const { item } = row;
  const { id, name } = item;
  const { rename, addFolder, openDialog, openDeleteDialog } = commands;
  const addInside = () => addFolder(id);
  const openPage = (to: "/glossary" | "/ask") => void navigate({ to, search: { folder: id } });
  const openQuiz = () =>
    void navigate({
      to: "/quiz",
      search: item.kind === "folder" ? { folder: id } : { lecture: id },
    });
  const move = () => openDialog({ kind: "move", moved: item });
  const exportItem = () =>
    openDialog({
      kind: "export",
      target:
        item.kind === "folder"
          ? { kind: "folder", id, name }
          : { kind: "lecture", id, title: name },
    });
  const remove = () => openDeleteDialog(row);
  const ask = { icon: MessageCircleQuestionMark, label: t("home.ask") };
  const ofFolder: MenuEntry[] = [
    { key: "inside", icon: FolderPlus, label: t("tree.newInside"), run: addInside },
    { key: "glossary", icon: BookA, label: t("home.glossary"), run: () => openPage("/glossary") },
    { key: "ask", ...ask, run: () => openPage("/ask") },
  ];
  const entries: MenuEntry[] = [
    { key: "rename", icon: PencilLine, label: t("tree.rename"), run: () => rename(row) },
    ...(item.kind === "folder" ? ofFolder : []),
    { key: "quiz", icon: GraduationCap, label: t("tree.quiz"), run: openQuiz },
    { key: "move", icon: FolderInput, label: t("tree.moveTo"), run: move },
    { key: "export", icon: Download, label: t("tree.export"), run: exportItem },
    { key: "delete", icon: Trash2, label: t("tree.delete"), run: remove, destructive: true },
  ];
  return (
    <AnchoredMenu
      anchor={anchor}
      heading={name || t("home.untitled")}
      // After the menu has returned the focus.
      entries={entries.map((entry) => ({ ...entry, run: () => setTimeout(entry.run) }))}
      onClose={commands.closeMenu}
      byKey={anchor instanceof Element && anchor.matches("[role=treeitem]")}
      finalFocus={element}
    />
  );
}
