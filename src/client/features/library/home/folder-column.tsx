import { Link } from "@tanstack/react-router";
import { ArrowDownAZ, BookA, Clock, FolderPlus, LibraryBig, Trash2 } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { DragLayer } from "#client/features/library/sidebar/drag-layer.tsx";
import { useT } from "#client/features/library/sidebar/messages/index.ts";
import { LibraryMenu, SearchBox } from "#client/features/library/sidebar/sidebar-head.tsx";
import { folderKey, uncategorizedKey } from "#client/features/library/sidebar/tree-rows.ts";
import { TreeView } from "#client/features/library/sidebar/tree-view.tsx";
import type { LibraryTree } from "#client/features/library/sidebar/use-library-tree.ts";
import { LoadFailure } from "#client/ui/placeholder.tsx";
import { FolderSkeleton } from "./list-head.tsx";

/** From this many on they are found by their name. */
const manyFolders = 12;

const rowClass =
  "flex h-9 w-full items-center gap-2 rounded-s px-2 text-left text-ink-2 text-base transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink aria-[current]:bg-paper-3 aria-[current]:font-semibold aria-[current]:text-ink pointer-coarse:h-11";

export type FolderOrder = "name" | "newest";

interface FolderColumnProps {
  library: LibraryTree;
  /** A folder; null: lectures in no folder; undefined: all. */
  chosen: string | null | undefined;
  onAll: () => void;
  order: FolderOrder;
  onOrder: (order: FolderOrder) => void;
  /** What the user has recorded this month. */
  usage: ReactNode;
  /** The way to what others share with the user, as a row of this class. */
  shared: (className: string) => ReactNode;
}

/** The folders, of which one is chosen, and what else belongs to the library. */
export function FolderColumn(props: FolderColumnProps) {
  const { library, chosen, onAll, order, onOrder, usage, shared } = props;
  const { folders, tree, isLoaded, rows, state, commands, scroller, query, setQuery } = library;
  const t = useT();
  const currentKey =
    chosen === null ? uncategorizedKey : chosen === undefined ? null : folderKey(chosen);
  const otherOrder = order === "name" ? "newest" : "name";
  // A search that is left is not there any more when the column is shown again.
  useEffect(() => () => setQuery(""), [setQuery]);
  return (
    <div className="flex max-h-full min-h-0 flex-col gap-0.5">
      <div className="group relative">
        <button
          type="button"
          aria-current={chosen === undefined || undefined}
          onClick={onAll}
          className={`${rowClass} pointer-coarse:pr-14`}
        >
          <LibraryBig className="size-4 shrink-0 text-ink-3" />
          {t("recordings.title")}
          {isLoaded ? (
            <span className="tabular ml-auto font-normal text-ink-3 text-xs group-focus-within:invisible group-hover:invisible pointer-coarse:visible!">
              {tree.total}
            </span>
          ) : null}
        </button>
        <LibraryMenu
          commands={commands}
          lectures={tree.total}
          ready={isLoaded}
          more={[
            {
              key: "order",
              icon: order === "name" ? Clock : ArrowDownAZ,
              label: t(order === "name" ? "tree.newestFirst" : "tree.byName"),
              run: () => onOrder(otherOrder),
            },
          ]}
          className="absolute inset-y-0 right-0.5 my-auto opacity-0 focus-visible:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100 pointer-coarse:inset-y-0"
        />
      </div>
      {tree.byId.size >= manyFolders ? (
        <SearchBox
          key={library.clearCount}
          query={query}
          label={t("home.findFolder")}
          isPageSearch={false}
          onSearch={setQuery}
          onDown={() => {
            const [first] = rows.rows;
            if (first) commands.focus(first.key);
          }}
        />
      ) : null}
      <div className="relative flex min-h-0 flex-col">
        <div ref={scroller} className="min-h-0 overflow-y-auto overscroll-contain">
          {isLoaded ? (
            query.trim() !== "" && rows.rows.length === 0 ? (
              <p role="status" className="px-2 py-2 text-ink-3 text-sm">
                {t("home.noFolderFound")}
              </p>
            ) : (
              <TreeView
                tree={tree}
                rows={rows}
                state={state}
                commands={commands}
                currentKey={currentKey}
                focusRequest={library.focusRequest}
                scroller={scroller}
              />
            )
          ) : folders.isError ? (
            <LoadFailure
              text={t("sidebar.failed")}
              onRetry={folders.refetch}
              className="grid justify-items-start gap-3 px-2 py-2 text-sm"
            />
          ) : (
            <FolderSkeleton />
          )}
        </div>
        <DragLayer tree={tree} />
      </div>
      <button
        type="button"
        disabled={!isLoaded}
        onClick={() => commands.addFolder(null)}
        className={rowClass}
      >
        <FolderPlus className="size-4 shrink-0 text-ink-3" />
        {t("tree.addFolder")}
      </button>
      <hr className="mx-2 my-2.5 border-rule" />
      {shared(rowClass)}
      <Link
        to="/glossary"
        search={typeof chosen === "string" ? { folder: chosen } : {}}
        className={rowClass}
      >
        <BookA className="size-4 shrink-0 text-ink-3" />
        {t("home.glossary")}
      </Link>
      <Link to="/trash" className={rowClass}>
        <Trash2 className="size-4 shrink-0 text-ink-3" />
        {t("home.trash")}
      </Link>
      <div className="tabular min-h-5 px-2 pt-2 text-ink-3 text-sm">{usage}</div>
    </div>
  );
}
