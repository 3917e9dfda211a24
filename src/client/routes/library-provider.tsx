import type { ReactNode } from "react";
import { proposalMessages } from "#client/features/glossary/proposals/messages/index.ts";
import { fileMessages } from "#client/i18n/export-import/index.ts";
import { libraryMessages } from "#client/i18n/library/index.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import {
  type LectureDialogs,
  LectureDialogsContext,
} from "#client/state/library/lecture-dialogs.ts";
import { DataProvider } from "#client/state/queries.tsx";

const dialogs: LectureDialogs = {
  DeleteDialog: lazyPart(
    () => import("#client/features/library/delete-lecture-dialog.tsx"),
    libraryMessages,
  ),
  ExportDialog: lazyPart(() => import("#client/features/export/export-dialog.tsx"), fileMessages),
  ImportDialog: lazyPart(() => import("#client/features/import/import-dialog.tsx"), fileMessages),
  MoveDialog: lazyPart(() => import("#client/features/library/move-dialog.tsx"), libraryMessages),
  TermsDialog: lazyPart(
    () => import("#client/features/glossary/proposals/terms-dialog.tsx"),
    proposalMessages,
  ),
};

/** Provides the library's views with the server's data and the shared dialogs. */
export default function LibraryProvider({ children }: { children: ReactNode }) {
  return (
    <DataProvider>
      <LectureDialogsContext value={dialogs}>{children}</LectureDialogsContext>
    </DataProvider>
  );
}
