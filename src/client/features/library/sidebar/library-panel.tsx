import { useEffect } from "react";
import { LoadFailure } from "#client/ui/placeholder.tsx";
import { LoadingSkeleton, Skeleton } from "#client/ui/skeleton.tsx";
import { DragLayer } from "./drag-layer.tsx";
import { useExpandToLecture } from "./expanded-folders.ts";
import { useT } from "./messages/index.ts";
import { LibraryTools, SearchBox, SidebarHead } from "./sidebar-head.tsx";
import { TreeOverlays } from "./tree-overlays.tsx";
import { lectureKey } from "./tree-rows.ts";
import { TreeView } from "./tree-view.tsx";
import { useLibraryTree } from "./use-library-tree.ts";
import { announce } from "./use-tree-commands.ts";
import type { TreeRows } from "./use-tree-rows.ts";

export interface LibraryPanelProps {
  openId: string | null;
  saving: boolean;
  onOpen: (id: string) => void;
  onNew: () => void;
  onClose: () => void;
}

export function LibraryPanel({ openId, saving, onOpen, onNew, onClose }: LibraryPanelProps) {
  const t = useT();
  const library = useLibraryTree({ onOpen });
  const { folders, tree, isLoaded, rows, state, commands, query, scroller } = library;
  const text = query.trim();
  useExpandToLecture(openId, isLoaded ? tree : null);
  useAnnounceResults(text, rows);

  return (
    <>
      <SearchBox
        key={library.clearCount}
        query={query}
        label={t("tree.search")}
        isPageSearch
        onSearch={library.setQuery}
        onDown={() => {
          const [first] = rows.rows;
          if (first) commands.focus(first.key);
        }}
      />
      <SidebarHead onClose={onClose}>
        <LibraryTools commands={commands} lectures={tree.total} ready={isLoaded} />
      </SidebarHead>
      <div className="relative min-h-0 flex-1">
        <div ref={scroller} className="h-full overflow-y-auto overscroll-contain px-0.5 pb-4">
          {isLoaded ? (
            <>
              {text && rows.rows.length === 0 ? (
                <Hint
                  className="py-2"
                  title={t("tree.nothing")}
                  text={t("tree.nothingHint", { query: text })}
                />
              ) : (
                <TreeView
                  tree={tree}
                  rows={rows}
                  state={state}
                  commands={commands}
                  currentKey={openId === null ? null : lectureKey(openId)}
                  onNew={onNew}
                  focusRequest={library.focusRequest}
                  scroller={scroller}
                />
              )}
              {tree.total === 0 && !text ? (
                <Hint className="py-3" title={t("sidebar.empty")} text={t("sidebar.emptyHint")} />
              ) : null}
            </>
          ) : folders.isError ? (
            <LoadFailure
              text={t("sidebar.failed")}
              onRetry={folders.refetch}
              className="grid justify-items-start gap-3 px-2.5 py-2 text-sm"
            />
          ) : (
            <LoadingSkeleton className="grid gap-3.5 px-2.5 py-2">
              <Skeleton className="h-4 w-3/4" />
              <Skeleton className="ml-5 h-4 w-1/2" />
              <Skeleton className="ml-5 h-4 w-2/3" />
              <Skeleton className="h-4 w-2/3" />
            </LoadingSkeleton>
          )}
        </div>
        {saving ? (
          <p
            role="status"
            // Over the rows, which must not move below the pointer.
            className="pointer-events-none absolute inset-x-0 bottom-0 truncate bg-paper-2 px-2.5 py-1.5 text-ink-3 text-sm"
          >
            {t("sidebar.saving")}
          </p>
        ) : null}
        <DragLayer tree={tree} />
      </div>
      <TreeOverlays library={library} />
    </>
  );
}

function Hint({ className, title, text }: { className: string; title: string; text: string }) {
  return (
    <div className={`px-2.5 ${className}`}>
      <p className="text-ink-2 text-sm">{title}</p>
      <p className="mt-0.5 text-ink-3 text-sm wrap-anywhere">{text}</p>
    </div>
  );
}

function useAnnounceResults(query: string, { rows, foundCount }: TreeRows): void {
  const t = useT();
  const folders = rows.filter(({ kind }) => kind === "folder").length;
  useEffect(() => {
    if (query && foundCount !== null) announce(t("tree.found", { folders, lectures: foundCount }));
  }, [query, folders, foundCount, t]);
}
