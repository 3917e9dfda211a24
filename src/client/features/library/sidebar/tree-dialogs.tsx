import { Suspense } from "react";
import type { FolderTree } from "#client/state/library/folder-tree.ts";
import { useLectureDialogs } from "#client/state/library/lecture-dialogs.ts";
import { DeleteAllDialog, DeleteFolderDialog } from "./delete-dialogs.tsx";
import type { Asked } from "./tree-state.ts";
import type { Commands } from "./use-tree-commands.ts";

interface DialogsProps {
  tree: FolderTree;
  asked: Asked;
  commands: Commands;
  onImported: (id: string) => void;
}

export default function Dialogs({ tree, asked, commands, onImported }: DialogsProps) {
  const { DeleteDialog, ExportDialog, ImportDialog, MoveDialog } = useLectureDialogs();
  const close = () => commands.ask(null);
  switch (asked.kind) {
    case "deleteFolder":
      return <DeleteFolderDialog tree={tree} node={asked.node} onClose={close} />;
    case "deleteAll":
      return <DeleteAllDialog lectures={asked.lectures} onClose={close} />;
    case "move":
      return (
        <Suspense>
          <MoveDialog moved={asked.moved} onMove={commands.move} onClose={close} />
        </Suspense>
      );
    case "deleteLecture":
      return (
        <Suspense>
          <DeleteDialog lecture={asked.lecture} onClose={close} />
        </Suspense>
      );
    case "export":
      return (
        <Suspense>
          <ExportDialog target={asked.target} onClose={close} />
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
