import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useId, useRef, useState } from "react";
import { useCoarsePointer } from "#client/lib/coarse-pointer.ts";
import { useValue } from "#client/lib/signal.ts";
import { browserClock } from "#client/realtime/platform/clock.ts";
import type { FolderTree } from "#client/state/library/folder-tree.ts";
import { noTyping, resolveKeyPress } from "./keyboard.ts";
import { useT } from "./messages/index.ts";
import { TreeRow } from "./tree-row.tsx";
import { draftKey, isFocusable, lectureKey, type Row, uncategorizedKey } from "./tree-rows.ts";
import { findNextActiveKey, type TreeState } from "./tree-state.ts";
import { type DragSignals, useDrag } from "./use-drag.ts";
import type { TreeCommands } from "./use-tree-commands.ts";
import type { TreeRows } from "./use-tree-rows.ts";

interface TreeViewProps {
  tree: FolderTree;
  treeRows: TreeRows;
  state: TreeState;
  commands: TreeCommands;
  signals: DragSignals;
  openId: string | null;
  onNew: () => void;
  /** Takes a row that is to have the focus once it is there. */
  focusRequest: RefObject<string | null>;
  scroller: RefObject<HTMLElement | null>;
}

const rowPx = { fine: 32, coarse: 44 };
const uncategorizedGapPx = 10;

export function TreeView(props: TreeViewProps) {
  const { tree, treeRows, state, commands, signals, openId, onNew, focusRequest, scroller } = props;
  const { rows } = treeRows;
  const t = useT();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  /** The focus is in the tree. A row that is taken away with it says nothing. */
  const focused = useRef(false);
  const typing = useRef(noTyping);
  // Whoever has clicked a lecture is on the page with it: letters are its shortcuts, until the arrows are used.
  const pointed = useRef(false);
  const drag = useValue(signals.drag);
  const height = useCoarsePointer() ? rowPx.coarse : rowPx.fine;
  const reached = findTabStop(rows, state.activeKey, openId);

  const rowOf = useCallback((key: string) => rows.find((row) => row.key === key), [rows]);
  const onPointerDown = useDrag({
    ...{ signals, scroller, tree, findRow: rowOf },
    onDrop: (moved, { folderId }) => commands.move(moved, folderId),
    onExpand: commands.toggle,
  });

  const always = [reached, drag?.key, state.editingKey, draftKey, uncategorizedKey];
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => getRowHeight(rows[index], height),
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan: 8,
    rangeExtractor: (range) => {
      const shown = new Set(defaultRangeExtractor(range));
      // What has the focus, and what is held, must not go; and a new lecture is always to be had.
      for (const key of always) {
        const index = rows.findIndex((row) => row.key === key);
        if (index !== -1) shown.add(index);
      }
      return [...shown].sort((a, b) => a - b);
    },
  });
  const items = virtual.getVirtualItems();

  useReplaceActiveRow(rows, state.activeKey, commands, focused);

  useEffect(() => {
    const key = focusRequest.current;
    const index = key === null ? -1 : rows.findIndex((row) => row.key === key);
    if (index === -1) return;
    const element = box.current?.querySelector<HTMLElement>(`[data-tree-row="${key}"]`);
    if (!element) return;
    focusRequest.current = null;
    virtual.scrollToIndex(index);
    element.focus({ preventScroll: true });
  });

  // A list that shows where its lectures are not loaded yet asks for them.
  useEffect(() => {
    for (const { index } of items) {
      const row = rows[index];
      if (row?.kind === "more" && row.remaining === "more") treeRows.more(row);
    }
  });

  useScrollToOpenLecture(openId, rows, (index) => virtual.scrollToIndex(index));

  const elementOf = (key: string) => box.current?.querySelector(`[data-tree-row="${key}"]`) ?? null;

  return (
    <div
      ref={box}
      role="tree"
      aria-label={t("sidebar.title")}
      className="relative"
      style={{ height: virtual.getTotalSize() }}
      onPointerDown={(event) => {
        pointed.current = true;
        onPointerDown(event);
      }}
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return;
        pointed.current = false;
        focused.current = false;
      }}
      onFocus={(event) => {
        focused.current = true;
        const key = event.target.getAttribute("data-tree-row");
        if (key !== null && key !== state.activeKey) commands.setActive(key);
      }}
      onKeyDown={(event) => {
        const key = event.target instanceof Element && event.target.getAttribute("data-tree-row");
        if (!key) return;
        const press = {
          key: event.key,
          command: event.ctrlKey || event.metaKey,
          shift: event.shiftKey,
          alt: event.altKey,
        };
        const next = resolveKeyPress(rows, key, press, typing.current, browserClock.now());
        // A letter is for the tree, whether a name begins with it or not.
        const letter = next.typing !== typing.current;
        if (letter && pointed.current) return;
        if (next.command?.type === "focus") pointed.current = false;
        typing.current = next.typing;
        const done = next.command !== null && commands.execute(next.command, elementOf);
        if (done || letter) event.preventDefault();
      }}
      onContextMenu={(event) => {
        if (!(event.target instanceof Element)) return;
        const row = rowOf(
          event.target.closest("[data-tree-row]")?.getAttribute("data-tree-row") ?? "",
        );
        if (row?.kind !== "folder" && row?.kind !== "lecture") return;
        event.preventDefault();
        commands.openMenu(row, { x: event.clientX, y: event.clientY });
      }}
    >
      {items.map(({ index, start, size }) => {
        const row = rows[index];
        if (!row) return null;
        const target = drag?.target;
        return (
          <TreeRow
            key={row.key}
            row={row}
            id={`${id}${row.key.replaceAll(" ", "-")}`}
            start={start}
            size={size}
            tabbable={row.key === reached}
            selected={row.key === state.activeKey}
            current={row.kind === "lecture" && row.lecture.id === openId}
            editing={row.key === state.editingKey}
            isMoving={row.key === drag?.key || isCut(row, state)}
            isDropTarget={
              target !== null &&
              target !== undefined &&
              (row.kind === "folder"
                ? row.node.id === target.folderId
                : row.kind === "uncategorized" &&
                  target.folderId === null &&
                  drag?.item.kind === "lecture")
            }
            commands={commands}
            onNew={onNew}
          />
        );
      })}
    </div>
  );
}

