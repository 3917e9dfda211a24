import * as z from "zod/mini";
import type { Context } from "#server/context.ts";
import { toLogFields } from "#server/errors.ts";
import { cursorInput } from "#server/page-cursor.ts";
import { router, userProcedure, writeProcedure } from "#server/trpc.ts";
import { AppError } from "#shared/errors.ts";
import { uuid } from "#shared/lecture.ts";
import { purgeTrash } from "./purge.ts";
import { expireTrash, listTrash, restoreFromTrash } from "./queries.ts";

const itemProcedure = writeProcedure.input(z.object({ id: uuid }));

/** Purges after the response, within the limits of one call; the cron does the rest. */
function purgeInBackground(ctx: Context, userId: string): void {
  const { db, clock, logger } = ctx;
  ctx.runInBackground(
    purgeTrash(db, { now: clock.now(), userId }).then(
      (purged) => logger.info("trash_purged", { userId, ...purged }),
      (error) => logger.warn("trash_not_purged", { userId, ...toLogFields(error) }),
    ),
  );
}

export const trashRouter = router({
  list: userProcedure
    .input(z.object({ cursor: cursorInput }))
    .query(({ ctx, input }) => listTrash(ctx.db, { ...input, ...ctx.caller })),

  restore: itemProcedure.mutation(({ ctx, input }) =>
    restoreFromTrash(ctx.db, { ...input, ...ctx.caller }),
  ),

  /** Deletes one item permanently. */
  remove: itemProcedure.mutation(async ({ ctx, input }) => {
    const expired = await expireTrash(ctx.db, { ...input, ...ctx.caller });
    if (expired === 0) throw new AppError("not_found");
    purgeInBackground(ctx, ctx.user.id);
  }),

  /** Deletes everything in the trash permanently. */
  empty: writeProcedure.mutation(async ({ ctx }) => {
    const items = await expireTrash(ctx.db, { id: null, ...ctx.caller });
    if (items > 0) purgeInBackground(ctx, ctx.user.id);
    return { items };
  }),
});
