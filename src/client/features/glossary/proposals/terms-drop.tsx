import { useState } from "react";
import { type TermsDialogProps, useLectureDialogs } from "#client/state/library/lecture-dialogs.ts";
import { useCachedFolders } from "#client/state/library/use-folders.ts";
import { useDroppedFiles } from "#client/ui/use-dropped-files.ts";
import { useT } from "./messages/index.ts";

export interface TermsDropProps {
  /** The glossary of files that are dropped on no folder. */
  folderId: string | null;
  /** Takes files that have another meaning on the page, for the folder on which they fell. Returns whether they have. */
  takeOther: (files: readonly File[], folderId: string | null, target: Element) => boolean;
  /** Of files that are dropped on no folder, where these have another meaning: what is done with them. */
  otherText?: string | undefined;
}

/** Accepts slides and notes that are dropped on the page, or on a folder of the sidebar, for its glossary. */
export default function TermsDrop({ folderId, takeOther, otherText }: TermsDropProps) {
  const t = useT();
  const { TermsDialog } = useLectureDialogs();
  const { getName } = useCachedFolders();
  const [dropped, setDropped] = useState<Omit<TermsDialogProps, "onClose"> | null>(null);
  const findFolder = (target: Element) => {
    const row = target.closest("[data-drop-folder]");
    return row ? row.getAttribute("data-drop-folder") || null : folderId;
  };
  const draggedOver = useDroppedFiles(
    (files, target) => {
      const [file] = files;
      const folder = findFolder(target);
      if (!file || takeOther(files, folder, target)) return;
      setDropped({ folderId: folder, file });
    },
    // An open dialog has its own meaning for files.
    () => document.querySelector("[data-dialog]") === null,
  );
  const isOnFolder = draggedOver?.closest("[data-drop-folder]") != null;
  const name = (id: string | null) => (id === null ? t("proposals.library") : (getName(id) ?? "…"));
  return (
    <>
      {draggedOver ? (
        <div className="pointer-events-none fixed inset-x-4 bottom-6 z-20 grid justify-items-center">
          <p
            role="status"
            className="max-w-full rounded-m border border-rule-strong bg-sheet px-5 py-3 text-center font-[550] shadow-sheet wrap-anywhere"
          >
            {otherText !== undefined && !isOnFolder
              ? otherText
              : t("proposals.dropOn", { folder: name(findFolder(draggedOver)) })}
          </p>
        </div>
      ) : null}
      {dropped ? <TermsDialog {...dropped} onClose={() => setDropped(null)} /> : null}
    </>
  );
}
