import { t } from "#client/i18n/index.ts";
import { visitor } from "./auth.ts";
import { alertUser } from "./notifications.ts";
import { recordingSession } from "./recording.ts";

/** Runs `end`, which ends this tab's recording. A guest confirms first: their transcript is stored nowhere else. */
export function confirmDiscard(end: () => void): void {
  if (visitor.get().kind !== "guest" || !recordingSession.get()?.hasUnsavedChanges()) {
    end();
    return;
  }
  alertUser({
    title: t("notice.discardGuest"),
    text: t("notice.discardGuestText"),
    actions: [{ label: t("notice.discard"), run: end, destructive: true }],
  });
}
