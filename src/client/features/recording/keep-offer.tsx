import { useNavigate } from "@tanstack/react-router";
import { copyText } from "#client/lib/notifications.ts";
import { formatGuestText } from "#client/reading/format-text.ts";
import type { RecordingSession } from "#client/realtime/session-types.ts";
import { Button } from "#client/ui/button.tsx";
import { footerClass } from "#client/ui/dialog.tsx";
import { useT } from "./dialog-messages/index.ts";

/** How a guest can keep the transcript, which is on this page only. */
export function KeepOffer({ session }: { session: RecordingSession }) {
  const t = useT();
  const navigate = useNavigate();
  const toAuth = (signUp: boolean) =>
    void navigate({ to: "/auth", search: { redirect: "/record" }, state: { signUp } });

  function copy() {
    const text = formatGuestText(session.transcript, session.view.get());
    void copyText(text, t("keep.copied"), [t("keep.copyFailed")]);
  }

  return (
    <div className={footerClass}>
      <Button onClick={copy}>{t("keep.copy")}</Button>
      <Button onClick={() => toAuth(false)}>{t("auth.signIn")}</Button>
      <Button look="ink" onClick={() => toAuth(true)}>
        {t("keep.createAccount")}
      </Button>
    </div>
  );
}
