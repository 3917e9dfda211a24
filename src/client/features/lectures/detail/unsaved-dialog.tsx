import { useState } from "react";
import { useT } from "../../../i18n/index.ts";
import { AlertDialog } from "../../../ui/alert-dialog.tsx";
import { Button } from "../../../ui/button.tsx";

interface UnsavedDialogProps {
  onStay: () => void;
  onLeave: () => void;
  /** Saves and leaves. */
  onSave: () => Promise<void>;
}

/** Asked by whoever leaves a lecture whose summary was changed and not saved. */
export default function UnsavedDialog({ onStay, onLeave, onSave }: UnsavedDialogProps) {
  const t = useT();
  const [saving, setSaving] = useState(false);
  return (
    <AlertDialog
      open
      onOpenChange={(open) => {
        if (!open && !saving) onStay();
      }}
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
        {t(saving ? "detail.savingSummary" : "detail.saveSummary")}
      </Button>
    </AlertDialog>
  );
}
