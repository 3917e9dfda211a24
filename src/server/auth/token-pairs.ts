import { and, eq, type SQL, sql } from "drizzle-orm";
import { refreshFamilies, refreshTokens, sessions, users } from "#drizzle/schema.ts";
import { type Database, toTimestamp } from "#server/database.ts";
import type { Tokens } from "#shared/account.ts";
import { AppError } from "#shared/errors.ts";
import { createSecret, sha256 } from "./secrets.ts";
import {
  getLatestEnd,
  recoveryLifetimeMs,
  type SessionScope,
  selectVerifiedOwner,
} from "./sessions.ts";

const accessLifetimeMs = 3_600_000;
/** Lifetime of a family after its last use, limited by its latest end. A recovery family is never extended. */
const familyLifetimeMs = 30 * 86_400_000;
/** Time in which a call whose answer was lost may be repeated. */
const repeatedCallMs = 30_000;

/**
 * Starts a sign-in without cookies: a new token family with its first pair. `passwordHash` is the hash that the
 * password was verified against, if there was one.
 *
 * @throws AppError `credentials_invalid` when the password was changed since.
 */
export async function startFamily(
  db: Database,
  {
    userId,
    scope,
    passwordHash,
    now,
  }: { userId: string; scope: SessionScope; passwordHash?: string; now: Date },
): Promise<Tokens> {
  const pair = { accessToken: createSecret(), refreshToken: createSecret() };
  const ends = {
    full: { access: accessLifetimeMs, family: familyLifetimeMs },
    recovery: { access: recoveryLifetimeMs, family: recoveryLifetimeMs },
  }[scope];
  const expiresAt = addMs(now, ends.access);
  const at = toTimestamp(now);
  const { rows } = await db.execute(sql`
    with owner as (${selectVerifiedOwner(userId, passwordHash)}),
    family as (
      insert into refresh_families (user_id, scope, expires_at, created_at)
      select id, ${scope}::session_scope, ${toTimestamp(addMs(now, ends.family))}, ${at} from owner
      returning id, user_id, scope
    ),
    refresh as (
      insert into refresh_tokens (token_hash, family_id, created_at)
      select ${sha256(pair.refreshToken)}, id, ${at} from family
    )
    insert into sessions (id, user_id, scope, family_id, expires_at, created_at)
    select ${sha256(pair.accessToken)}, user_id, scope, id, ${toTimestamp(expiresAt)}, ${at}
    from family
    returning 1`);
  if (rows.length === 0) throw new AppError("credentials_invalid");
  return { ...pair, expiresAt: expiresAt.toISOString() };
}

/**
 * Exchanges a refresh token for a new pair.
 *
 * A caller that lost the answer may repeat the call for 30 s with the same token from the same address, while nobody
 * has used the pair of the lost answer. That pair counts as used from then on.
 *
 * @param address the caller's network address, null where it says nothing
 * @throws AppError `token_invalid`, `token_expired`. A token that is reused otherwise may be stolen:
 * it ends the whole family, and `onReuse` is called.
 */
