import { eq } from "drizzle-orm";
import { profiles } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import { AppError } from "#shared/errors.ts";

/** @throws AppError `not_found` for an account that is deleted */
export async function readSummaryInstructions(db: Database, userId: string): Promise<string> {
  const [profile] = await db
    .select({ instructions: profiles.summaryInstructions })
    .from(profiles)
    .where(eq(profiles.userId, userId));
  if (!profile) throw new AppError("not_found");
  return profile.instructions;
}
