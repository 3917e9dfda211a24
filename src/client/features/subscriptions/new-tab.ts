import { Signal } from "#client/lib/signal.ts";
import { t } from "./messages/index.ts";

/** The address of a page that a browser would not show in a new tab; a link to it is shown then. */
export const blockedPage = new Signal<string | null>(null);

export interface NewTab {
  show(url: string): void;
  close(): void;
}

/** Opens a tab before its address is known: a browser allows that in a click, and not after a call. */
export function openTab(): NewTab {
  blockedPage.set(null);
  const tab = window.open("", "_blank");
  if (tab) {
    // What is shown there is no concern of this page, and this page none of its.
    tab.opener = null;
    tab.document.title = t("brand.name");
    tab.document.body.textContent = t("plans.opening");
  }
  return {
    show(url) {
      if (tab && !tab.closed) tab.location.replace(url);
      else blockedPage.set(url);
    },
    close: () => tab?.close(),
  };
}
