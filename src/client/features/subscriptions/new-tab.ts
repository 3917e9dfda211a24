import { Signal } from "#client/lib/signal.ts";
import { t } from "./messages/index.ts";

/** The address of a page that the browser did not allow to open; a link to it is shown instead. */
export const blockedPage = new Signal<string | null>(null);

export interface NewTab {
  show(url: string): void;
  close(): void;
}

/** Opens a tab before its address is known: browsers allow that in a click handler, but not after a call. */
export function openTab(): NewTab {
  blockedPage.set(null);
  const tab = window.open("", "_blank");
  if (tab) {
    // The other site must not get access to this page.
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
