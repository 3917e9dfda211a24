import { useNavigate } from "@tanstack/react-router";
import type { RecordingSession } from "#client/realtime/session-types.ts";
import { toast, toastFailure } from "#client/state/notifications.ts";
import { Button } from "#client/ui/button.tsx";
import { footerClass } from "#client/ui/dialog.tsx";
import { useT } from "./dialog-messages/index.ts";

const formatTranscript = ({ transcript }: RecordingSession) =>
  transcript.blocks
    .get()
    .flatMap(({ rows }) =>
      rows.map(({ english, translated }) => `${english}\n${translated}`.trim()),
    )
    .join("\n\n");

/** How a guest can keep the transcript, which is on this page only. */
export function KeepOffer({ session }: { session: RecordingSession }) {
  const t = useT();
  const navigate = useNavigate();
  const toAuth = (signUp: boolean) =>
    void navigate({ to: "/auth", search: { redirect: "/record" }, state: { signUp } });

  async function copy() {
    try {
      await navigator.clipboard.writeText(formatTranscript(session));
      toast({ kind: "success", title: t("keep.copied") });
    } catch {
      toastFailure(t("keep.copyFailed"));
    }
  }

  return (
    <div className={footerClass}>
      <Button onClick={() => void copy()}>{t("keep.copy")}</Button>
      <Button onClick={() => toAuth(false)}>{t("auth.signIn")}</Button>
      <Button look="ink" onClick={() => toAuth(true)}>
        {t("keep.createAccount")}
      </Button>
    </div>
  );
}
