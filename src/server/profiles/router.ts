import { eq } from "drizzle-orm";
import * as z from "zod/mini";
import { profiles } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { router, userProcedure, writeProcedure } from "#server/trpc.ts";
import { type Theme, themes } from "#shared/account.ts";
import { AppError } from "#shared/errors.ts";
import { storedText } from "#shared/fields.ts";
import { summaryInstructionsMaxLength } from "#shared/limits.ts";

/** @throws AppError `not_found` for an account that is deleted */
export async function readSummaryInstructions(db: Database, userId: string): Promise<string> {
  const [profile] = await db
    .select({ instructions: profiles.summaryInstructions })
    .from(profiles)
    .where(eq(profiles.userId, userId));
  if (!profile) throw new AppError("not_found");
  return profile.instructions;
}

export const profilesRouter = router({
  get: userProcedure.query(async ({ ctx }): Promise<{ theme: Theme }> => {
    const [profile] = await ctx.db
      .select({ theme: profiles.theme })
      .from(profiles)
      .where(eq(profiles.userId, ctx.user.id));
    if (!profile) throw new AppError("not_found");
    return profile;
  }),

  setTheme: writeProcedure
    .input(z.object({ theme: z.enum(themes) }))
    .mutation(async ({ ctx, input }): Promise<void> => {
      const rows = await ctx.db
        .update(profiles)
        .set({ theme: input.theme, updatedAt: ctx.clock.now() })
        .where(eq(profiles.userId, ctx.user.id))
        .returning({ userId: profiles.userId });
      if (rows.length === 0) throw new AppError("not_found");
    }),

  /** The person's own instructions for summaries; empty without any. */
  summaryInstructions: userProcedure.query(({ ctx }) =>
    readSummaryInstructions(ctx.db, ctx.user.id),
  ),

  setSummaryInstructions: writeProcedure
    .input(z.object({ instructions: storedText(summaryInstructionsMaxLength) }))
    .mutation(async ({ ctx, input }): Promise<void> => {
      const rows = await ctx.db
        .update(profiles)
        .set({ summaryInstructions: input.instructions.trim(), updatedAt: ctx.clock.now() })
        .where(eq(profiles.userId, ctx.user.id))
        .returning({ userId: profiles.userId });
      if (rows.length === 0) throw new AppError("not_found");
    }),
});
