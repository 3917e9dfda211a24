import * as z from "zod/mini";
import { storedText } from "./fields.ts";
import { uuid } from "./lecture.ts";
import { folderNameMaxLength } from "./limits.ts";

/** Trimmed; must not be blank. */
const folderName = storedText(folderNameMaxLength).check(z.trim(), z.minLength(1));

/** The browser chooses `id`, so that a repeated call creates one folder. A null parent is the top level. */
export const createFolderInput = z.object({
  id: uuid,
  name: folderName,
  parentFolderId: z.nullable(uuid),
});

export const renameFolderInput = z.object({ id: uuid, name: folderName });

export const moveFolderInput = z.object({ id: uuid, parentFolderId: z.nullable(uuid) });

interface Folder {
  id: string;
  name: string;
  parentFolderId: string | null;
  /** ISO 8601. */
  createdAt: string;
  /** Number of lectures in the folder itself, without those in its subfolders. */
  lectures: number;
}

interface LectureCounts {
  /** All lectures. */
  total: number;
  /** Lectures in no folder. */
  uncategorized: number;
}

/** All folders, in no order. */
export interface FolderList extends LectureCounts {
  folders: Folder[];
}

/** A page of folders for the row of filters on the home screen, sorted by name. */
export interface FolderPage extends LectureCounts {
  folders: Pick<Folder, "id" | "name" | "lectures">[];
  nextCursor: string | null;
}
