import { Suspense } from "react";
import { lazyPart } from "../../../lib/lazy.tsx";
import type { FolderTree } from "../data/tree.ts";
import { lectureMessages } from "../messages/index.ts";
import { transferMessages } from "../transfer/messages/index.ts";
import { DeleteAllDialog, DeleteFolderDialog } from "./delete-dialogs.tsx";
import type { Asked } from "./tree-state.ts";
import type { Commands } from "./use-commands.ts";

const DeleteDialog = lazyPart(() => import("../delete-dialog.tsx"), lectureMessages);
const ExportDialog = lazyPart(() => import("../transfer/export-dialog.tsx"), transferMessages);
const MoveDialog = lazyPart(() => import("../move-dialog.tsx"), lectureMessages);
const ImportDialog = lazyPart(() => import("../transfer/import-dialog.tsx"), transferMessages);

interface DialogsProps {
  tree: FolderTree;
  asked: Asked;
  commands: Commands;
  onImported: (id: string) => void;
}

export default function Dialogs({ tree, asked, commands, onImported }: DialogsProps) {
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
