import { and, asc, eq, sql } from "drizzle-orm";
import { webhooks } from "#drizzle/schema.ts";
import { type Database, lockLibrary, toTimestamp } from "#server/database.ts";
import { AppError } from "#shared/errors.ts";
import { webhooksMax } from "#shared/limits.ts";
import type { Webhook } from "#shared/programs.ts";

interface WebhookKey {
  userId: string;
  id: string;
}

const isOwn = ({ userId, id }: WebhookKey) => and(eq(webhooks.id, id), eq(webhooks.userId, userId));

/** @throws AppError `conflict` if the user has `webhooksMax` already. */
export async function createWebhook(
  db: Database,
  { userId, url, now }: { userId: string; url: string; now: Date },
): Promise<Webhook> {
  // The lock serialises the user's calls, so that each counts the webhooks of those before.
  const [, rows] = await db.batch([
    db.execute(lockLibrary(userId)),
    db
      .insert(webhooks)
      .select(
        sql`select gen_random_uuid(), users.id, ${url}::text, 0, null::int, null::timestamptz, null::timestamptz,
          ${toTimestamp(now)}
        from users where users.id = ${userId}::uuid
          and (select count(*) from webhooks where user_id = users.id) < ${webhooksMax}::int`,
      )
      .returning(),
  ]);
  const [row] = rows;
  if (!row) throw new AppError("conflict", { detail: "too many webhooks" });
  return toWebhook(row);
}

/** The oldest first. */
export async function listWebhooks(db: Database, userId: string): Promise<Webhook[]> {
  const rows = await db
    .select()
    .from(webhooks)
    .where(eq(webhooks.userId, userId))
    .orderBy(asc(webhooks.createdAt), asc(webhooks.id));
  return rows.map(toWebhook);
}

/** Deletes a webhook with what it was still to be sent. False if the user has none with this id. */
export async function deleteWebhook(db: Database, key: WebhookKey): Promise<boolean> {
  const rows = await db.delete(webhooks).where(isOwn(key)).returning({ id: webhooks.id });
  return rows.length > 0;
}

/** Sends events to a disabled webhook again. False if the user has none with this id. */
export async function enableWebhook(db: Database, key: WebhookKey): Promise<boolean> {
  const rows = await db
    .update(webhooks)
    .set({ failures: 0, disabledAt: null })
    .where(isOwn(key))
    .returning({ id: webhooks.id });
  return rows.length > 0;
}

function toWebhook(row: typeof webhooks.$inferSelect): Webhook {
  const { id, url, createdAt, lastAttemptAt, lastStatus, failures, disabledAt } = row;
  return {
    id,
    url,
    failures,
    lastStatus,
    isDisabled: disabledAt !== null,
    createdAt: createdAt.toISOString(),
    lastAttemptAt: lastAttemptAt?.toISOString() ?? null,
  };
}
