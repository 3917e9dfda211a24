import { type ComponentType, createContext, useContext } from "react";
import type { LectureListItem } from "#shared/lecture.ts";
import type { MovableItem } from "./folder-tree.ts";

export interface DeleteDialogProps {
  /** The lecture to delete; null while the dialog is closed. */
  lecture: Pick<LectureListItem, "id"> | null;
  onClose: () => void;
  /** True from the confirmation on, false again when the lecture was not deleted. */
  onDeleting?: (deleting: boolean) => void;
  onDeleted?: () => void;
}

export type ExportTarget =
  | { kind: "lecture"; id: string; title: string }
  | { kind: "folder"; id: string; name: string }
  | { kind: "everything" };

export interface ExportDialogProps {
  target: ExportTarget;
  /** Copies the text instead; without it that is not offered. */
  onCopy?: () => void;
  onClose: () => void;
}

export interface ImportDialogProps {
  /** The folder that the lecture goes into; null: Uncategorized. */
  folderId: string | null;
  /** A transcript, a backup, or sound and video; without any the person chooses. */
  files?: readonly File[];
  onClose: () => void;
  /** The lecture is in the library, and the dialog does not navigate to it. Not called for a backup. */
  onImported: (id: string) => void;
}

export interface TermsDialogProps {
  /** The glossary that the terms are for, which the person may change; null: the whole library's. */
  folderId: string | null;
  /** The file; without one the person chooses it. */
  file?: File;
  onClose: () => void;
}

export interface MoveDialogProps {
  item: MovableItem;
  onMove: (moved: MovableItem, folderId: string | null) => void;
  onClose: () => void;
}

/**
 * The dialogs that several features open for a lecture. Features do not import each other, so
 * `routes/library-provider.tsx` puts them together. Each is fetched when it is first rendered.
 */
export interface LectureDialogs {
  DeleteDialog: ComponentType<DeleteDialogProps>;
  ExportDialog: ComponentType<ExportDialogProps>;
  ImportDialog: ComponentType<ImportDialogProps>;
  MoveDialog: ComponentType<MoveDialogProps>;
  /** Proposes a file's terms for a glossary. */
  TermsDialog: ComponentType<TermsDialogProps>;
}

export const LectureDialogsContext = createContext<LectureDialogs | null>(null);

export function useLectureDialogs(): LectureDialogs {
  const dialogs = useContext(LectureDialogsContext);
  if (!dialogs) throw new Error("No LectureDialogsContext above this component");
  return dialogs;
}
