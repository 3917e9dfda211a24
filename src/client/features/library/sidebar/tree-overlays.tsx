import { useEffect, useEffectEvent, useRef } from "react";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { FocusAfterDialog } from "#client/ui/focus-after.ts";
import { sidebarMessages } from "./messages/index.ts";
import { isItem } from "./tree-rows.ts";
import type { LibraryTree } from "./use-library-tree.ts";
import { announcement, isRowDialog, type TreeState } from "./use-tree-commands.ts";

const RowMenu = lazyPart(() => import("./row-menu.tsx"), sidebarMessages);
const TreeDialogs = lazyPart(() => import("./tree-dialogs.tsx"), sidebarMessages);

/** What the tree opens over the page, and what it says to screen readers. */
export function TreeOverlays({ library }: { library: LibraryTree }) {
  const { tree, rows, state, commands, scroller, onOpen } = library;
  /** The element of row `key`, if it is rendered. */
  const findElement = (key: string | null) =>
    scroller.current?.querySelector<HTMLElement>(`[data-tree-row="${key}"]`) ?? null;
  useFocusAfterDialog(state, commands.focus);
  const menuRow = rows.rows.find(({ key }) => key === state.menu?.key);
  return (
    <>
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
