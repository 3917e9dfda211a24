import * as z from "zod/mini";
import { reportLectureChange } from "#server/lectures/queries.ts";
import { notifyShare } from "#server/sharing/queries.ts";
import { countWrites, router, userProcedure, writeProcedure } from "#server/trpc.ts";
import { uuid } from "#shared/lecture.ts";
import { deleteSlidesInput, moveSlidesInput, saveSlidesInput } from "#shared/slides.ts";
import {
  type ChangedSlides,
  deleteSlides,
  listSlides,
  moveSlides,
  readSlidesUsage,
  saveSlides,
} from "./queries.ts";

/** Tells the caller's other tabs, and readers of the lecture, that its slides have changed. */
export function reportSlides(
  ctx: Parameters<typeof reportLectureChange>[0] & Parameters<typeof notifyShare>[0],
  { lectureId, shareId }: ChangedSlides,
): void {
  notifyShare(ctx, shareId, { rows: null });
  reportLectureChange(ctx, lectureId);
}

/** Slides of lectures without their pictures, which `/api/slides/<id>/<kind>` takes and gives: see docs/api.md. */
export const slidesRouter = router({
  /** All slides of a lecture, in its order. */
  list: userProcedure
    .input(z.object({ lectureId: uuid }))
    .query(({ ctx, input }) => listSlides(ctx.db, { userId: ctx.user.id, id: input.lectureId })),

  /** Stores new and changed slides; their pictures follow. */
  save: userProcedure.input(saveSlidesInput).mutation(async ({ ctx, input }): Promise<void> => {
    await countWrites(
      ctx,
      input.slides.reduce((sum, { text }) => sum + text.length, 0),
    );
    reportSlides(ctx, await saveSlides(ctx.db, { ...input, ...ctx.caller }));
  }),

  /** Moves slides to other rows. */
  move: writeProcedure.input(moveSlidesInput).mutation(async ({ ctx, input }): Promise<void> => {
    reportSlides(ctx, await moveSlides(ctx.db, { ...input, ...ctx.caller }));
  }),

  /** Deletes slides with their pictures, which cannot be undone. */
  delete: writeProcedure
    .input(deleteSlidesInput)
    .mutation(async ({ ctx, input }): Promise<void> => {
      reportSlides(ctx, await deleteSlides(ctx.db, { ...input, userId: ctx.user.id }));
    }),

  /** What all slides of the account count, and may count. */
  usage: userProcedure.query(({ ctx }) => readSlidesUsage(ctx.db, ctx.user.id)),
});
