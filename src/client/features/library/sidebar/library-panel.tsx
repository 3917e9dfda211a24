import {
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import { lazyPart } from "#client/lib/lazy.tsx";
import { useValue } from "#client/lib/signal.ts";
import type { FolderTree } from "#client/state/library/folder-tree.ts";
import { useFolderTree } from "#client/state/library/use-library.ts";
import { Button } from "#client/ui/button.tsx";
import { FocusAfterDialog } from "#client/ui/focus-after.ts";
import { useLoadFailure } from "#client/ui/lists/use-load-failure.ts";
import { Skeleton } from "#client/ui/skeleton.tsx";
import { announce, announced } from "./announcer.tsx";
import { DragLayer } from "./drag-layer.tsx";
import { sidebarMessages, useT } from "./messages/index.ts";
import { LibraryTools, SearchBox } from "./sidebar-head.tsx";
import { atFirst, isOfRow, type TreeState } from "./tree-state.ts";
import { TreeView } from "./tree-view.tsx";
import { makeDragSignals } from "./use-drag.ts";
import { useOpenPlace } from "./use-expand-to-lecture.ts";
import { useCommands } from "./use-tree-commands.ts";
import { useRows } from "./use-tree-rows.ts";

const RowMenu = lazyPart(() => import("./row-menu.tsx"), sidebarMessages);
const Dialogs = lazyPart(() => import("./tree-dialogs.tsx"), sidebarMessages);

interface LibraryPanelProps {
  openId: string | null;
  onOpen: (id: string) => void;
  onNew: () => void;
  /** The heading, with what stands beside it. */
  head: (tools: ReactNode) => ReactNode;
  /** Between the heading and the tree. */
  notice: ReactNode;
}

const noFolders: FolderTree = { roots: [], byId: new Map(), total: 0, uncategorized: 0 };

export function LibraryPanel(props: LibraryPanelProps) {
  const { openId, onOpen, onNew, head, notice } = props;
  const t = useT();
  const { query: folders, tree: known } = useFolderTree();
  const tree = known ?? noFolders;
  const [query, setQuery] = useState("");
  const [cleared, setCleared] = useState(0);
  const [state, setState] = useState<TreeState>(atFirst);
  const [signals] = useState(makeDragSignals);
  const scroller = useRef<HTMLDivElement>(null);
  const wanted = useRef<string | null>(null);
  const rows = useRows(tree, query.trim(), state.draft);
  useOpenPlace(openId, known);
  useLoadFailure(folders.isError && known === null);

  const change = useCallback(
    (part: Partial<TreeState>) => setState((now) => ({ ...now, ...part })),
    [],
  );
  const commands = useCommands({
    ...{ tree, rows, state, change, onOpen },
    focus: (key) => {
      wanted.current = key;
      change({ active: key });
    },
    clearSearch: () => {
      setQuery("");
      setCleared((times) => times + 1);
    },
  });
  /** Row `key`, if it is near the window. */
  const elementOf = (key: string | null) =>
    scroller.current?.querySelector<HTMLElement>(`[data-tree-row="${key}"]`) ?? null;
  useFocusAfter(state, commands.focus);
  useFound(query, rows);

  const menuRow = rows.rows.find(({ key }) => key === state.menu?.key);
  return (
    <>
      <SearchBox
        // What was typed and not yet searched for goes too.
        key={cleared}
        query={query}
        onSearch={setQuery}
        onDown={() => {
          const [first] = rows.rows;
          if (first) commands.focus(first.key);
        }}
      />
      {head(<LibraryTools commands={commands} lectures={tree.total} ready={known !== null} />)}
      {notice}
      <div className="relative min-h-0 flex-1">
        <div ref={scroller} className="h-full overflow-y-auto overscroll-contain px-0.5 pb-4">
          {known ? (
            <Known tree={known} query={query.trim()} empty={rows.rows.length === 0}>
              <TreeView
                {...{ tree, state, commands, signals, openId, onNew, wanted, scroller }}
                treeRows={rows}
              />
            </Known>
          ) : folders.isError ? (
            <div role="alert" className="grid justify-items-start gap-3 px-2.5 py-2">
              <p className="text-ink-2 text-sm">{t("sidebar.failed")}</p>
              <Button size="small" onClick={() => folders.refetch()}>
                {t("common.retry")}
              </Button>
            </div>
          ) : (
            <TreeSkeleton />
          )}
        </div>
        <DragLayer signals={signals} tree={tree} />
      </div>
      <Announcer />
      {state.menu && (menuRow?.kind === "folder" || menuRow?.kind === "lecture") ? (
        <Suspense>
          <RowMenu
            row={menuRow}
            anchor={state.menu.anchor}
            commands={commands}
            element={() => elementOf(menuRow.key)}
          />
        </Suspense>
      ) : null}
      {state.asked ? (
        <Suspense>
          <FocusAfterDialog value={isOfRow(state.asked) ? () => elementOf(state.active) : null}>
            <Dialogs
              tree={tree}
              asked={state.asked}
              commands={commands}
              onImported={(id) => {
                commands.ask(null);
                onOpen(id);
              }}
            />
          </FocusAfterDialog>
        </Suspense>
      ) : null}
    </>
  );
}

interface KnownProps {
  tree: FolderTree;
  query: string;
  empty: boolean;
  children: ReactNode;
}

function Known({ tree, query, empty, children }: KnownProps) {
  const t = useT();
  if (query && empty) {
    return (
      <div className="px-2.5 py-2">
        <p className="text-ink-2 text-sm">{t("tree.nothing")}</p>
        <p className="mt-0.5 text-ink-3 text-sm wrap-anywhere">
          {t("tree.nothingHint", { query })}
        </p>
      </div>
    );
  }
  return (
    <>
      {children}
      {tree.total === 0 && !query ? (
        <div className="px-2.5 py-3">
          <p className="text-ink-2 text-sm">{t("sidebar.empty")}</p>
          <p className="mt-0.5 text-ink-3 text-sm">{t("sidebar.emptyHint")}</p>
        </div>
      ) : null}
    </>
  );
}

function Announcer() {
  const text = useValue(announced);
  useEffect(() => () => announced.set(""), []);
  return (
    <p aria-live="polite" className="sr-only">
      {text}
    </p>
  );
}

function useFound(query: string, { rows, found }: ReturnType<typeof useRows>): void {
  const t = useT();
  const folders = rows.filter(({ kind }) => kind === "folder").length;
  useEffect(() => {
    if (query.trim() && found !== null) announce(t("tree.found", { folders, lectures: found }));
  }, [query, folders, found, t]);
}

/** A row may go with the dialog that was asked for at it. Then the one in its place has the focus. */
function useFocusAfter({ asked, active }: TreeState, focus: (key: string) => void): void {
  const was = useRef(asked);
  const focusActive = useEffectEvent(() => {
    if (document.activeElement === document.body && active !== null) focus(active);
  });
  useEffect(() => {
    const closed = was.current !== null && isOfRow(was.current) && asked === null;
    was.current = asked;
    if (!closed) return;
    const frame = requestAnimationFrame(focusActive);
    return () => cancelAnimationFrame(frame);
  }, [asked]);
}

function TreeSkeleton() {
  const t = useT();
  return (
    <div role="status" aria-busy="true" className="grid gap-3.5 px-2.5 py-2">
      <span className="sr-only">{t("common.loading")}</span>
      <Skeleton className="h-4 w-3/4" />
      <Skeleton className="ml-5 h-4 w-1/2" />
      <Skeleton className="ml-5 h-4 w-2/3" />
      <Skeleton className="h-4 w-2/3" />
    </div>
  );
}
