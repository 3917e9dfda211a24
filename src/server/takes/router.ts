import * as z from "zod/mini";
import { cursorInput } from "#server/page-cursor.ts";
import { countWrites, router, userProcedure } from "#server/trpc.ts";
import { uuid } from "#shared/lecture.ts";
import { storeTakesInput } from "#shared/recorded-take.ts";
import { listTakes, storeTakes } from "./queries.ts";

export const takesRouter = router({
  /** A page of what became of the sound of a lecture's takes, in no meaningful order. */
  list: userProcedure
    .input(z.object({ lectureId: uuid, cursor: cursorInput }))
    .query(({ ctx, input }) => listTakes(ctx.db, { ...input, ...ctx.caller })),

  store: userProcedure.input(storeTakesInput).mutation(async ({ ctx, input }) => {
    await countWrites(ctx);
    await storeTakes(ctx.db, { ...input, ...ctx.caller });
  }),
});
