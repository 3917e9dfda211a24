import { type RefObject, useEffect, useEffectEvent } from "react";

/** What lies over everything. A panel in full screen is the page still. */
const popups = "[role=menu],[role=listbox],[role=alertdialog],[role=dialog]:not([data-overlay])";

export const isPopupOpen = (): boolean =>
  // A selector that was opened once keeps its list.
  [...document.querySelectorAll(popups)].some((popup) => !popup.closest("[data-closed]"));

/** Takes everything beside `element` out of reach; returns the way back. What lies outside #root stays. */
function makeRestInert(element: HTMLElement): () => void {
  const covered: HTMLElement[] = [];
  for (let node = element; node.id !== "root" && node.parentElement; node = node.parentElement) {
    for (const other of node.parentElement.children) {
      if (!(other instanceof HTMLElement) || other === node || other.inert) continue;
      other.inert = true;
      covered.push(other);
    }
    if (node.parentElement === document.body) break;
  }
  return () => {
    for (const other of covered) other.inert = false;
  };
}

/**
 * While `open`, `panel` is a dialog over the whole page: the rest is out of reach, Escape calls
 * `close`, and the focus ends on the panel's `[data-overlay-toggle]`. The panel stays where it is in
 * the tree, so nothing in it is made anew.
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
    const uncover = makeRestInert(box);
    const handleKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.isComposing || isPopupOpen()) return;
      // A row that is reached or corrected is left first.
      if (event.target instanceof Element && event.target.closest("[data-row]")) return;
      event.preventDefault();
      onEscape();
    };
    // Before anything in the page has answered the key and is gone.
    window.addEventListener("keydown", handleKeyDown, { capture: true });
    return () => {
      window.removeEventListener("keydown", handleKeyDown, { capture: true });
      uncover();
      toggle()?.focus();
    };
  }, [panel, open]);
}

/** What a panel is for assistive technology while it lies over the page. */
export const overlayProps = (open: boolean, label: string) =>
  open
    ? ({ role: "dialog", "aria-modal": true, "aria-label": label, "data-overlay": true } as const)
    : {};
