import { useT } from "../../i18n/index.ts";
import { storeDiarization } from "../../lib/preferences.ts";
import { useValue } from "../../lib/signal.ts";
import type { RecordingSession } from "../../realtime/contract.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Switch } from "../../ui/switch.tsx";

interface SettingsDialogProps {
  session: RecordingSession;
  open: boolean;
  onClose: () => void;
}

export default function SettingsDialog({ session, open, onClose }: SettingsDialogProps) {
  const t = useT();
  const { diarization } = useValue(session.view);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={t("settings.title")}
      closeLabel={t("common.close")}
    >
      <Switch
        label={t("settings.diarization")}
        hint={t("settings.diarizationHint")}
        checked={diarization}
        onChange={(on) => {
          storeDiarization(on);
          session.setDiarization(on);
        }}
      />
    </Dialog>
  );
}