/** The section of loose lectures has its heading, the entry below it, and some room above. */
function getRowHeight(row: Row | undefined, height: number): number {
  return row?.kind === "uncategorized" ? 2 * height + uncategorizedGapPx : height;
}

function isCut(row: Row, { cutItem }: TreeState): boolean {
  if (row.kind === "lecture") return cutItem?.kind === "lecture" && cutItem.id === row.lecture.id;
  return row.kind === "folder" && cutItem?.kind === "folder" && cutItem.id === row.node.id;
}

/** The row that the Tab key reaches: the one that was reached last, else the open lecture's, else the first. */
function findTabStop(rows: readonly Row[], active: string | null, openId: string | null) {
  const known = (key: string | null) => rows.find((row) => row.key === key && isFocusable(row));
  const open = openId === null ? null : lectureKey(openId);
  return (known(active) ?? known(open) ?? rows.find(isFocusable))?.key ?? null;
}

/** Where the row that was reached last is gone, the one that took its place is; with the focus, if it had it. */
function useReplaceActiveRow(
  rows: readonly Row[],
  active: string | null,
  commands: TreeCommands,
  focused: RefObject<boolean>,
): void {
  const before = useRef<readonly string[]>([]);
  useEffect(() => {
    const keys = rows.filter(isFocusable).map(({ key }) => key);
    const gone = active !== null && before.current.includes(active) && !keys.includes(active);
    if (gone) {
      const heir = findNextActiveKey(active, before.current, keys);
      const lost = focused.current && document.activeElement === document.body;
      if (heir !== null && lost) commands.focus(heir);
      else commands.setActive(heir);
    }
    before.current = keys;
  });
}

/** Brings the row of a lecture that was just opened into view, when it is there. */
function useScrollToOpenLecture(
  openId: string | null,
  rows: readonly Row[],
  show: (index: number) => void,
): void {
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => {
    if (openId === shown) return;
    const index = openId === null ? -1 : rows.findIndex((row) => row.key === lectureKey(openId));
    if (openId !== null && index === -1) return;
    setShown(openId);
    if (index !== -1) show(index);
  });
}
