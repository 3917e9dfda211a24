import { useValue } from "#client/lib/signal.ts";
import { NewTabLink } from "#client/ui/new-tab-link.tsx";
import { useT } from "./messages/index.ts";
import { blockedPage } from "./new-tab.ts";

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
