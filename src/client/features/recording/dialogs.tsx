import { useValue } from "#client/lib/signal.ts";
import type { RecordingSession } from "#client/realtime/session-types.ts";
import { Dialog } from "#client/ui/dialog.tsx";
import { useT } from "./dialog-messages/index.ts";
import { KeepOffer } from "./keep-offer.tsx";
import { SaveForm } from "./save-form.tsx";
import { currentDialog, type DialogKind } from "./screen-state.ts";
import { Settings } from "./settings.tsx";

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
      <Dialog {...when("settings")} title={t("settings.title")}>
        <Settings session={session} />
      </Dialog>
    </>
  );
}
