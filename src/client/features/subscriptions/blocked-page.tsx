import { useValue } from "#client/lib/signal.ts";
import { NewTabLink } from "#client/ui/new-tab-link.tsx";
import { useT } from "./messages/index.ts";
import { blockedPage } from "./new-tab.ts";

/** Where a browser would not open a tab by itself, a link does. */
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
