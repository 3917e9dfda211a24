import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import type { FolderTree } from "#client/state/library/folder-tree.ts";
import { useFolderTree } from "#client/state/library/use-folders.ts";
import { FocusAfterDialog } from "#client/ui/focus-after.ts";
import { LoadFailure } from "#client/ui/placeholder.tsx";
import { LoadingSkeleton, Skeleton } from "#client/ui/skeleton.tsx";
import { DragLayer } from "./drag-layer.tsx";
import { useExpandToLecture } from "./expanded-folders.ts";
import { sidebarMessages, useT } from "./messages/index.ts";
import { LibraryTools, SearchBox, SidebarHead } from "./sidebar-head.tsx";
import { isItem } from "./tree-rows.ts";
import { TreeView } from "./tree-view.tsx";
import {
  announce,
  announcement,
  initialState,
  isRowDialog,
  type TreeState,
  useTreeCommands,
} from "./use-tree-commands.ts";
import { type TreeRows, useTreeRows } from "./use-tree-rows.ts";

const RowMenu = lazyPart(() => import("./row-menu.tsx"), sidebarMessages);
const TreeDialogs = lazyPart(() => import("./tree-dialogs.tsx"), sidebarMessages);

export interface LibraryPanelProps {
  openId: string | null;
  saving: boolean;
  onOpen: (id: string) => void;
  onNew: () => void;
  onClose: () => void;
}

const noFolders: FolderTree = { roots: [], byId: new Map(), total: 0, uncategorized: 0 };

export function LibraryPanel({ openId, saving, onOpen, onNew, onClose }: LibraryPanelProps) {
  const t = useT();
  const { query: folders, tree: loadedTree } = useFolderTree();
  const tree = loadedTree ?? noFolders;
  const [query, setQuery] = useState("");
  const [clearCount, setClearCount] = useState(0);
  const [state, setState] = useState(initialState);
  const scroller = useRef<HTMLDivElement>(null);
  const focusRequest = useRef<string | null>(null);
  const text = query.trim();
  const rows = useTreeRows(tree, text, state.draft);
  useExpandToLecture(openId, loadedTree);

  const change = useCallback(
    (part: Partial<TreeState>) => setState((now) => ({ ...now, ...part })),
    [],
  );
  const focus = (key: string) => {
    focusRequest.current = key;
    change({ activeKey: key });
  };
  const clearSearch = () => {
    setQuery("");
    setClearCount((count) => count + 1);
  };
  const commands = useTreeCommands({ tree, rows, state, change, focus, clearSearch, onOpen });
  /** The element of row `key`, if it is rendered. */
  const findElement = (key: string | null) =>
    scroller.current?.querySelector<HTMLElement>(`[data-tree-row="${key}"]`) ?? null;
  useFocusAfterDialog(state, commands.focus);
  useAnnounceResults(text, rows);

  const menuRow = rows.rows.find(({ key }) => key === state.menu?.key);
  return (
    <>
      <SearchBox
        // A new key also discards text that was typed and not yet searched for.
        key={clearCount}
        query={query}
        onSearch={setQuery}
        onDown={() => {
          const [first] = rows.rows;
          if (first) commands.focus(first.key);
        }}
      />
      <SidebarHead onClose={onClose}>
        <LibraryTools commands={commands} lectures={tree.total} ready={loadedTree !== null} />
      </SidebarHead>
      <div className="relative min-h-0 flex-1">
        <div ref={scroller} className="h-full overflow-y-auto overscroll-contain px-0.5 pb-4">
          {loadedTree ? (
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
                  openId={openId}
                  onNew={onNew}
                  focusRequest={focusRequest}
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
      <Announcer />
      {state.menu && menuRow && isItem(menuRow) ? (
        <RowMenu
          row={menuRow}
          anchor={state.menu.anchor}
          commands={commands}
          element={() => findElement(menuRow.key)}
        />
      ) : null}
      {state.dialog ? (
        <FocusAfterDialog
          value={isRowDialog(state.dialog) ? () => findElement(state.activeKey) : null}
        >
          <TreeDialogs
            tree={tree}
            dialog={state.dialog}
            commands={commands}
            onImported={(id) => {
              commands.closeDialog();
              onOpen(id);
            }}
          />
        </FocusAfterDialog>
      ) : null}
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

/** When a dialog closes after its row was deleted, focuses the row that is active now. */
function useFocusAfterDialog({ dialog, activeKey }: TreeState, focus: (key: string) => void): void {
  const previous = useRef(dialog);
  const focusActive = useEffectEvent(() => {
    if (document.activeElement === document.body && activeKey !== null) focus(activeKey);
  });
  useEffect(() => {
    const closed = previous.current !== null && isRowDialog(previous.current) && dialog === null;
    previous.current = dialog;
    if (!closed) return;
    const frame = requestAnimationFrame(focusActive);
    return () => cancelAnimationFrame(frame);
  }, [dialog]);
}

/** The live region that reads changes of the tree to screen readers. */
function Announcer() {
  const text = useValue(announcement);
  useEffect(() => () => announcement.set(""), []);
  return (
    <p aria-live="polite" className="sr-only">
      {text}
    </p>
  );
}
