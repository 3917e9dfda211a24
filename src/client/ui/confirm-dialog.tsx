import { useState } from "react";
import { useT } from "#client/i18n/index.ts";
import { AlertDialog } from "./alert-dialog.tsx";
import { Button } from "./button.tsx";

interface ConfirmDialogProps {
  open: boolean;
  title: string;
  text: string;
  /** On the button that confirms; `busyLabel`: while `onConfirm` runs. */
  confirmLabel: string;
  busyLabel?: string;
  onClose: () => void;
  /** The dialog closes afterwards, unless it resolves to false. */
  onConfirm: () => Promise<boolean> | Promise<void> | void;
}

/** Asks before something is deleted or discarded. */
export default function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, text, confirmLabel, busyLabel = confirmLabel, onClose, onConfirm } = props;
  const t = useT();
  const [busy, setBusy] = useState(false);

  async function confirm() {
    setBusy(true);
    const done = await onConfirm();
    setBusy(false);
    if (done !== false) onClose();
  }

  return (
    <AlertDialog open={open} busy={busy} onClose={onClose} title={title} text={text}>
      <Button disabled={busy} onClick={onClose}>
        {t("common.cancel")}
      </Button>
      <Button look="danger" disabled={busy} onClick={() => void confirm()}>
        {busy ? busyLabel : confirmLabel}
      </Button>
    </AlertDialog>
  );
}
