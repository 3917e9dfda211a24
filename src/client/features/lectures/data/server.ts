import type * as z from "zod/mini";
import type { createFolderInput, moveFolderInput } from "../../../../shared/folder.ts";
import type { LectureListItem } from "../../../../shared/lecture.ts";
import type { Deletion } from "../../../../shared/trash.ts";
import { trpc } from "../../../lib/trpc.ts";

/** The procedures that change the library. */
export interface LibraryServer {
  item(id: string): Promise<LectureListItem>;
  renameLecture(input: { id: string; title: string }): Promise<void>;
  moveLecture(input: { id: string; folderId: string | null }): Promise<void>;
  deleteLecture(id: string): Promise<Deletion>;
  deleteAll(): Promise<Deletion>;
  createFolder(input: z.input<typeof createFolderInput>): Promise<void>;
  renameFolder(input: { id: string; name: string }): Promise<void>;
  moveFolder(input: z.input<typeof moveFolderInput>): Promise<void>;
  deleteFolder(id: string): Promise<Deletion>;
  /** Brings back what one deletion took. */
  restore(deletionId: string): Promise<{ lectures: number; folders: number }>;
}

export const libraryServer: LibraryServer = {
  item: (id) => trpc.lectures.item.query({ id }),
  renameLecture: (input) => trpc.lectures.rename.mutate(input),
  moveLecture: (input) => trpc.lectures.move.mutate(input),
  deleteLecture: (id) => trpc.lectures.delete.mutate({ id }),
  // The dialog has asked for the word.
  deleteAll: () => trpc.lectures.deleteAll.mutate({ confirmation: "delete all" }),
  createFolder: (input) => trpc.folders.create.mutate(input),
  renameFolder: (input) => trpc.folders.rename.mutate(input),
  moveFolder: (input) => trpc.folders.move.mutate(input),
  deleteFolder: (id) => trpc.folders.delete.mutate({ id }),
  restore: (id) => trpc.trash.restore.mutate({ id }),
};
