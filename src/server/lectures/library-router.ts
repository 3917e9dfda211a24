import * as z from "zod/mini";
import { uuid } from "../../shared/lecture.ts";
import { searchQueryMaxLength } from "../../shared/limits.ts";
import type { SearchPage } from "../../shared/search.ts";
import { type Deletion, deletionOfAll } from "../../shared/trash.ts";
import { cursorInput } from "../page-cursor.ts";
import { searchLectures } from "../search/search.ts";
import { deleteForCaller } from "../trash/delete.ts";
import { router, userProcedure } from "../trpc.ts";
import { moveLecture } from "./move.ts";

/** Lectures as things in a library: moved, deleted, found. */
export const libraryRouter = router({
  move: userProcedure
    .input(z.object({ id: uuid, folderId: z.nullable(uuid) }))
    .mutation(({ ctx, input }) =>
      moveLecture(ctx.db, { ...input, userId: ctx.user.id, now: ctx.clock.now() }),
    ),

  /** To the trash, where it stays for 30 days. */
  delete: userProcedure
    .input(z.object({ id: uuid }))
    .mutation(
      ({ ctx, input: { id } }): Promise<Deletion> => deleteForCaller(ctx, { kind: "lecture", id }),
    ),

  /** All of the caller's lectures, to the trash; folders stay. */
  deleteAll: userProcedure
    .input(deletionOfAll)
    .mutation(({ ctx }): Promise<Deletion> => deleteForCaller(ctx, { kind: "all_lectures" })),

  /** Full text: titles, transcripts, translations and summaries, best first. */
  search: userProcedure
    .input(
      z.object({
        query: z.string().check(z.maxLength(searchQueryMaxLength)),
        cursor: cursorInput,
      }),
    )
    .query(
      ({ ctx, input }): Promise<SearchPage> =>
        searchLectures(ctx.db, {
          userId: ctx.user.id,
          query: input.query,
          cursor: input.cursor ?? null,
        }),
    ),
});
