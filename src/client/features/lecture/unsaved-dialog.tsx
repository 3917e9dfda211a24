import { useState } from "react";
import { AlertDialog } from "#client/ui/alert-dialog.tsx";
import { Button } from "#client/ui/button.tsx";
import { useT } from "./messages/index.ts";

interface UnsavedDialogProps {
  onStay: () => void;
  onLeave: () => void;
  onSave: () => Promise<void>;
}

export default function UnsavedDialog({ onStay, onLeave, onSave }: UnsavedDialogProps) {
  const t = useT();
  const [saving, setSaving] = useState(false);
  return (
    <AlertDialog
      open
      busy={saving}
      onClose={onStay}
      title={t("unsaved.title")}
      text={t("unsaved.text")}
    >
      <Button look="danger" disabled={saving} onClick={onLeave}>
        {t("unsaved.leave")}
      </Button>
      <Button disabled={saving} onClick={onStay}>
        {t("unsaved.stay")}
      </Button>
      <Button
        look="ink"
        disabled={saving}
        onClick={() => {
          setSaving(true);
          void onSave();
        }}
      >
        {t(saving ? "lecture.savingSummary" : "lecture.saveSummary")}
      </Button>
    </AlertDialog>
  );
}