export async function rotateRefreshToken(
  db: Database,
  {
    refreshToken,
    address,
    now,
    onReuse,
  }: {
    refreshToken: string;
    address: string | null;
    now: Date;
    onReuse: (userId: string) => void;
  },
): Promise<Tokens> {
  const tokenHash = sha256(refreshToken);
  // Without the token, which is not stored, nobody can find the address by trying all of them.
  const caller = sha256(`${refreshToken} ${address ?? ""}`);
  const at = toTimestamp(now);
  const family = sql`
    family.id, family.user_id, family.scope, family.expires_at,
    ${getLatestEnd(sql`family.created_at`)} as latest_end`;
  const pair =
    (await createNextPair(
      db,
      sql`
        update refresh_tokens set used_at = ${at}, used_by = ${caller}
        from refresh_families as family
        where refresh_tokens.token_hash = ${tokenHash} and refresh_tokens.used_at is null
          and family.id = refresh_tokens.family_id and family.expires_at > ${at}
        returning ${family}, refresh_tokens.used_at`,
      now,
    )) ??
    (await createNextPair(
      db,
      // A pair has the time at which its predecessor was used, also after a repeated call.
      sql`
        update refresh_tokens as lost set used_at = ${at}
        from refresh_tokens as used, refresh_families as family
        where used.token_hash = ${tokenHash} and used.used_by = ${caller}
          and used.used_at >= ${toTimestamp(addMs(now, -repeatedCallMs))}
          and lost.family_id = used.family_id and lost.created_at = used.used_at
          and lost.used_at is null
          and family.id = used.family_id and family.expires_at > ${at}
        returning ${family}, used.used_at`,
      now,
    ));
  if (pair) return pair;

  const [known] = await db
    .select({
      familyId: refreshTokens.familyId,
      userId: refreshFamilies.userId,
      usedAt: refreshTokens.usedAt,
    })
    .from(refreshTokens)
    .innerJoin(refreshFamilies, eq(refreshFamilies.id, refreshTokens.familyId))
    .where(eq(refreshTokens.tokenHash, tokenHash));
  if (!known) throw new AppError("token_invalid");
  if (!known.usedAt) throw new AppError("token_expired");
  await db.delete(refreshFamilies).where(eq(refreshFamilies.id, known.familyId));
  onReuse(known.userId);
  throw new AppError("token_invalid");
}

/** Adds a pair to the family that `useToken` returns, and extends the family; null if it returns none. */
async function createNextPair(db: Database, useToken: SQL, now: Date): Promise<Tokens | null> {
  const pair = { accessToken: createSecret(), refreshToken: createSecret() };
  const accessEnd = toTimestamp(addMs(now, accessLifetimeMs));
  const { rows } = await db.execute<{ expires_at: string }>(sql`
    with used_token as (${useToken}),
    extended_family as (
      update refresh_families set
        expires_at = least(${toTimestamp(addMs(now, familyLifetimeMs))}, ${getLatestEnd(sql`created_at`)})
      where scope = 'full' and id in (select id from used_token)
    ),
    new_refresh_token as (
      insert into refresh_tokens (token_hash, family_id, created_at)
      select ${sha256(pair.refreshToken)}, id, used_at from used_token
    ),
    new_session as (
      insert into sessions (id, user_id, scope, family_id, expires_at, created_at)
      select ${sha256(pair.accessToken)}, user_id, scope, id,
        case when scope = 'full' then least(${accessEnd}, latest_end) else expires_at end,
        ${toTimestamp(now)}
      from used_token
      returning expires_at
    )
    select to_json(expires_at) #>> '{}' as expires_at from new_session`);
  const [row] = rows;
  return row ? { ...pair, expiresAt: new Date(row.expires_at).toISOString() } : null;
}

/**
 * Finds the recovery session of a token pair from a URL's hash.
 *
 * A pair of the full scope is rejected: opening a link must not sign in to the account of the link's author.
 *
 * @throws AppError `token_invalid`, `token_expired`
 */
export async function findRecoverySession(
  db: Database,
  { accessToken, refreshToken, now }: { accessToken: string; refreshToken: string; now: Date },
): Promise<{ email: string; expiresAt: Date }> {
  const [row] = await db
    .select({ email: users.email, expiresAt: sessions.expiresAt, usedAt: refreshTokens.usedAt })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(refreshTokens, eq(refreshTokens.familyId, sessions.familyId))
    .where(
      and(
        eq(sessions.id, sha256(accessToken)),
        eq(sessions.scope, "recovery"),
        eq(refreshTokens.tokenHash, sha256(refreshToken)),
      ),
    );
  if (!row || row.usedAt) throw new AppError("token_invalid");
  if (row.expiresAt.getTime() <= now.getTime()) throw new AppError("token_expired");
  return { email: row.email, expiresAt: row.expiresAt };
}

const addMs = (now: Date, ms: number) => new Date(now.getTime() + ms);
