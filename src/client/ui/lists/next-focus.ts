/**
 * The element to focus when row `key` is removed: in the next row, else the previous row, else the page's heading.
 * Call it while the row still exists.
 */
export function findNextFocus(key: string): HTMLElement | null {
  const row = document.querySelector(`li[data-row-key="${CSS.escape(key)}"]`);
  const sibling = row?.nextElementSibling ?? row?.previousElementSibling;
  return sibling?.querySelector<HTMLElement>("a, button") ?? findPageHeading();
}

export const findPageHeading = (): HTMLElement | null =>
  document.querySelector<HTMLElement>("main h1");

/** Focuses `target` after the row and its dialog are gone, unless the user has focused something else. */
export function moveFocus(target: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const focused = document.activeElement;
    const elsewhere =
      focused !== document.body && !focused?.closest("[role=alertdialog], li[data-row-key]");
    if (elsewhere || !target?.isConnected) return;
    if (target.matches("h1")) target.tabIndex = -1;
    target.focus();
  });
}
