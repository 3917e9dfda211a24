import { and, eq, inArray, lte, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import {
  folders,
  lectures,
  oneTimeTokens,
  refreshFamilies,
  sessions,
  webhookEvents,
} from "../../../drizzle/schema.ts";
import type { Database } from "../../server/database.ts";

const dayMs = 86_400_000;
/** How long a deleted lecture or folder can still be brought back. */
const keptMs = 30 * dayMs;
/** How long a link that came too late is told so; after that it is unknown. */
const lateMs = 30 * dayMs;
/** How long an event that comes again is known. Stripe sends one again for a month at most. */
const eventsKeptMs = 90 * dayMs;

/** Rows that one run removes at most, so that a run ends; the next one goes on. */
const most = { rows: 5_000, lectures: 500 };

export interface Purged {
  sessions: number;
  tokens: number;
  families: number;
  lectures: number;
  folders: number;
  webhookEvents: number;
}

/** Removes what has expired by `now`: the same call again removes nothing. */
export async function purgeExpired(db: Database, now: Date): Promise<Purged> {
  const deletedBefore = new Date(now.getTime() - keptMs);
  const child = alias(folders, "child");

  const expiredSessions = await db
    .delete(sessions)
    .where(
      inArray(
        sessions.id,
        db
          .select({ id: sessions.id })
          .from(sessions)
          .where(lte(sessions.expiresAt, now))
          .orderBy(sessions.expiresAt)
          .limit(most.rows),
      ),
    )
    .returning({ one: sql`1` });

  const expiredTokens = await db
    .delete(oneTimeTokens)
    .where(
      inArray(
        oneTimeTokens.tokenHash,
        db
          .select({ id: oneTimeTokens.tokenHash })
          .from(oneTimeTokens)
          .where(lte(oneTimeTokens.expiresAt, new Date(now.getTime() - lateMs)))
          .orderBy(oneTimeTokens.expiresAt)
          .limit(most.rows),
      ),
    )
    .returning({ one: sql`1` });

  // Their tokens and sessions go with them.
  const expiredFamilies = await db
    .delete(refreshFamilies)
    .where(
      inArray(
        refreshFamilies.id,
        db
          .select({ id: refreshFamilies.id })
          .from(refreshFamilies)
          .where(lte(refreshFamilies.expiresAt, now))
          .orderBy(refreshFamilies.expiresAt)
          .limit(most.rows),
      ),
    )
    .returning({ one: sql`1` });

  const oldLectures = await db
    .delete(lectures)
    .where(
      inArray(
        lectures.id,
        db
          .select({ id: lectures.id })
          .from(lectures)
          .where(lte(lectures.deletedAt, deletedBefore))
          .orderBy(lectures.deletedAt)
          .limit(most.lectures),
      ),
    )
    .returning({ one: sql`1` });

  // From the leaves up, a level each run: what still holds something stays.
  const oldFolders = await db
    .delete(folders)
    .where(
      inArray(
        folders.id,
        db
          .select({ id: folders.id })
          .from(folders)
          .where(
            and(
              lte(folders.deletedAt, deletedBefore),
              notExists(
                db.select({ one: sql`1` }).from(lectures).where(eq(lectures.folderId, folders.id)),
              ),
              notExists(
                db.select({ one: sql`1` }).from(child).where(eq(child.parentFolderId, folders.id)),
              ),
            ),
          )
          .orderBy(folders.deletedAt)
          .limit(most.rows),
      ),
    )
    .returning({ one: sql`1` });

  const oldEvents = await db
    .delete(webhookEvents)
    .where(
      inArray(
        webhookEvents.id,
        db
          .select({ id: webhookEvents.id })
          .from(webhookEvents)
          .where(lte(webhookEvents.processedAt, new Date(now.getTime() - eventsKeptMs)))
          .orderBy(webhookEvents.processedAt)
          .limit(most.rows),
      ),
    )
    .returning({ one: sql`1` });

  return {
    sessions: expiredSessions.length,
    tokens: expiredTokens.length,
    families: expiredFamilies.length,
    lectures: oldLectures.length,
    folders: oldFolders.length,
    webhookEvents: oldEvents.length,
  };
}
