import { useState } from "react";
import { useValue } from "#client/lib/signal.ts";
import type { RecordingSession } from "#client/realtime/session-types.ts";
import { Dialog } from "#client/ui/dialog.tsx";
import { useT } from "./dialog-messages/index.ts";
import { currentDialog, type DialogState } from "./open-dialog.ts";
import { RetranslateForm } from "./retranslate-form.tsx";
import { SaveForm } from "./save-form.tsx";
import { Settings } from "./settings.tsx";
import { Shortcuts } from "./shortcuts.tsx";
import { SpeakersForm } from "./speakers-form.tsx";

export default function Dialogs({ session }: { session: RecordingSession }) {
  const t = useT();
  const current = useValue(currentDialog);
  const [firstSpeaker, setFirstSpeaker] = useState<string | null>(null);
  if (current?.kind === "speakers" && current.first !== firstSpeaker)
    setFirstSpeaker(current.first);
  const onClose = () => currentDialog.set(null);
  const when = (kind: DialogState["kind"]) => ({ open: current?.kind === kind, onClose });
  return (
    <>
      <Dialog {...when("save")} title={t("saveDialog.title")} description={t("saveDialog.text")}>
        <SaveForm session={session} onClose={onClose} />
      </Dialog>
      <Dialog {...when("settings")} title={t("settings.title")}>
        <Settings session={session} />
      </Dialog>
      <Dialog {...when("shortcuts")} title={t("shortcuts.title")}>
        <Shortcuts />
      </Dialog>
      <Dialog {...when("retranslate")} title={t("retranslate.title")}>
        <RetranslateForm session={session} onClose={onClose} />
      </Dialog>
      <Dialog {...when("speakers")} title={t("speakers.title")} description={t("speakers.text")}>
        <SpeakersForm session={session} first={firstSpeaker} onClose={onClose} />
      </Dialog>
    </>
  );
}
