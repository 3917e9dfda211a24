import { signOutMessages, t } from "#client/i18n/sign-out/index.ts";
import { notifyLoadFailure } from "#client/lib/lazy.tsx";
import { alertUser } from "#client/lib/notifications.ts";
import { hasGuestRecording, hasGuestTranscript } from "./recording.ts";

/**
 * Runs `end`, which ends this tab's recording. A guest confirms first, because their transcript is stored nowhere
 * else, or keeps it: `signIn` opens the page on which it comes along. Sound without words does not.
 */
export function confirmDiscard(end: () => void, signIn: () => void): void {
  if (!hasGuestRecording()) {
    end();
    return;
  }
  const hasWords = hasGuestTranscript();
  const ask = () =>
    alertUser({
      title: t(hasWords ? "discard.title" : "discard.soundTitle"),
      text: t(hasWords ? "discard.text" : "discard.soundText"),
      actions: [
        { label: t("discard.discard"), run: end, destructive: true },
        hasWords
          ? { label: t("discard.keep"), run: signIn }
          : { label: t("discard.stay"), run() {} },
      ],
    });
  void signOutMessages.load().then(ask, notifyLoadFailure);
}
