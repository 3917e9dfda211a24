import { type RefObject, useEffect, useEffectEvent } from "react";
import { listen } from "#client/lib/listen.ts";

/** Menus, lists and dialogs. A panel in full screen counts as part of the page. */
const popups = "[role=menu],[role=listbox],[role=alertdialog],[role=dialog]:not([data-overlay])";

export const isPopupOpen = (): boolean =>
  // A select keeps its closed list in the document after it was opened once.
  [...document.querySelectorAll(popups)].some((popup) => !popup.closest("[data-closed]"));

/** Parts of a panel in which Escape leaves only them: a row, the find field, what stands beside the text. */
export const innerParts = "[data-row],[data-find],[data-part]";

/** ARIA attributes of a panel while it covers the page. */
export const overlayProps = (open: boolean, label: string) =>
  open
    ? ({ role: "dialog", "aria-modal": true, "aria-label": label, "data-overlay": true } as const)
    : {};

/** Makes everything in #root except `element` inert; returns a function that undoes it. */
function makeRestInert(element: HTMLElement): () => void {
  const inertElements: HTMLElement[] = [];
  for (let node = element; node.id !== "root" && node.parentElement; node = node.parentElement) {
    for (const other of node.parentElement.children) {
      if (!(other instanceof HTMLElement) || other === node || other.inert) continue;
      other.inert = true;
      inertElements.push(other);
    }
    if (node.parentElement === document.body) break;
  }
  return () => {
    for (const other of inertElements) other.inert = false;
  };
}

/**
 * While `open`, `panel` is a dialog over the whole page: the rest is inert, Escape calls `close`, and
 * closing moves the focus to the panel's `[data-overlay-toggle]`. The panel keeps its place in the
 * tree, so its contents are not mounted again.
 */
export function useOverlay(
  panel: RefObject<HTMLElement | null>,
  open: boolean,
  close: () => void,
): void {
  const onEscape = useEffectEvent(close);
  useEffect(() => {
    const box = panel.current;
    if (!open || !box) return;
    const toggle = () => box.querySelector<HTMLElement>("[data-overlay-toggle]");
    if (!box.contains(document.activeElement)) toggle()?.focus();
    const undo = makeRestInert(box);
    const handleKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.isComposing || isPopupOpen()) return;
      const inner = event.target instanceof Element && event.target.closest(innerParts);
      if (inner && inner !== box) return;
      event.preventDefault();
      onEscape();
    };
    // Captured, because a handler in the page may remove the target.
    const unlisten = listen(window, "keydown", handleKeyDown, { capture: true });
    return () => {
      unlisten();
      undo();
      toggle()?.focus();
    };
  }, [panel, open]);
}
