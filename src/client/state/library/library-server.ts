import type * as z from "zod/mini";
import { trpc } from "#client/state/trpc.ts";
import type { createFolderInput, moveFolderInput } from "#shared/folder.ts";
import type { LectureListItem } from "#shared/lecture.ts";
import type { Deletion } from "#shared/trash.ts";

export const libraryServer = {
  item: (id: string): Promise<LectureListItem> => trpc.lectures.item.query({ id }),
  renameLecture: (input: { id: string; title: string }): Promise<void> =>
    trpc.lectures.rename.mutate(input),
  moveLecture: (input: { id: string; folderId: string | null }): Promise<void> =>
    trpc.lectures.move.mutate(input),
  deleteLecture: (id: string): Promise<Deletion> => trpc.lectures.delete.mutate({ id }),
  // The dialog has had the user type the confirmation.
  deleteAll: (): Promise<Deletion> =>
    trpc.lectures.deleteAll.mutate({ confirmation: "delete all" }),
  createFolder: (input: z.input<typeof createFolderInput>): Promise<void> =>
    trpc.folders.create.mutate(input),
  renameFolder: (input: { id: string; name: string }): Promise<void> =>
    trpc.folders.rename.mutate(input),
  moveFolder: (input: z.input<typeof moveFolderInput>): Promise<void> =>
    trpc.folders.move.mutate(input),
  deleteFolder: (id: string): Promise<Deletion> => trpc.folders.delete.mutate({ id }),
  /** Restores everything that one deletion moved to the trash. */
  restore: (id: string): Promise<{ lectures: number; folders: number }> =>
    trpc.trash.restore.mutate({ id }),
};

export type LibraryServer = typeof libraryServer;
