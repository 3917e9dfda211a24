import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import TermsDrop from "#client/features/glossary/proposals/terms-drop.tsx";
import { fileMessages } from "#client/i18n/export-import/index.ts";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { isMediaFile } from "#client/sound/media-files/media-file.ts";
import {
  type ImportDialogProps,
  useLectureDialogs,
} from "#client/state/library/lecture-dialogs.ts";
import { mediaImportsBegan } from "#client/state/preferences.ts";

const MediaImports = lazyPart(() => import("./media-imports.tsx"), fileMessages);

interface HomeDropProps {
  /** The folder that is shown; null: none. */
  folderId: string | null;
  /** A button of the page was pressed: the person chooses files. */
  isImporting?: boolean;
  onClose?: () => void;
  /** Of files that are dropped on no folder of the sidebar, those that are for the page itself. */
  ownFiles?: { take: (files: readonly File[]) => boolean; text: string };
  /** Shows what becomes of sound and video files. */
  showsProgress?: boolean;
}

/** Takes files that are dropped on a page: slides for the folder's glossary; transcripts, sound and video as lectures. */
export default function HomeDrop(props: HomeDropProps) {
  const { folderId, isImporting, onClose, ownFiles, showsProgress } = props;
  const { ImportDialog } = useLectureDialogs();
  const navigate = useNavigate();
  const mayShowImports = useValue(mediaImportsBegan);
  const [dropped, setDropped] = useState<Pick<ImportDialogProps, "folderId" | "files"> | null>(
    null,
  );
  const imported = dropped ?? (isImporting && { folderId });
  return (
    <>
      <TermsDrop
        folderId={folderId}
        otherText={ownFiles?.text}
        takeOther={(files, target, element) => {
          if (!element.closest("[data-drop-folder]") && ownFiles?.take(files)) return true;
          // Text files are lectures too, and a ZIP may be a backup.
          const isLecture = files.every(
            (file) => isMediaFile(file) || /\.(?:txt|srt|vtt|zip)$/i.test(file.name),
          );
          if (isLecture) setDropped({ folderId: target, files });
          return isLecture;
        }}
      />
      {imported ? (
        <ImportDialog
          {...imported}
          onImported={(id) => void navigate({ to: "/record", search: { lecture: id } })}
          onClose={() => {
            setDropped(null);
            onClose?.();
          }}
        />
      ) : null}
      {showsProgress && mayShowImports ? <MediaImports /> : null}
    </>
  );
}
