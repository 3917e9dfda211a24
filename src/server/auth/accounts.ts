import { and, eq, sql } from "drizzle-orm";
import { profiles, users } from "#drizzle/schema.ts";
import { allowLongStatements, type Database } from "#server/database.ts";
import { violatesConstraint } from "#server/errors.ts";
import type { SessionUser } from "#shared/account.ts";
import { AppError } from "#shared/errors.ts";

/** The form in which addresses are stored and compared, so that one address has one account. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * Creates an account and its profile in one transaction.
 *
 * @throws AppError `email_in_use`
 */
export async function createAccount(
  db: Database,
  { id, email, passwordHash, now }: { id: string; email: string; passwordHash: string; now: Date },
): Promise<void> {
  const moments = { createdAt: now, updatedAt: now };
  try {
    await db.batch([
      db.insert(users).values({ id, email, passwordHash, ...moments }),
      db.insert(profiles).values({ userId: id, ...moments }),
    ]);
  } catch (error) {
    if (violatesConstraint(error, "users_email_key"))
      throw new AppError("email_in_use", { cause: error });
    throw error;
  }
}

interface Account {
  id: string;
  passwordHash: string;
  user: SessionUser;
}

/** The account with the normalized address `email`, or null. */
export async function findAccount(
  db: Database,
  { email }: { email: string },
): Promise<Account | null> {
  const [row] = await db
    .select({
      id: users.id,
      email: users.email,
      passwordHash: users.passwordHash,
      emailVerifiedAt: users.emailVerifiedAt,
    })
    .from(users)
    .where(eq(users.email, email));
  if (!row) return null;
  const { id, passwordHash, emailVerifiedAt } = row;
  return {
    id,
    passwordHash,
    user: { id, email: row.email, emailVerified: emailVerifiedAt !== null },
  };
}

/** Replaces the hash of an unchanged password; does nothing if the password was changed in the meantime. */
export async function upgradePasswordHash(
  db: Database,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<void> {
  await db
    .update(users)
    .set({ passwordHash: to })
    .where(and(eq(users.id, id), eq(users.passwordHash, from)));
}

/**
 * Sets a new password for the password `before`, and ends every session and link of the account but
 * the session `sessionId`. False when the password had been changed in the meantime.
 */
export async function replacePassword(
  db: Database,
  {
    userId,
    sessionId,
    before,
    passwordHash,
    now,
  }: { userId: string; sessionId: string; before: string; passwordHash: string; now: Date },
): Promise<boolean> {
  const [{ rows }] = await db.batch([
    db.execute(sql`
      update users set password_hash = ${passwordHash}, updated_at = ${now.toISOString()}::timestamptz
      where id = ${userId}::uuid and password_hash = ${before} returning 1`),
    ...endSessionStatements(db, { userId, passwordHash, keep: sessionId }),
  ]);
  return rows.length > 0;
}

/**
 * Sets a new password by a recovery session, which is spent by it, and ends every session and link of
 * the account. The address is confirmed by it: the link had been sent there. False when the recovery
 * had been spent already.
 */
export async function resetPassword(
  db: Database,
  {
    recoveryId,
    userId,
    passwordHash,
    now,
  }: { recoveryId: string; userId: string; passwordHash: string; now: Date },
): Promise<boolean> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const [{ rows }] = await db.batch([
    db.execute(sql`
      with spent as (
        delete from sessions
        where id = ${recoveryId} and user_id = ${userId}::uuid and scope = 'recovery'
          and expires_at > ${at}
        returning user_id
      )
      update users set password_hash = ${passwordHash}, updated_at = ${at},
        email_verified_at = coalesce(email_verified_at, ${at})
      from spent where users.id = spent.user_id returning 1`),
    ...endSessionStatements(db, { userId, passwordHash, keep: null }),
  ]);
  return rows.length > 0;
}

/**
 * Statements that end sessions, families and links (of every type) of an account whose password is
 * `passwordHash`. A hash is salted, so one that was not written by this batch ends nothing.
 */
function endSessionStatements(
  db: Database,
  { userId, passwordHash, keep }: { userId: string; passwordHash: string; keep: string | null },
) {
  const own = sql`user_id = (
    select id from users where id = ${userId}::uuid and password_hash = ${passwordHash}
  )`;
  return [
    db.execute(sql`
      delete from refresh_families where ${own}
        and id is distinct from (select family_id from sessions where id = ${keep}::text)`),
    db.execute(sql`delete from sessions where ${own} and id is distinct from ${keep}::text`),
    db.execute(sql`delete from one_time_tokens where ${own}`),
  ] as const;
}

/**
 * Deletes the user; foreign keys cascade to all their data. Refused while the user has a Stripe customer other
 * than `customerId` (which was deleted at Stripe), because that customer could still be charged. The locks
 * prevent another tab from adding a customer meanwhile.
 *
 * @returns false when there is another customer; nothing is deleted then.
 */
export async function deleteAccount(
  db: Database,
  { userId, customerId }: { userId: string; customerId: string | null },
): Promise<boolean> {
  const [, , , { rows }] = await db.batch([
    db.execute(allowLongStatements()),
    db.execute(sql`select 1 from users where id = ${userId}::uuid for update`),
    db.execute(sql`select 1 from subscriptions where user_id = ${userId}::uuid for update`),
    db.execute(sql`
      with other as (
        select from subscriptions
        where user_id = ${userId}::uuid and stripe_customer_id is not null
          and stripe_customer_id is distinct from ${customerId}::text
      ),
      deleted as (delete from users where id = ${userId}::uuid and not exists (select from other))
      select 1 from other`),
  ]);
  return rows.length === 0;
}
