import * as z from "zod/mini";
import { reportLectureChange } from "#server/lectures/queries.ts";
import { cursorInput } from "#server/page-cursor.ts";
import { correctAs } from "#server/people/access.ts";
import { countWrites, router, userProcedure } from "#server/trpc.ts";
import { changeMarksInput, uuid } from "#shared/lecture.ts";
import { changeMarks, listMarks } from "./queries.ts";

export const marksRouter = router({
  /** A page of a lecture's marks, in no meaningful order. */
  list: userProcedure
    .input(z.object({ lectureId: uuid, cursor: cursorInput }))
    .query(({ ctx, input }) => listMarks(ctx.db, { ...input, ...ctx.caller })),

  /** Stores new and changed marks, and deletes others. */
  change: userProcedure.input(changeMarksInput).mutation(async ({ ctx, input }) => {
    await countWrites(
      ctx,
      input.marks.reduce((sum, { note }) => sum + note.length, 0),
    );
    const { now } = ctx.caller;
    const audience = await correctAs(ctx, input.lectureId, (writer) =>
      changeMarks(ctx.db, { ...input, ...writer, now }),
    );
    reportLectureChange(ctx, input.lectureId, audience);
  }),
});
