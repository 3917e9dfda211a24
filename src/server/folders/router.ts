import * as z from "zod/mini";
import { cursorInput, nameFilter } from "#server/page-cursor.ts";
import { deleteForCaller } from "#server/trash/delete-for-caller.ts";
import { router, userProcedure, writeProcedure } from "#server/trpc.ts";
import { moment, storedText } from "#shared/fields.ts";
import { uuid } from "#shared/lecture.ts";
import { folderNameMaxLength } from "#shared/limits.ts";
import { createFolder, moveFolder, renameFolder } from "./folder-changes.ts";
import { listFolderChips, listFolders } from "./queries.ts";

/** Trimmed; must not be blank. */
const folderName = storedText(folderNameMaxLength).check(z.trim(), z.minLength(1));

export const foldersRouter = router({
  /** The whole tree. */
  list: userProcedure.query(({ ctx }) => listFolders(ctx.db, ctx.user.id)),

  /** Folders by name without their parents, in pages, for a row of filters. */
  chips: userProcedure
    .input(z.object({ cursor: cursorInput, name: nameFilter }))
    .query(({ ctx, input }) => listFolderChips(ctx.db, { ...input, ...ctx.caller })),

  /** The browser chooses `id`, so that a repeated call creates one folder. A null parent is the top level. */
  create: writeProcedure
    .input(
      z.object({
        id: uuid,
        name: folderName,
        parentFolderId: z.nullable(uuid),
        /** Of a folder of a backup. */
        createdAt: z.exactOptional(moment),
      }),
    )
    .mutation(({ ctx, input }) => createFolder(ctx.db, { ...input, ...ctx.caller })),

  rename: writeProcedure
    .input(z.object({ id: uuid, name: folderName }))
    .mutation(({ ctx, input }) => renameFolder(ctx.db, { ...input, ...ctx.caller })),

  move: writeProcedure
    .input(z.object({ id: uuid, parentFolderId: z.nullable(uuid) }))
    .mutation(({ ctx, input }) => moveFolder(ctx.db, { ...input, ...ctx.caller })),

  /** Moves a folder to the trash, with its subfolders and their lectures. */
  delete: writeProcedure
    .input(z.object({ id: uuid }))
    .mutation(({ ctx, input: { id } }) => deleteForCaller(ctx, { kind: "folder", id })),
});
