import { useState } from "react";
import { AlertDialog } from "#client/ui/alert-dialog.tsx";
import { Button } from "#client/ui/button.tsx";
import { useT } from "./messages/index.ts";

interface RemoveDialogProps {
  /** The item to delete forever; null: everything in the trash. */
  name: string | null;
  onClose: () => void;
  onConfirm: () => Promise<boolean>;
}

export default function RemoveDialog({ name, onClose, onConfirm }: RemoveDialogProps) {
  const t = useT();
  const [working, setWorking] = useState(false);

  async function confirm() {
    setWorking(true);
    const done = await onConfirm();
    setWorking(false);
    if (done) onClose();
  }

  return (
    <AlertDialog
      open
      busy={working}
      onClose={onClose}
      title={t(name === null ? "trash.emptyTitle" : "trash.removeTitle")}
      text={name === null ? t("trash.emptyText") : t("trash.removeText", { name })}
    >
      <Button disabled={working} onClick={onClose}>
        {t("common.cancel")}
      </Button>
      <Button look="danger" disabled={working} onClick={() => void confirm()}>
        {t(working ? "delete.busy" : name === null ? "trash.empty" : "trash.remove")}
      </Button>
    </AlertDialog>
  );
}
