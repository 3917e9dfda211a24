/**
 * What takes the focus when row `key` of a list goes: the next row, or the one before it; where it was the only
 * one, the page's heading. To be asked while the row is there.
 */
export function findNextFocus(key: string): HTMLElement | null {
  const row = document.querySelector(`li[data-row-key="${CSS.escape(key)}"]`);
  const beside = row?.nextElementSibling ?? row?.previousElementSibling;
  return beside?.querySelector<HTMLElement>("a, button") ?? findPageHeading();
}

export const findPageHeading = (): HTMLElement | null =>
  document.querySelector<HTMLElement>("main h1");

/** Gives `heir` the focus once the row and the question are gone, unless it was taken to another place by then. */
export function moveFocus(heir: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const now = document.activeElement;
    const elsewhere =
      now !== document.body && !now?.closest("[role=alertdialog], li[data-row-key]");
    if (elsewhere || !heir?.isConnected) return;
    if (heir.matches("h1")) heir.tabIndex = -1;
    heir.focus();
  });
}
