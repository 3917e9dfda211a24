import { signOutMessages, t } from "#client/i18n/sign-out/index.ts";
import { notifyLoadFailure } from "#client/lib/lazy.tsx";
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
  const ask = () =>
    alertUser({
      title: t("discard.title"),
      text: t("discard.text"),
      actions: [
        { label: t("discard.discard"), run: end, destructive: true },
        { label: t("discard.keep"), run: signIn },
      ],
    });
  void signOutMessages.load().then(ask, notifyLoadFailure);
}
