import * as z from "zod/mini";
import { cursorInput, nameFilter } from "#server/page-cursor.ts";
import { deleteForCaller } from "#server/trash/delete-for-caller.ts";
import { router, userProcedure, writeProcedure } from "#server/trpc.ts";
import {
  createFolderInput,
  type FolderList,
  type FolderPage,
  moveFolderInput,
  renameFolderInput,
} from "#shared/folder.ts";
import { uuid } from "#shared/lecture.ts";
import type { Deletion } from "#shared/trash.ts";
import { createFolder, moveFolder, renameFolder } from "./folder-changes.ts";
import { listFolderChips, listFolders } from "./queries.ts";

export const foldersRouter = router({
  /** The whole tree. */
  list: userProcedure.query(({ ctx }): Promise<FolderList> => listFolders(ctx.db, ctx.user.id)),

  /** Folders by name without their parents, in pages, for a row of filters. */
  chips: userProcedure
    .input(z.object({ cursor: cursorInput, name: nameFilter }))
    .query(
      ({ ctx, input }): Promise<FolderPage> =>
        listFolderChips(ctx.db, { ...input, userId: ctx.user.id }),
    ),

  create: writeProcedure
    .input(createFolderInput)
    .mutation(({ ctx, input }) =>
      createFolder(ctx.db, { ...input, userId: ctx.user.id, now: ctx.clock.now() }),
    ),

  rename: writeProcedure
    .input(renameFolderInput)
    .mutation(({ ctx, input }) =>
      renameFolder(ctx.db, { ...input, userId: ctx.user.id, now: ctx.clock.now() }),
    ),

  move: writeProcedure
    .input(moveFolderInput)
    .mutation(({ ctx, input }) =>
      moveFolder(ctx.db, { ...input, userId: ctx.user.id, now: ctx.clock.now() }),
    ),

  /** Moves a folder to the trash, with its subfolders and their lectures. */
  delete: writeProcedure
    .input(z.object({ id: uuid }))
    .mutation(
      ({ ctx, input }): Promise<Deletion> => deleteForCaller(ctx, { kind: "folder", id: input.id }),
    ),
});
