import { useBlocker } from "@tanstack/react-router";
import { useT } from "../../i18n/index.ts";
import { toast } from "../../lib/notify.ts";
import { recordingSession } from "../../lib/recording.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { plainText } from "./plain-text.ts";

const holdsWords = () => (recordingSession.get()?.transcript.wordCount.get() ?? 0) > 0;

/** Warns a guest on the way to the door that signing in ends what is kept on this page alone. */
export default function GuestLeave() {
  const t = useT();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ next }) => next.pathname === "/auth" && holdsWords(),
    enableBeforeUnload: false,
    withResolver: true,
  });

  async function copy() {
    const session = recordingSession.get();
    try {
      if (session) await navigator.clipboard.writeText(plainText(session.transcript));
      toast({ kind: "success", title: t("guestLeave.copied") });
    } catch {
      toast({ kind: "failure", title: t("guestLeave.copyFailed") });
    }
  }

  return (
    <AlertDialog
      open={status === "blocked"}
      onOpenChange={(open) => {
        if (!open) reset?.();
      }}
      title={t("guestLeave.title")}
      text={t("guestLeave.text")}
    >
      <Button look="quiet" onClick={() => reset?.()}>
        {t("guestLeave.stay")}
      </Button>
      <Button onClick={copy}>{t("guestLeave.copy")}</Button>
      <Button look="ink" onClick={() => proceed?.()}>
        {t("guestLeave.go")}
      </Button>
    </AlertDialog>
  );
}
