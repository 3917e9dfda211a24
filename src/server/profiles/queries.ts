import { eq } from "drizzle-orm";
import { profiles } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";
import type { Theme } from "#shared/account.ts";

/** The theme that the user chose, or null when the profile is gone. */
export async function readTheme(db: Database, { userId }: { userId: string }) {
  const [row] = await db
    .select({ theme: profiles.theme })
    .from(profiles)
    .where(eq(profiles.userId, userId));
  return row?.theme ?? null;
}

/** False when the profile is gone. */
export async function writeTheme(
  db: Database,
  { userId, theme, now }: { userId: string; theme: Theme; now: Date },
): Promise<boolean> {
  const rows = await db
    .update(profiles)
    .set({ theme, updatedAt: now })
    .where(eq(profiles.userId, userId))
    .returning({ userId: profiles.userId });
  return rows.length > 0;
}
