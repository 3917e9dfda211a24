import { useState } from "react";
import { useT } from "#client/i18n/library/index.ts";
import { deleteLecture } from "#client/state/library/lecture-actions.ts";
import type { DeleteDialogProps } from "#client/state/library/lecture-dialogs.ts";
import { AlertDialog } from "#client/ui/alert-dialog.tsx";
import { Button } from "#client/ui/button.tsx";

export default function DeleteDialog(props: DeleteDialogProps) {
  const { lecture, onClose, onDeleting, onDeleted } = props;
  const t = useT();
  const [deleting, setDeleting] = useState(false);

  async function confirm(id: string) {
    setDeleting(true);
    onDeleting?.(true);
    const deleted = await deleteLecture(id);
    setDeleting(false);
    if (!deleted) return onDeleting?.(false);
    onClose();
    onDeleted?.();
  }

  return (
    <AlertDialog
      open={lecture !== null}
      busy={deleting}
      onClose={onClose}
      title={t("delete.title")}
      text={t("delete.text")}
    >
      <Button disabled={deleting} onClick={onClose}>
        {t("common.cancel")}
      </Button>
      <Button
        look="danger"
        disabled={deleting}
        onClick={() => {
          if (lecture) void confirm(lecture.id);
        }}
      >
        {t(deleting ? "delete.busy" : "delete.confirm")}
      </Button>
    </AlertDialog>
  );
}
