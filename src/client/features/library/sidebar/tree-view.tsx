import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useId, useRef, useState } from "react";
import { browserClock } from "#client/lib/clock.ts";
import { useValue } from "#client/lib/hooks.ts";
import { useCoarsePointer } from "#client/lib/media-queries.ts";
import type { FolderTree } from "#client/state/library/folder-tree.ts";
import { findNextActiveKey, noTyping, resolveKeyPress } from "./keyboard.ts";
import { useT } from "./messages/index.ts";
import { TreeRow } from "./tree-row.tsx";
import { draftKey, isFocusable, isGroup, isItem, type Row, uncategorizedKey } from "./tree-rows.ts";
import { currentDrag, useDrag } from "./use-drag.ts";
import type { TreeCommands, TreeState } from "./use-tree-commands.ts";
import type { TreeRows } from "./use-tree-rows.ts";

interface TreeViewProps {
  tree: FolderTree;
  rows: TreeRows;
  state: TreeState;
  commands: TreeCommands;
  /** Key of the row of what the page shows. */
  currentKey: string | null;
  /** Makes a lecture, below the heading of those without a folder; missing in a tree of folders alone. */
  onNew?: (() => void) | undefined;
  /** Key of the row to focus as soon as it is rendered. */
  focusRequest: RefObject<string | null>;
  scroller: RefObject<HTMLElement | null>;
}

const rowPx = { fine: 32, coarse: 44 };
/** In a tree of folders alone. */
const folderPx = 36;
/** The uncategorized section has a heading, the button of `onNew` below it, and this gap above. */
const uncategorizedGapPx = 10;

export function TreeView(props: TreeViewProps) {
  const { tree, state, commands, currentKey, onNew, focusRequest, scroller } = props;
  const { rows, loadMore } = props.rows;
  const t = useT();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  /** Whether the focus is in the tree. Removing the focused row fires no blur. */
  const focused = useRef(false);
  const typing = useRef(noTyping);
  // After a click, letters are the page's shortcuts until an arrow key moves the focus.
  const usedPointer = useRef(false);
  const drag = useValue(currentDrag);
  const fineHeight = onNew ? rowPx.fine : folderPx;
  const height = useCoarsePointer() ? rowPx.coarse : fineHeight;
  const tabStop = findTabStop(rows, state.activeKey, currentKey);

  const findRow = (element: Element) => {
    const key = element.closest("[data-tree-row]")?.getAttribute("data-tree-row");
    return rows.find((row) => row.key === key);
  };
  const { move, toggle } = commands;
  const handlePointerDown = useDrag({ scroller, tree, findRow, onDrop: move, onExpand: toggle });

  const alwaysRendered = [tabStop, drag?.key, state.editingKey, draftKey, uncategorizedKey];
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) =>
      onNew && rows[index]?.kind === "uncategorized" ? 2 * height + uncategorizedGapPx : height,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan: 8,
    rangeExtractor: (range) => {
      const indexes = new Set(defaultRangeExtractor(range));
      // Rows with the focus or in a drag must stay mounted, and the New Lecture button must stay reachable.
      for (const key of alwaysRendered) {
        const index = rows.findIndex((row) => row.key === key);
        if (index !== -1) indexes.add(index);
      }
      return [...indexes].sort((a, b) => a - b);
    },
  });
  const items = virtual.getVirtualItems();
  // React attaches the scroller after the first effects of the tree in it; without another render no row would be shown.
  const [, setAttached] = useState(false);
  useEffect(() => setAttached(true), []);

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

  // Loads lectures when the row that stands for them becomes visible.
  useEffect(() => {
    for (const { index } of items) {
      const row = rows[index];
      if (row?.kind === "more" && row.remaining === "more") loadMore(row);
    }
  });

  useScrollToCurrent(currentKey, rows, (index) => virtual.scrollToIndex(index));

  return (
    <div
      ref={box}
      role="tree"
      aria-label={t("sidebar.title")}
      className="relative"
      style={{ height: virtual.getTotalSize() }}
      onPointerDown={(event) => {
        usedPointer.current = true;
        handlePointerDown(event);
      }}
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return;
        usedPointer.current = false;
        focused.current = false;
      }}
      onFocus={(event) => {
        focused.current = true;
        const key = event.target.getAttribute("data-tree-row");
        if (key !== null && key !== state.activeKey) commands.setActive(key);
      }}
      onKeyDown={(event) => {
        if (!(event.target instanceof Element)) return;
        const key = event.target.getAttribute("data-tree-row");
        const row = rows.find((one) => one.key === key);
        if (!row) return;
        const next = resolveKeyPress(rows, row.key, event, typing.current, browserClock.now());
        // The tree consumes letters even if no name starts with them.
        const isLetter = next.typing !== typing.current;
        if (isLetter && usedPointer.current) return;
        if (next.command?.type === "focus") usedPointer.current = false;
        typing.current = next.typing;
        const done = next.command !== null && commands.execute(next.command, row, event.target);
        if (done || isLetter) event.preventDefault();
      }}
      onContextMenu={(event) => {
        const row = event.target instanceof Element && findRow(event.target);
        if (!row || !isItem(row)) return;
        event.preventDefault();
        commands.openMenu(row, { x: event.clientX, y: event.clientY });
      }}
    >
      {items.map(({ index, start, size }) => {
        const row = rows[index];
        if (!row) return null;
        return (
          <TreeRow
            key={row.key}
            row={row}
            id={`${id}${row.key.replaceAll(" ", "-")}`}
            start={start}
            size={size}
            tabbable={row.key === tabStop}
            selected={row.key === state.activeKey}
            current={row.key === currentKey}
            editing={row.key === state.editingKey}
            isMoving={isItem(row) && (row.key === drag?.key || row.item.id === state.cutItem?.id)}
            isDropTarget={
              isGroup(row) &&
              row.folderId === drag?.target?.folderId &&
              // On the section of lectures, a folder is not shown as dropped: it goes to the top level.
              (row.kind === "folder" || drag.item.kind === "lecture")
            }
            commands={commands}
            onNew={onNew}
          />
        );
      })}
    </div>
  );
}

