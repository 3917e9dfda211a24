import { deleteFolder } from "#client/state/library/folder-actions.ts";
import {
  type FolderNode,
  type FolderTree,
  listSubtree,
} from "#client/state/library/folder-tree.ts";
import { deleteAllLectures } from "#client/state/library/lecture-actions.ts";
import { toastFailure } from "#client/state/notifications.ts";
import { ConfirmByTypingDialog } from "./confirm-by-typing-dialog.tsx";
import { useT } from "./messages/index.ts";

interface DeleteFolderProps {
  tree: FolderTree;
  node: FolderNode;
  onClose: () => void;
}

export function DeleteFolderDialog({ tree, node, onClose }: DeleteFolderProps) {
  const t = useT();
  // The current folder, which may have changed since the dialog opened.
  const { name, lecturesBelow } = tree.byId.get(node.id) ?? node;
  return (
    <ConfirmByTypingDialog
      title={t("tree.deleteFolder")}
      text={t("tree.deleteFolderText", {
        name,
        folders: Math.max(0, listSubtree(tree, node.id).length - 1),
        lectures: lecturesBelow,
      })}
      word="delete"
      label={t("tree.typeDelete")}
      errorText={t("validation.typeDelete")}
      confirm={t("tree.deleteFolder")}
      onClose={onClose}
      onMismatch={() => toastFailure(t("tree.invalid"), t("tree.invalidText"))}
      onConfirm={() => deleteFolder(node.id)}
    />
  );
}

export function DeleteAllDialog({ lectures, onClose }: { lectures: number; onClose: () => void }) {
  const t = useT();
  return (
    <ConfirmByTypingDialog
      title={t("tree.deleteAll")}
      text={t("tree.deleteAllText", { count: lectures })}
      word="delete all"
      label={t("tree.typeDeleteAll")}
      errorText={t("validation.typeDeleteAll")}
      confirm={t("tree.deleteAll")}
      onClose={onClose}
      onMismatch={() => toastFailure(t("auth.validationError"), t("validation.typeDeleteAll"))}
      onConfirm={deleteAllLectures}
    />
  );
}
