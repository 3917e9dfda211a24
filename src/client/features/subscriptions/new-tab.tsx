import { useValue } from "#client/lib/hooks.ts";
import { Signal } from "#client/lib/observable.ts";
import { NewTabLink } from "#client/ui/new-tab-link.tsx";
import { t, useT } from "./messages/index.ts";

/** The address of a page that the browser did not allow to open; a link to it is shown instead. */
export const blockedPage = new Signal<string | null>(null);

/** Opens a tab before its address is known: browsers allow that in a click handler, but not after a call. */
export function openTab() {
  blockedPage.set(null);
  const tab = window.open("", "_blank");
  if (tab) {
    // The other site must not get access to this page.
    tab.opener = null;
    tab.document.title = t("brand.name");
    tab.document.body.textContent = t("plans.opening");
  }
  return {
    show(url: string): void {
      if (tab && !tab.closed) tab.location.replace(url);
      else blockedPage.set(url);
    },
    close: (): void => tab?.close(),
  };
}

/** A link to a page that the browser did not allow to open in a new tab. */
export function BlockedPage() {
  const t = useT();
  const url = useValue(blockedPage);
  if (url === null) return null;
  return (
    <p role="alert" className="mb-6 rounded-m bg-paper-2 px-4.5 py-3 text-ink-2">
      {t("plans.blocked")} <NewTabLink href={url} label={t("plans.openPage")} />
    </p>
  );
}