/** The row that the Tab key reaches: the one that had the focus last, else the current one, else the first. */
function findTabStop(rows: readonly Row[], active: string | null, current: string | null) {
  const findKey = (key: string | null) => rows.find((row) => row.key === key && isFocusable(row));
  return (findKey(active) ?? findKey(current) ?? rows.find(isFocusable))?.key ?? null;
}

/** When the active row is removed, activates the row that replaces it, and focuses it if the tree had the focus. */
function useReplaceActiveRow(
  rows: readonly Row[],
  active: string | null,
  commands: TreeCommands,
  focused: RefObject<boolean>,
): void {
  const before = useRef<readonly string[]>([]);
  useEffect(() => {
    const keys = rows.filter(isFocusable).map(({ key }) => key);
    const removed = active !== null && before.current.includes(active) && !keys.includes(active);
    if (removed) {
      const next = findNextActiveKey(active, before.current, keys);
      const lostFocus = focused.current && document.activeElement === document.body;
      if (next !== null && lostFocus) commands.focus(next);
      else commands.setActive(next);
    }
    before.current = keys;
  });
}

/** Scrolls to the row of what was just opened, once it is there. */
function useScrollToCurrent(
  currentKey: string | null,
  rows: readonly Row[],
  scrollTo: (index: number) => void,
): void {
  const [scrolledTo, setScrolledTo] = useState<string | null>(null);
  useEffect(() => {
    if (currentKey === scrolledTo) return;
    const index = currentKey === null ? -1 : rows.findIndex((row) => row.key === currentKey);
    if (currentKey !== null && index === -1) return;
    setScrolledTo(currentKey);
    if (index !== -1) scrollTo(index);
  });
}
