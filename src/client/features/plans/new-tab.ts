import { t } from "../../i18n/index.ts";
import { signal } from "../../lib/signal.ts";

/** The address of a page that a browser would not show in a new tab; a link to it is shown then. */
export const blockedPage = signal<string | null>(null);

export interface NewTab {
  show(url: string): void;
  close(): void;
}

/**
 * Opens a tab before it is known what it will show. A browser lets a click do that, and no longer
 * once the server had to be asked.
 */
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
