import * as z from "zod/mini";
import { cursorInput } from "#server/page-cursor.ts";
import { router, userProcedure } from "#server/trpc.ts";
import { countWrites } from "#server/write-limit.ts";
import { changeMarksInput, uuid } from "#shared/lecture.ts";
import { changeMarks, listMarks } from "./queries.ts";

export const marksRouter = router({
  /** A page of a lecture's marks, in no meaningful order. */
  list: userProcedure
    .input(z.object({ lectureId: uuid, cursor: cursorInput }))
    .query(({ ctx, input }) => listMarks(ctx.db, { ...input, userId: ctx.user.id })),

  /** Stores new and changed marks, and deletes others. */
  change: userProcedure.input(changeMarksInput).mutation(async ({ ctx, input }) => {
    await countWrites(
      ctx,
      input.marks.reduce((sum, { note }) => sum + note.length, 0),
    );
    await changeMarks(ctx.db, { ...input, userId: ctx.user.id, now: ctx.clock.now() });
  }),
});
