import { Suspense } from "react";
import type { FolderTree } from "#client/state/library/folder-tree.ts";
import { useLectureDialogs } from "#client/state/library/lecture-dialogs.ts";
import { DeleteAllDialog, DeleteFolderDialog } from "./delete-dialogs.tsx";
import type { TreeDialog } from "./tree-state.ts";
import type { TreeCommands } from "./use-tree-commands.ts";

interface TreeDialogsProps {
  tree: FolderTree;
  dialog: TreeDialog;
  commands: TreeCommands;
  onImported: (id: string) => void;
}

export default function TreeDialogs({ tree, dialog, commands, onImported }: TreeDialogsProps) {
  const { DeleteDialog, ExportDialog, ImportDialog, MoveDialog } = useLectureDialogs();
  const close = () => commands.closeDialog();
  switch (dialog.kind) {
    case "deleteFolder":
      return <DeleteFolderDialog tree={tree} node={dialog.node} onClose={close} />;
    case "deleteAll":
      return <DeleteAllDialog lectures={dialog.lectures} onClose={close} />;
    case "move":
      return (
        <Suspense>
          <MoveDialog item={dialog.moved} onMove={commands.move} onClose={close} />
        </Suspense>
      );
    case "deleteLecture":
      return (
        <Suspense>
          <DeleteDialog lecture={dialog.lecture} onClose={close} />
        </Suspense>
      );
    case "export":
      return (
        <Suspense>
          <ExportDialog target={dialog.target} onClose={close} />
        </Suspense>
      );
    case "import":
      return (
        <Suspense>
          <ImportDialog folderId={null} onClose={close} onImported={onImported} />
        </Suspense>
      );
  }
}
