import { useNavigate } from "@tanstack/react-router";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { copyText } from "#client/lib/notifications.ts";
import { formatGuestText } from "#client/reading/format-text.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { withData } from "#client/state/queries.tsx";
import { Button } from "#client/ui/button.tsx";
import { Dialog, footerClass } from "#client/ui/dialog.tsx";
import { useT } from "./dialog-messages/index.ts";
import { engineMessages } from "./engine-messages/index.ts";
import { SaveForm } from "./save-form.tsx";
import { currentDialog, type DialogKind } from "./screen-state.ts";
import { Settings } from "./settings.tsx";

const SpeechChoices = lazyPart(
  async () => ({ default: withData((await import("./head-message.tsx")).SpeechChoices) }),
  engineMessages,
);

export default function Dialogs({ session }: { session: RecordingSession }) {
  const t = useT();
  const current = useValue(currentDialog);
  const onClose = () => currentDialog.set(null);
  const when = (kind: DialogKind) => ({ open: current === kind, onClose });
  return (
    <>
      <Dialog {...when("save")} title={t("saveDialog.title")} description={t("saveDialog.text")}>
        <SaveForm session={session} onClose={onClose} />
      </Dialog>
      <Dialog {...when("keep")} title={t("notice.signInRequired")} description={t("keep.text")}>
        <KeepOffer session={session} />
      </Dialog>
      <Dialog {...when("speech")} title={t("speech.title")}>
        <SpeechChoices session={session} onClose={onClose} />
      </Dialog>
      <Dialog {...when("settings")} title={t("settings.title")}>
        <Settings />
      </Dialog>
    </>
  );
}

/** How a guest can keep the transcript, which is on this page only. */
function KeepOffer({ session }: { session: RecordingSession }) {
  const t = useT();
  const navigate = useNavigate();
  const toAuth = (signUp: boolean) =>
    void navigate({ to: "/auth", search: { redirect: "/record" }, state: { signUp } });

  function copy() {
    const text = formatGuestText(session.lecture.get().transcript, session.view.get());
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
