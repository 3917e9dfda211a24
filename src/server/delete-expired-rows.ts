import { inArray, lt, lte, sql } from "drizzle-orm";
import {
  dailyCounters,
  oneTimeTokens,
  refreshFamilies,
  sessions,
  webhookEvents,
} from "#drizzle/schema.ts";
import type { Database } from "./database.ts";

const dayMs = 86_400_000;
/** How long an expired link is reported as expired; after that it is unknown. */
const expiredLinkKeptMs = 30 * dayMs;
/** How long webhook events are kept to detect repeats. Stripe retries for at most a month. */
const webhookEventsKeptMs = 90 * dayMs;

/** Most rows that one run deletes per table; the next run continues. */
const maxRows = 5_000;

type Purged = "sessions" | "tokens" | "families" | "webhookEvents" | "dailyCounters";

/** Deletes expired rows. Idempotent. */
export async function purgeExpired(db: Database, now: Date): Promise<Record<Purged, number>> {
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
          .limit(maxRows),
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
          .where(lte(oneTimeTokens.expiresAt, new Date(now.getTime() - expiredLinkKeptMs)))
          .orderBy(oneTimeTokens.expiresAt)
          .limit(maxRows),
      ),
    )
    .returning({ one: sql`1` });

  // Their tokens and sessions are deleted by cascade.
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
          .limit(maxRows),
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
          .where(lte(webhookEvents.processedAt, new Date(now.getTime() - webhookEventsKeptMs)))
          .orderBy(webhookEvents.processedAt)
          .limit(maxRows),
      ),
    )
    .returning({ one: sql`1` });

  const pastDays = await db
    .delete(dailyCounters)
    .where(
      sql`(${dailyCounters.day}, ${dailyCounters.key}) in ${db
        .select({ day: dailyCounters.day, key: dailyCounters.key })
        .from(dailyCounters)
        .where(lt(dailyCounters.day, now.toISOString().slice(0, 10)))
        .orderBy(dailyCounters.day)
        .limit(maxRows)}`,
    )
    .returning({ one: sql`1` });

  return {
    sessions: expiredSessions.length,
    tokens: expiredTokens.length,
    families: expiredFamilies.length,
    webhookEvents: oldEvents.length,
    dailyCounters: pastDays.length,
  };
}
