import { FileText, Folder } from "lucide-react";
import { useEffect } from "react";
import { useValue } from "#client/lib/hooks.ts";
import type { FolderTree, MovableItem } from "#client/state/library/folder-tree.ts";
import { useT } from "./messages/index.ts";
import { currentDrag, pointerPosition, topLevelZone } from "./use-drag.ts";
import { announce, getPlaceName } from "./use-tree-commands.ts";

/** The dragged item beside the pointer; for a subfolder, also a drop zone for the top level. */
export function DragLayer({ tree }: { tree: FolderTree }) {
  const t = useT();
  const drag = useValue(currentDrag);
  const name = drag?.item.name;
  const target = drag?.target;
  const place = target ? getPlaceName(tree, drag.item, target.folderId) : undefined;

  useEffect(() => {
    if (name !== undefined) announce(t("tree.announce.dragging", { name }));
  }, [name, t]);
  useEffect(() => {
    if (place !== undefined) announce(t("tree.announce.over", { place }));
  }, [place, t]);

  if (!drag) return null;
  const toTop = drag.item.kind === "folder" && drag.item.from !== null;
  return (
    <>
      {toTop ? (
        <div
          data-place={topLevelZone}
          className={`absolute inset-x-0 bottom-full z-1 grid h-9 place-items-center rounded-m border border-rule-strong border-dashed text-sm pointer-coarse:h-11 ${target?.folderId === null ? "bg-jade-wash text-ink" : "bg-sheet text-ink-2"}`}
        >
          {t("tree.topLevel")}
        </div>
      ) : null}
      <DraggedItem {...drag.item} />
    </>
  );
}

function DraggedItem({ kind, name }: MovableItem) {
  const t = useT();
  const { x, y } = useValue(pointerPosition);
  const Icon = kind === "folder" ? Folder : FileText;
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none fixed top-0 left-0 z-10 flex max-w-60 items-center gap-2 rounded-m border border-rule bg-sheet px-3 py-1.5 text-ink text-sm shadow-sheet"
      style={{ transform: `translate(${x + 12}px, ${y + 8}px)` }}
    >
      <Icon className="size-4 shrink-0 text-ink-3" />
      <span dir="auto" className="truncate">
        {name || t("home.untitled")}
      </span>
    </div>
  );
}
