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
async function readProfile(db: Database, userId: string) {
  const [profile] = await db.select().from(profiles).where(eq(profiles.userId, userId));
  if (!profile) throw new AppError("not_found");
  return profile;
}

/** @throws AppError as `readProfile` */
async function updateProfile(
  db: Database,
  { userId, now }: { userId: string; now: Date },
  change: { theme: Theme } | { summaryInstructions: string },
): Promise<void> {
  const rows = await db
    .update(profiles)
    .set({ ...change, updatedAt: now })
    .where(eq(profiles.userId, userId))
    .returning({ userId: profiles.userId });
  if (rows.length === 0) throw new AppError("not_found");
}

/** @throws AppError as `readProfile` */
export const readSummaryInstructions = async (db: Database, userId: string): Promise<string> =>
  (await readProfile(db, userId)).summaryInstructions;

export const profilesRouter = router({
  get: userProcedure.query(async ({ ctx }): Promise<{ theme: Theme }> => {
    const { theme } = await readProfile(ctx.db, ctx.user.id);
    return { theme };
  }),

  setTheme: writeProcedure
    .input(z.object({ theme: z.enum(themes) }))
    .mutation(({ ctx, input }) => updateProfile(ctx.db, ctx.caller, input)),

  /** The person's own instructions for summaries; empty without any. */
  summaryInstructions: userProcedure.query(({ ctx }) =>
    readSummaryInstructions(ctx.db, ctx.user.id),
  ),

  setSummaryInstructions: writeProcedure
    .input(z.object({ instructions: storedText(summaryInstructionsMaxLength) }))
    .mutation(({ ctx, input }) =>
      updateProfile(ctx.db, ctx.caller, { summaryInstructions: input.instructions.trim() }),
    ),
});
