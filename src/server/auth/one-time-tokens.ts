import { and, eq, type SQL, sql } from "drizzle-orm";
import { oneTimeTokens } from "#drizzle/schema.ts";
import { type Database, toTimestamp } from "#server/database.ts";
import { AppError } from "#shared/errors.ts";
import { createSecret, sha256 } from "./secrets.ts";

export type OneTimeTokenType = (typeof oneTimeTokens.$inferSelect)["type"];

const hourMs = 3_600_000;

/** How long a link works. */
const lifetimeMs: Record<OneTimeTokenType, number> = { signup: 24 * hourMs, recovery: hourMs };

/** Most links of one type for one account in an hour. */
const maxLinksPerHour = 5;

/**
 * Creates a token of `type` for a link in a mail, and invalidates earlier ones.
 *
 * @throws AppError `rate_limited` when the account got five in the last hour.
 */
export async function issueToken(
  db: Database,
  { userId, type, now }: { userId: string; type: OneTimeTokenType; now: Date },
): Promise<string> {
  const token = createSecret();
  const at = toTimestamp(now);
  const since = toTimestamp(new Date(now.getTime() - hourMs));
  const own = sql`user_id = ${userId}::uuid and type = ${type}::one_time_token_type`;
  const [, { rows }] = await db.batch([
    // Locks the account, so that the second of two concurrent calls replaces the first token.
    db.execute(sql`select 1 from users where id = ${userId}::uuid for update`),
    db.execute<{ is_issued: boolean; oldest: string | null }>(sql`
      with recent as (
        select count(*) < ${maxLinksPerHour}::int as is_allowed, min(created_at) as oldest
        from one_time_tokens where ${own} and created_at > ${since}
      ),
      replaced as (
        update one_time_tokens set used_at = ${at}
        where ${own} and used_at is null and (select is_allowed from recent)
      ),
      issued as (
        insert into one_time_tokens (token_hash, user_id, type, expires_at, created_at)
        select ${sha256(token)}, ${userId}::uuid, ${type}::one_time_token_type,
          ${toTimestamp(new Date(now.getTime() + lifetimeMs[type]))}, ${at}
        where (select is_allowed from recent)
        returning 1
      )
      select exists (select from issued) as is_issued, to_json(oldest) #>> '{}' as oldest
      from recent`),
  ]);
  const [row] = rows;
  if (row?.is_issued) return token;
  const waitMs = (row?.oldest ? Date.parse(row.oldest) - now.getTime() : 0) + hourMs;
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  throw new AppError("rate_limited", { retryAfterSeconds, detail: "links in an hour" });
}

/**
 * Uses a confirmation link, which confirms the account's address.
 *
 * @returns `isFirst`: the address was not confirmed before.
 * @throws AppError `token_invalid`, `token_expired`
 */
export async function confirmEmail(
  db: Database,
  { token, now }: { token: string; now: Date },
): Promise<{ id: string; email: string; isFirst: boolean }> {
  const tokenHash = sha256(token);
  // Locks the account before the link, in the same order as a new password that ends both.
  const { rows } = await db.execute<{ id: string; email: string; isFirst: boolean }>(sql`
    with owner as (
      select id, email_verified_at is null as is_first from users
      where id = (select user_id from one_time_tokens where token_hash = ${tokenHash})
      for update
    ),
    used_token as (${spendToken({ tokenHash, type: "signup", now, owner: sql`select id from owner` })})
    update users set
      email_verified_at = coalesce(email_verified_at, ${toTimestamp(now)}), updated_at = ${toTimestamp(now)}
    from used_token join owner on owner.id = used_token.user_id where users.id = used_token.user_id
    returning users.id, users.email, owner.is_first as "isFirst"`);
  return rows[0] ?? throwLinkError(db, { tokenHash, type: "signup", now });
}

/**
 * Uses a recovery link, which allows its user to set a new password once.
 *
 * @throws AppError `token_invalid`, `token_expired`
 */
export async function spendRecovery(
  db: Database,
  { token, now }: { token: string; now: Date },
): Promise<{ id: string; email: string }> {
  const tokenHash = sha256(token);
  const { rows } = await db.execute<{ id: string; email: string }>(sql`
    with used_token as (${spendToken({ tokenHash, type: "recovery", now })})
    select users.id, users.email from users join used_token on users.id = used_token.user_id`);
  return rows[0] ?? throwLinkError(db, { tokenHash, type: "recovery", now });
}

interface Link {
  tokenHash: string;
  type: OneTimeTokenType;
  now: Date;
}

/** One statement, so that a link works only once under concurrent calls. */
const spendToken = ({ tokenHash, type, now, owner }: Link & { owner?: SQL }) => sql`
  update one_time_tokens set used_at = ${toTimestamp(now)}
  where token_hash = ${tokenHash} and type = ${type}::one_time_token_type
    and used_at is null and expires_at > ${toTimestamp(now)}
    ${owner ? sql`and user_id in (${owner})` : sql``}
  returning user_id`;

/** Throws `token_expired` for an unused link after its lifetime, `token_invalid` for any other. */
async function throwLinkError(db: Database, { tokenHash, type, now }: Link): Promise<never> {
  const [row] = await db
    .select({ usedAt: oneTimeTokens.usedAt, expiresAt: oneTimeTokens.expiresAt })
    .from(oneTimeTokens)
    .where(and(eq(oneTimeTokens.tokenHash, tokenHash), eq(oneTimeTokens.type, type)));
  const isExpired = row && row.usedAt === null && row.expiresAt.getTime() <= now.getTime();
  throw new AppError(isExpired ? "token_expired" : "token_invalid");
}
