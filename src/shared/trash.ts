import * as z from "zod/mini";

export const deletionKinds = ["lecture", "folder", "all_lectures"] as const;

/** What a deletion took. */
export interface Deletion {
  /** In the trash; null where there was nothing to delete. */
  id: string | null;
  lectures: number;
  folders: number;
}

/** What was deleted by one action, and comes back by one. */
export interface TrashItem {
  id: string;
  kind: (typeof deletionKinds)[number];
  /** Title of the lecture or name of the folder; empty for all lectures. */
  name: string;
  /** How many went with it, subfolders and the folder itself included. */
  lectures: number;
  folders: number;
  /** ISO 8601. */
  deletedAt: string;
  /** From then on it cannot be brought back. */
  expiresAt: string;
}

/** 'delete all', typed in any case. */
export const deleteAllInput = z.object({
  confirmation: z.string().check(
    z.trim(),
    z.refine((value) => value.toLowerCase() === "delete all", "validation.typeDeleteAll"),
  ),
});
