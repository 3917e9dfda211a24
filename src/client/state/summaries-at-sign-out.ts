import { t } from "#client/i18n/sign-out/index.ts";
import { alertUser } from "#client/lib/notifications.ts";
import { openLectures } from "./recording.ts";

/**
 * Runs `end`, which signs out. If a summary that the person has written in this tab is not saved, they confirm first. The
 * messages of the sign-out have to be loaded. Loaded late.
 */
export function confirmSummaries(end: () => void): void {
  const isUnsaved = [...openLectures.get().values()].some(({ summary }) => {
    const { text, draft } = summary.get();
    return draft !== null && draft !== text;
  });
  if (!isUnsaved) {
    end();
    return;
  }
  alertUser({
    title: t("signOut.summary"),
    text: t("signOut.summaryText"),
    actions: [{ label: t("account.signOut"), run: end, destructive: true }],
  });
}
