import { useState } from "react";
import { toastFailure } from "#client/lib/notifications.ts";
import { deleteFolder } from "#client/state/library/folder-actions.ts";
import { type FolderTree, listSubtree } from "#client/state/library/folder-tree.ts";
import { deleteAllLectures } from "#client/state/library/lecture-actions.ts";
import { useLectureDialogs } from "#client/state/library/lecture-dialogs.ts";
import { Button } from "#client/ui/button.tsx";
import { Dialog, footerClass } from "#client/ui/dialog.tsx";
import { Form } from "#client/ui/form.tsx";
import { TextField } from "#client/ui/text-field.tsx";
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
          onMismatch={() => toastFailure(t("tree.invalid"), t("tree.invalidText"))}
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
          onMismatch={() => toastFailure(t("auth.validationError"), t("validation.typeDeleteAll"))}
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
      return <ImportDialog folderId={null} onClose={onClose} onImported={onImported} />;
  }
}

interface ConfirmByTypingDialogProps {
  /** Also on the button. */
  title: string;
  text: string;
  /** The word to type, ignoring case; the same in both interface languages. */
  word: string;
  label: string;
  /** Shown below the field after a wrong word. */
  errorText: string;
  onClose: () => void;
  onMismatch: () => void;
  /** Resolves to whether it succeeded. */
  onConfirm: () => Promise<boolean>;
}

function ConfirmByTypingDialog(props: ConfirmByTypingDialogProps) {
  const { title, text, word, label, errorText, onClose, onMismatch, onConfirm } = props;
  const t = useT();
  const [input, setInput] = useState("");
  const [busy, setBusy] = useState(false);
  const matches = input.trim().toLowerCase() === word;

  async function submit() {
    if (!matches) {
      onMismatch();
      return { confirmation: errorText };
    }
    setBusy(true);
    if (await onConfirm()) {
      onClose();
      return null;
    }
    setBusy(false);
    return {};
  }

  return (
    <Dialog open busy={busy} onClose={onClose} title={title} description={text}>
      <Form busy={busy} onSubmit={submit} className="grid gap-5">
        <TextField
          name="confirmation"
          label={label}
          value={input}
          disabled={busy}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setInput(event.target.value)}
          onKeyDown={(event) => {
            // Enter does not submit a form whose button is disabled.
            if (event.key === "Enter" && !event.nativeEvent.isComposing && !matches)
              event.currentTarget.form?.requestSubmit();
          }}
        />
        <div className={footerClass}>
          <Button disabled={busy} onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" look="danger" disabled={busy || !matches}>
            {busy ? t("tree.deleting") : title}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
