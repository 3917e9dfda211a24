import { t } from "#client/i18n/index.ts";
import { alertUser } from "./notifications.ts";
import { hasGuestTranscript } from "./recording.ts";

/** Runs `end`, which ends this tab's recording. A guest confirms first: their transcript is stored nowhere else. */
export function confirmDiscard(end: () => void): void {
  if (!hasGuestTranscript()) {
    end();
    return;
  }
  alertUser({
    title: t("notice.discardGuest"),
    text: t("notice.discardGuestText"),
    actions: [{ label: t("notice.discard"), run: end, destructive: true }],
  });
}
