import { useState } from "react";
import type { LectureListItem } from "../../../shared/lecture.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { useLectureActions } from "./data/library.ts";
import { useT } from "./messages/index.ts";

interface DeleteDialogProps {
  /** The lecture in question; null while nothing is asked. */
  lecture: Pick<LectureListItem, "id"> | null;
  onClose: () => void;
  /** True from the word on, false again when it was not deleted. */
  onDeleting?: (deleting: boolean) => void;
  onDeleted?: () => void;
}

export default function DeleteDialog(props: DeleteDialogProps) {
  const { lecture, onClose, onDeleting, onDeleted } = props;
  const t = useT();
  const { remove } = useLectureActions();
  const [deleting, setDeleting] = useState(false);

  async function confirm(id: string) {
    setDeleting(true);
    onDeleting?.(true);
    const deleted = await remove(id);
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
