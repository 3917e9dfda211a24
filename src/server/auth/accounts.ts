import { and, eq, sql } from "drizzle-orm";
import { profiles, users } from "#drizzle/schema.ts";
import { allowLongStatements, type Database, toTimestamp } from "#server/database.ts";
import { violatesConstraint } from "#server/errors.ts";
import type { SessionUser } from "#shared/account.ts";
import { AppError } from "#shared/errors.ts";

/** The form in which addresses are stored and compared, so that one address has one account. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

interface NewAccount {
  id: string;
  email: string;
  passwordHash: string;
  /** The address is known to be its owner's. */
  isConfirmed?: boolean;
  now: Date;
}

/**
 * Creates an account and its profile in one transaction.
 *
 * @throws AppError `email_in_use`
 */
export async function createAccount(
  db: Database,
  { id, email, passwordHash, isConfirmed = false, now }: NewAccount,
): Promise<void> {
  const emailVerifiedAt = isConfirmed ? now : null;
  const moments = { createdAt: now, updatedAt: now };
  try {
    await db.batch([
      db.insert(users).values({ id, email, passwordHash, emailVerifiedAt, ...moments }),
      db.insert(profiles).values({ userId: id, ...moments }),
    ]);
  } catch (error) {
    if (violatesConstraint(error, "users_email_key"))
      throw new AppError("email_in_use", { cause: error });
    throw error;
  }
}

/** Finds the account with the normalized address `email`. */
export async function findAccount(
  db: Database,
  email: string,
): Promise<{ user: SessionUser; passwordHash: string } | null> {
  const emailVerified = sql<boolean>`${users.emailVerifiedAt} is not null`;
  const [account] = await db
    .select({
      user: { id: users.id, email: users.email, emailVerified },
      passwordHash: users.passwordHash,
    })
    .from(users)
    .where(eq(users.email, email));
  return account ?? null;
}

/** Replaces the hash `from` of an unchanged password; does nothing if the password was changed meanwhile. */
export async function upgradePasswordHash(
  db: Database,
  { userId, from, to }: { userId: string; from: string; to: string },
): Promise<void> {
  await db
    .update(users)
    .set({ passwordHash: to })
    .where(and(eq(users.id, userId), eq(users.passwordHash, from)));
}

interface PasswordReplacement {
  userId: string;
  passwordHash: string;
  now: Date;
}

/**
 * Replaces the password with the hash `before`, and ends every session, token and link of the account except the
 * sign-in session `keptId`. Returns false when the password was changed meanwhile.
 */
export async function replacePassword(
  db: Database,
  input: PasswordReplacement & { keptId: string; before: string },
): Promise<boolean> {
  const { userId, keptId, before, passwordHash, now } = input;
  const [{ rows }] = await db.batch([
    db.execute(sql`
      update users set password_hash = ${passwordHash}, updated_at = ${toTimestamp(now)}
      where id = ${userId}::uuid and password_hash = ${before} returning 1`),
    ...endSessionStatements(db, { userId, passwordHash, keep: keptId }),
  ]);
  return rows.length > 0;
}

/**
 * Uses a recovery session to set a new password, and ends every session, token and link of the account. Confirms the
 * address, because the link was sent there. Returns false when the recovery session was already used.
 */
export async function resetPassword(
  db: Database,
  input: PasswordReplacement & { recoveryId: string },
): Promise<boolean> {
  const { recoveryId, userId, passwordHash, now } = input;
  const at = toTimestamp(now);
  const [{ rows }] = await db.batch([
    db.execute(sql`
      with recovery_session as (
        delete from sessions
        where id = ${recoveryId} and user_id = ${userId}::uuid and scope = 'recovery'
          and expires_at > ${at}
        returning user_id
      )
      update users set password_hash = ${passwordHash}, updated_at = ${at},
        email_verified_at = coalesce(email_verified_at, ${at})
      from recovery_session where users.id = recovery_session.user_id returning 1`),
    ...endSessionStatements(db, { userId, passwordHash, keep: null }),
  ]);
  return rows.length > 0;
}

/**
 * Statements that end sessions, families, programs' tokens and links (of every type) of an account whose password is
 * `passwordHash`. A hash is salted, so one that was not written by this batch ends nothing.
 */
function endSessionStatements(
  db: Database,
  { userId, passwordHash, keep }: { userId: string; passwordHash: string; keep: string | null },
) {
  const isOwn = sql`user_id = (
    select id from users where id = ${userId}::uuid and password_hash = ${passwordHash}
  )`;
  return [
    db.execute(sql`
      delete from refresh_families where ${isOwn}
        and id is distinct from (select family_id from sessions where id = ${keep}::text)`),
    db.execute(sql`delete from sessions where ${isOwn} and id is distinct from ${keep}::text`),
    db.execute(sql`delete from one_time_tokens where ${isOwn}`),
    db.execute(sql`delete from personal_tokens where ${isOwn}`),
    db.execute(sql`delete from oauth_codes where ${isOwn}`),
  ] as const;
}

/**
 * Deletes the user, with what others have shared with their address; foreign keys cascade to all their data. Refused
 * while the user has a Stripe customer other than `customerId` (which was deleted at Stripe), because that customer
 * could still be charged. The locks prevent another tab from adding a customer meanwhile.
 *
 * @returns false when there is another customer; nothing is deleted then.
 */
export async function deleteAccount(
  db: Database,
  { userId, customerId }: { userId: string; customerId: string | null },
): Promise<boolean> {
  const [, , , { rows }] = await db.batch([
    db.execute(allowLongStatements),
    db.execute(sql`select 1 from users where id = ${userId}::uuid for update`),
    db.execute(sql`select 1 from subscriptions where user_id = ${userId}::uuid for update`),
    db.execute(sql`
      with other as (
        select from subscriptions
        where user_id = ${userId}::uuid and stripe_customer_id is not null
          and stripe_customer_id is distinct from ${customerId}::text
      ),
      left_lectures as (
        delete from lecture_members using users as member
        where member.id = ${userId}::uuid and member.email = lecture_members.email
          and not exists (select from other)
      ),
      deleted as (delete from users where id = ${userId}::uuid and not exists (select from other))
      select 1 from other`),
  ]);
  return rows.length === 0;
}
