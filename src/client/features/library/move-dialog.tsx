import { useVirtualizer } from "@tanstack/react-virtual";
import { Folder, Inbox } from "lucide-react";
import { type KeyboardEvent, useId, useMemo, useRef, useState } from "react";
import { useT } from "#client/i18n/library/index.ts";
import { useCoarsePointer } from "#client/lib/media-queries.ts";
import {
  canMove,
  type FolderTree,
  getPath,
  listFolders,
  type MovableItem,
} from "#client/state/library/folder-tree.ts";
import type { MoveDialogProps } from "#client/state/library/lecture-dialogs.ts";
import { useFolderTree } from "#client/state/library/use-folders.ts";
import { Dialog } from "#client/ui/dialog.tsx";
import { LoadFailure } from "#client/ui/placeholder.tsx";
import { LoadingSkeleton, Skeleton } from "#client/ui/skeleton.tsx";
import { inputClass } from "#client/ui/text-field.tsx";
import { folderNameMaxLength } from "#shared/limits.ts";

export default function MoveDialog({ item, onMove, onClose }: MoveDialogProps) {
  const t = useT();
  const { query, tree } = useFolderTree();
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("tree.moveTitle", { name: item.name || t("home.untitled") })}
    >
      {tree ? (
        <TargetList
          tree={tree}
          moved={item}
          onChoose={(folderId) => {
            onClose();
            onMove(item, folderId);
          }}
        />
      ) : query.isError ? (
        <LoadFailure
          text={t("home.failed")}
          onRetry={query.refetch}
          className="grid justify-items-start gap-3"
        />
      ) : (
        <LoadingSkeleton className="grid gap-3">
          <Skeleton className="h-5 w-2/3" />
          <Skeleton className="h-5 w-1/2" />
          <Skeleton className="h-5 w-3/5" />
        </LoadingSkeleton>
      )}
    </Dialog>
  );
}

interface TargetListProps {
  tree: FolderTree;
  moved: MovableItem;
  onChoose: (folderId: string | null) => void;
}

/** A search field with a list below it: arrow keys highlight a target, Enter chooses it. */
function TargetList({ tree, moved, onChoose }: TargetListProps) {
  const t = useT();
  const listId = useId();
  const [query, setQuery] = useState("");
  const [highlighted, setHighlighted] = useState(0);
  const part = query.trim().toLowerCase();
  const searching = part !== "";
  const noFolderName = t(moved.kind === "folder" ? "tree.topLevel" : "tree.uncategorized");
  /** The folders that the item can move to; null: no folder, or the top level. */
  const targets = useMemo(
    () =>
      [null, ...listFolders(tree.roots)].filter((node) => {
        const name = node?.name ?? noFolderName;
        return canMove(tree, moved, node?.id ?? null) && name.toLowerCase().includes(part);
      }),
    [tree, moved, part, noFolderName],
  );

  const scroller = useRef<HTMLDivElement>(null);
  const height = useCoarsePointer() ? 48 : 40;
  const virtual = useVirtualizer({
    count: targets.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 6,
  });

  function handleKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = Math.min(targets.length - 1, Math.max(0, highlighted + step));
      setHighlighted(next);
      virtual.scrollToIndex(next);
    }
    const target = targets[highlighted];
    if (event.key === "Enter" && target !== undefined) {
      event.preventDefault();
      onChoose(target?.id ?? null);
    }
  }

  return (
    <div className="grid gap-3">
      <input
        // biome-ignore lint/a11y/noAutofocus: the folders may come after the dialog, which begins with the search
        autoFocus
        role="combobox"
        aria-label={t("tree.moveSearch")}
        aria-expanded="true"
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={targets.length > 0 ? `${listId}-${highlighted}` : undefined}
        placeholder={t("tree.moveSearch")}
        value={query}
        maxLength={folderNameMaxLength}
        autoComplete="off"
        onChange={(event) => {
          setQuery(event.target.value);
          setHighlighted(0);
        }}
        onKeyDown={handleKeyDown}
        className={inputClass}
      />
      {targets.length === 0 ? (
        <p role="status" className="px-1 py-2 text-ink-3">
          {t("tree.moveNone")}
        </p>
      ) : (
        <div
          ref={scroller}
          className="-mx-2 max-h-[min(320px,40dvh)] overflow-y-auto"
          style={{ height: virtual.getTotalSize() }}
        >
          <div
            id={listId}
            role="listbox"
            tabIndex={-1}
            aria-label={t("tree.moveSearch")}
            className="relative"
            style={{ height: virtual.getTotalSize() }}
          >
            {virtual.getVirtualItems().map(({ index, start, size }) => {
              const target = targets[index];
              if (target === undefined) return null;
              const id = target?.id ?? null;
              const path = searching && target ? getPath(tree, target.parentId) : [];
              const Icon = target ? Folder : Inbox;
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys
                // biome-ignore lint/a11y/useFocusableInteractive: the field above keeps the focus
                <div
                  key={id ?? "none"}
                  id={`${listId}-${index}`}
                  role="option"
                  aria-selected={index === highlighted}
                  aria-posinset={index + 1}
                  aria-setsize={targets.length}
                  onClick={() => onChoose(id)}
                  onPointerMove={() => setHighlighted(index)}
                  className="absolute inset-x-0 top-0 flex cursor-pointer items-center gap-2.5 rounded-s px-3 text-ink-2 aria-selected:bg-paper-3 aria-selected:text-ink"
                  style={{
                    height: size,
                    transform: `translateY(${start}px)`,
                    paddingLeft: 12 + (searching ? 0 : Math.min(target?.depth ?? 0, 9) * 14),
                  }}
                >
                  <Icon className="size-4 shrink-0 text-ink-3" />
                  <span dir="auto" className="min-w-0 truncate">
                    {target?.name ?? noFolderName}
                  </span>
                  {path.length > 0 ? (
                    <span className="ml-auto min-w-0 shrink-2 truncate text-ink-3 text-xs">
                      {path.map(({ name }) => name).join(" / ")}
                    </span>
                  ) : null}
                </div>
              );
            })}
          </div>
        </div>
      )}
    </div>
  );
}
