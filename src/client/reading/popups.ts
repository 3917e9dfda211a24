/** Menus, lists and dialogs. A panel in full screen counts as part of the page. */
const popups = "[role=menu],[role=listbox],[role=alertdialog],[role=dialog]:not([data-overlay])";

export const isPopupOpen = (): boolean =>
  // A select keeps its closed list in the document after it was opened once.
  [...document.querySelectorAll(popups)].some((popup) => !popup.closest("[data-closed]"));

/** Parts of a panel in which Escape leaves only them: a row, the find field, a sheet. */
export const innerParts = "[data-row],[data-find],[data-sheet]";

/** ARIA attributes of a panel while it covers the page. */
export const overlayProps = (open: boolean, label: string) =>
  open
    ? ({ role: "dialog", "aria-modal": true, "aria-label": label, "data-overlay": true } as const)
    : {};
