import * as z from "zod/mini";
import { router, userProcedure, writeProcedure } from "#server/trpc.ts";
import { type Theme, themes } from "#shared/account.ts";
import { AppError } from "#shared/errors.ts";
import { readTheme, writeTheme } from "./queries.ts";

export const profilesRouter = router({
  get: userProcedure.query(async ({ ctx }): Promise<{ theme: Theme }> => {
    const theme = await readTheme(ctx.db, { userId: ctx.user.id });
    if (!theme) throw new AppError("not_found");
    return { theme };
  }),

  setTheme: writeProcedure
    .input(z.object({ theme: z.enum(themes) }))
    .mutation(async ({ ctx, input }): Promise<void> => {
      const now = ctx.clock.now();
      const found = await writeTheme(ctx.db, { userId: ctx.user.id, theme: input.theme, now });
      if (!found) throw new AppError("not_found");
    }),
});
