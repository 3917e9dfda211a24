import { t } from "#client/i18n/index.ts";
import { alertUser } from "#client/lib/notifications.ts";
import { hasGuestTranscript } from "./recording.ts";

/**
 * Runs `end`, which ends this tab's recording. A guest confirms first, because their transcript is stored nowhere
 * else, or keeps it: `signIn` opens the page on which it comes along.
 */
export function confirmDiscard(end: () => void, signIn: () => void): void {
  if (!hasGuestTranscript()) {
    end();
    return;
  }
  alertUser({
    title: t("notice.discardGuest"),
    text: t("notice.discardGuestText"),
    actions: [
      { label: t("notice.discard"), run: end, destructive: true },
      { label: t("notice.discardKeep"), run: signIn },
    ],
  });
}
