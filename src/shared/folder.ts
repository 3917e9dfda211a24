import * as z from "zod/mini";
import { uuid } from "./lecture.ts";
import { folderNameMaxLength } from "./limits.ts";
import { storedText } from "./stored-text.ts";

/** Trimmed; a blank one is refused. */
const folderName = storedText(folderNameMaxLength).check(z.trim(), z.minLength(1));

/** `id` is chosen by the browser, so that a repeated call makes one folder. Null is the top of the tree. */
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
  /** Lectures that lie in the folder itself. */
  lectures: number;
}

/** What the lecture list is counted by. */
interface LectureCounts {
  /** All lectures. */
  total: number;
  /** Those in no folder. */
  uncategorized: number;
}

/** The whole tree, by name. */
export interface FolderList extends LectureCounts {
  folders: Folder[];
}

/** A page of folders for a row of filters, by name. */
export interface FolderPage extends LectureCounts {
  folders: Pick<Folder, "id" | "name" | "lectures">[];
  nextCursor: string | null;
}
