import { and, eq, gt, inArray } from "drizzle-orm";
import { sessions } from "#drizzle/schema.ts";
import type { Database } from "#server/database.ts";

/** End times, in ms since the epoch, of the user's full sessions among `sessionIds` that are still valid. */
export async function findLiveSessions(
  db: Database,
  { userId, sessionIds, now }: { userId: string; sessionIds: string[]; now: Date },
): Promise<Map<string, number>> {
  const rows = await db
    .select({ id: sessions.id, expiresAt: sessions.expiresAt })
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, userId),
        eq(sessions.scope, "full"),
        inArray(sessions.id, sessionIds),
        gt(sessions.expiresAt, now),
      ),
    );
  return new Map(rows.map(({ id, expiresAt }) => [id, expiresAt.getTime()]));
}
