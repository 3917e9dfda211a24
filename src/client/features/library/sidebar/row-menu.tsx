import { Download, FolderInput, FolderPlus, PencilLine, Trash2 } from "lucide-react";
import AnchoredMenu from "#client/ui/anchored-menu.tsx";
import type { MenuEntry } from "#client/ui/menu-props.ts";
import { toMovableItem } from "./drop-target.ts";
import { useT } from "./messages/index.ts";
import type { Row } from "./tree-rows.ts";
import type { Anchor } from "./tree-state.ts";
import type { TreeCommands } from "./use-tree-commands.ts";

interface RowMenuProps {
  row: Extract<Row, { kind: "folder" | "lecture" }>;
  anchor: Anchor;
  commands: TreeCommands;
  element: () => HTMLElement | null;
}

const iconClass = "size-4";

export default function RowMenu({ row, anchor, commands, element }: RowMenuProps) {
  const t = useT();
  const moved = toMovableItem(row);
  const entries: MenuEntry[] = [
    {
      key: "rename",
      icon: <PencilLine className={iconClass} aria-hidden="true" />,
      label: t("tree.rename"),
      run: () => commands.rename(row),
    },
  ];
  if (row.kind === "folder") {
    entries.push({
      key: "inside",
      icon: <FolderPlus className={iconClass} aria-hidden="true" />,
      label: t("tree.newInside"),
      run: () => commands.addFolder(row.node.id),
    });
  }
  if (moved) {
    entries.push({
      key: "move",
      icon: <FolderInput className={iconClass} aria-hidden="true" />,
      label: t("tree.moveTo"),
      run: () => commands.openDialog({ kind: "move", moved }),
    });
  }
  entries.push(
    {
      key: "export",
      icon: <Download className={iconClass} aria-hidden="true" />,
      label: t("tree.export"),
      run: () =>
        commands.openDialog({
          kind: "export",
          target:
            row.kind === "folder"
              ? { kind: "folder", id: row.node.id, name: row.node.name }
              : { kind: "lecture", id: row.lecture.id, title: row.lecture.title },
        }),
    },
    {
      key: "delete",
      destructive: true,
      icon: <Trash2 className={iconClass} aria-hidden="true" />,
      label: t("tree.delete"),
      run: () => commands.openDeleteDialog(row),
    },
  );
  const name = row.kind === "folder" ? row.node.name : row.lecture.title;
  return (
    <AnchoredMenu
      anchor={anchor}
      heading={name || t("home.untitled")}
      entries={entries.map((entry) => ({
        ...entry,
        // After the menu has returned the focus.
        run: () => setTimeout(entry.run),
      }))}
      onClose={commands.closeMenu}
      byKey={anchor instanceof Element && anchor.matches("[role=treeitem]")}
      finalFocus={element}
    />
  );
}
