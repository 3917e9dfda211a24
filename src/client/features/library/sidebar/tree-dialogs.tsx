import { useBusy } from "#client/lib/hooks.ts";
import { deleteFolder } from "#client/state/library/folder-actions.ts";
import { type FolderTree, listSubtree } from "#client/state/library/folder-tree.ts";
import { deleteAllLectures } from "#client/state/library/lecture-actions.ts";
import { useLectureDialogs } from "#client/state/library/lecture-dialogs.ts";
import { Dialog } from "#client/ui/dialog.tsx";
import { toastFormFailure } from "#client/ui/form-failure.ts";
import { TypedConfirmation } from "#client/ui/typed-confirmation.tsx";
import { trashRetentionDays } from "#shared/limits.ts";
import { useT } from "./messages/index.ts";
import type { TreeCommands, TreeDialog } from "./use-tree-commands.ts";

interface TreeDialogsProps {
  tree: FolderTree;
  dialog: TreeDialog;
  commands: TreeCommands;
  onImported: (id: string) => void;
}

export default function TreeDialogs({ tree, dialog, commands, onImported }: TreeDialogsProps) {
  const t = useT();
  const { DeleteDialog, ExportDialog, ImportDialog, MoveDialog } = useLectureDialogs();
  const onClose = commands.closeDialog;
  switch (dialog.kind) {
    case "deleteFolder": {
      const { id } = dialog.node;
      // The current folder, which may have changed since the dialog opened.
      const { name, lecturesBelow } = tree.byId.get(id) ?? dialog.node;
      return (
        <ConfirmByTypingDialog
          title={t("tree.deleteFolder")}
          text={t("tree.deleteFolderText", {
            name,
            folders: Math.max(0, listSubtree(tree, id).length - 1),
            lectures: lecturesBelow,
            days: trashRetentionDays,
          })}
          word="delete"
          label={t("tree.typeDelete")}
          errorText={t("validation.typeDelete")}
          onClose={onClose}
          onMismatch={() => toastFormFailure(t("tree.invalid"), t("tree.invalidText"))}
          onConfirm={() => deleteFolder(id)}
        />
      );
    }
    case "deleteAll":
      return (
        <ConfirmByTypingDialog
          title={t("tree.deleteAll")}
          text={t("tree.deleteAllText", { count: dialog.lectures, days: trashRetentionDays })}
          word="delete all"
          label={t("tree.typeDeleteAll")}
          errorText={t("validation.typeDeleteAll")}
          onClose={onClose}
          onMismatch={() =>
            toastFormFailure(t("auth.validationError"), t("validation.typeDeleteAll"))
          }
          onConfirm={deleteAllLectures}
        />
      );
    case "move":
      return <MoveDialog item={dialog.moved} onMove={commands.move} onClose={onClose} />;
    case "deleteLecture":
      return <DeleteDialog lecture={dialog.lecture} onClose={onClose} />;
    case "export":
      return <ExportDialog target={dialog.target} onClose={onClose} />;
    case "import":
      return <ImportDialog folderId={dialog.folderId} onClose={onClose} onImported={onImported} />;
  }
}

interface ConfirmByTypingProps {
  /** Also on the button. */
  title: string;
  text: string;
  word: string;
  label: string;
  errorText: string;
  onClose: () => void;
  onMismatch: () => void;
  /** Resolves to whether it succeeded. */
  onConfirm: () => Promise<boolean>;
}

function ConfirmByTypingDialog({ title, text, onConfirm, ...form }: ConfirmByTypingProps) {
  const t = useT();
  const [busy, run] = useBusy();
  const { onClose } = form;

  async function confirm() {
    if (!(await run(onConfirm))) return {};
    onClose();
    return null;
  }

  return (
    <Dialog open busy={busy} onClose={onClose} title={title} description={text}>
      <TypedConfirmation
        {...form}
        busy={busy}
        submitLabel={busy ? t("tree.deleting") : title}
        onCancel={onClose}
        onConfirm={confirm}
      />
    </Dialog>
  );
}
