import * as z from "zod/mini";

export const deletionKinds = ["lecture", "folder", "all_lectures"] as const;

/** The result of a deletion. */
export interface Deletion {
  /** Id of the item in the trash; null if there was nothing to delete. */
  id: string | null;
  lectures: number;
  folders: number;
}

/** Lectures and folders that were deleted together and are restored together. */
export interface TrashItem {
  id: string;
  kind: (typeof deletionKinds)[number];
  /** Title of the lecture or name of the folder; empty for all lectures. */
  name: string;
  /** Of a lecture that has its date as its name: when it was created, ISO 8601; otherwise null. */
  datedAt: string | null;
  /** Numbers of deleted lectures and folders, including subfolders and the folder itself. */
  lectures: number;
  folders: number;
  /** ISO 8601. */
  deletedAt: string;
  /** When it is removed and can no longer be restored, ISO 8601. */
  expiresAt: string;
}

/** `confirmation` is "delete all", in upper or lower case. */
export const deleteAllInput = z.object({
  confirmation: z.string().check(
    z.trim(),
    z.refine((value) => value.toLowerCase() === "delete all", "validation.typeDeleteAll"),
  ),
});
