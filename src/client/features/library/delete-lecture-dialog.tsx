import { useT } from "#client/i18n/library/index.ts";
import { deleteLecture } from "#client/state/library/lecture-actions.ts";
import type { DeleteDialogProps } from "#client/state/library/lecture-dialogs.ts";
import ConfirmDialog from "#client/ui/confirm-dialog.tsx";
import { trashRetentionDays } from "#shared/limits.ts";

export default function DeleteDialog(props: DeleteDialogProps) {
  const { lecture, onClose, onDeleting, onDeleted } = props;
  const t = useT();

  async function remove() {
    if (!lecture) return false;
    onDeleting?.(true);
    const deleted = await deleteLecture(lecture.id);
    if (deleted) onDeleted?.();
    else onDeleting?.(false);
    return deleted;
  }

  return (
    <ConfirmDialog
      open={lecture !== null}
      title={t("delete.title")}
      text={t("delete.text", { days: trashRetentionDays })}
      confirmLabel={t("delete.confirm")}
      busyLabel={t("delete.busy")}
      onClose={onClose}
      onConfirm={remove}
    />
  );
}
