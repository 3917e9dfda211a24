import type { LectureListItem } from "../../../shared/lecture.ts";
import { useT } from "../../i18n/index.ts";
import { toast } from "../../lib/notify.ts";
import { api } from "../../lib/queries.tsx";
import { recordingSession } from "../../lib/recording.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Button } from "../../ui/button.tsx";

interface DeleteDialogProps {
  /** The lecture in question; null while nothing is asked. */
  lecture: LectureListItem | null;
  onClose: () => void;
}

export default function DeleteDialog({ lecture, onClose }: DeleteDialogProps) {
  const t = useT();
  const utils = api.useUtils();
  const remove = api.lectures.delete.useMutation({
    onSuccess: async (_result, { id }) => {
      // Nothing of it is saved any more, though some of it may still be on its way.
      recordingSession.get()?.lectureDeleted(id);
      await utils.lectures.list.invalidate();
      toast({ kind: "success", title: t("delete.done") });
      onClose();
    },
    onError: () => {
      toast({ kind: "failure", title: t("common.error"), description: t("delete.failed") });
    },
  });

  async function confirm(id: string) {
    const session = recordingSession.get();
    // What is still being recorded into it has to end first.
    if (session?.view.get().lecture?.id === id) await session.reset({ quiet: true });
    remove.mutate({ id });
  }

  return (
    <AlertDialog
      open={lecture !== null}
      onOpenChange={(open) => {
        if (!open && !remove.isPending) onClose();
      }}
      title={t("delete.title")}
      text={t("delete.text")}
    >
      <Button disabled={remove.isPending} onClick={onClose}>
        {t("common.cancel")}
      </Button>
      <Button
        look="seal"
        disabled={remove.isPending}
        onClick={() => {
          if (lecture) void confirm(lecture.id);
        }}
      >
        {t(remove.isPending ? "delete.busy" : "delete.confirm")}
      </Button>
    </AlertDialog>
  );
}
