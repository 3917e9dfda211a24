import { t } from "#client/i18n/index.ts";
import { visitor } from "./auth.ts";
import { alertUser } from "./notifications.ts";
import { recordingSession } from "./recording.ts";

/** Runs `end`, which ends the recording of this tab. A guest's words are nowhere else: the guest is asked first. */
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
