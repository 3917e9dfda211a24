import { and, eq, gt, sql } from "drizzle-orm";
import { oauthCodes, oauthTokens, personalTokens } from "#drizzle/schema.ts";
import { createSecret, sha256 } from "#server/auth/secrets.ts";
import { type Database, lockLibrary, toTimestamp } from "#server/database.ts";
import { createProgramSecret } from "#server/programs/personal-tokens.ts";
import { AppError } from "#shared/errors.ts";
import { personalTokensMax } from "#shared/limits.ts";
import type { CheckedRequest } from "./authorization.ts";
import { grantedScope } from "./metadata.ts";

/** For the way back to the program, and its call from there. */
const codeLifetimeMs = 60_000;
export const accessLifetimeMs = 3_600_000;
/** A program that does not come back in this time has to ask again, and in any case after a year. */
const grantLifetimeMs = 90 * 86_400_000;
const grantLongestMs = 365 * 86_400_000;
/** Time in which a call whose answer was lost may be repeated, or be made by two of the program's windows. */
const repeatedCallMs = 30_000;
/** How long a used refresh token is known, so that who uses it again is noticed. */
const usedTokenKeptMs = 7 * 86_400_000;

/** What a program gets. */
interface Tokens {
  access: string;
  refresh: string;
}

const addMs = (now: Date, ms: number) => toTimestamp(new Date(now.getTime() + ms));

/**
 * Creates a code for what the person has allowed, and returns its only copy.
 *
 * @throws AppError `conflict` if the person has as many programs as there can be.
 */
export async function createCode(
  db: Database,
  { userId, request, now }: { userId: string; request: CheckedRequest; now: Date },
): Promise<string> {
  const code = createSecret();
  const { clientHash, redirectUri, challenge, name } = request;
  // Codes count as the tokens that they become. The lock serialises the person's calls.
  const [, rows] = await db.batch([
    db.execute(lockLibrary(userId)),
    db
      .insert(oauthCodes)
      .select(
        sql`select ${sha256(code)}::text, users.id, ${clientHash}::text, ${redirectUri}::text, ${challenge}::text,
          ${name}::text, null::uuid, null::timestamptz, ${addMs(now, codeLifetimeMs)}
        from users where users.id = ${userId}::uuid
          and (select count(*) from personal_tokens where user_id = users.id)
            + (select count(*) from oauth_codes
              where user_id = users.id and used_at is null and expires_at > ${toTimestamp(now)})
            < ${personalTokensMax}::int`,
      )
      .returning({ userId: oauthCodes.userId }),
  ]);
  if (rows.length === 0) throw new AppError("conflict", { detail: "too many tokens" });
  return code;
}

/**
 * Exchanges a code for the first tokens; null if it is not this client's, or not for this address and verifier. A code
 * that comes again may have been stolen: what it gave ends.
 */
export async function redeemCode(
  db: Database,
  input: { code: string; clientHash: string; redirectUri: string; challenge: string; now: Date },
): Promise<{ tokens: Tokens; tokenId: string } | null> {
  const { code, clientHash, redirectUri, challenge, now } = input;
  const codeHash = sha256(code);
  const tokenId = crypto.randomUUID();
  const at = toTimestamp(now);
  const clientOrigin = new URL(redirectUri).origin;
  const tokens = createTokens();
  const { rows } = await db.execute(sql`
    with code as (
      update oauth_codes set used_at = ${at}, token_id = ${tokenId}::uuid
      where code_hash = ${codeHash} and client_hash = ${clientHash} and redirect_uri = ${redirectUri}
        and challenge = ${challenge} and used_at is null and expires_at > ${at}
      returning user_id, name
    ),
    program as (
      insert into personal_tokens (id, user_id, name, scope, client_hash, client_origin, expires_at, created_at)
      select ${tokenId}::uuid, user_id, name, ${grantedScope}::token_scope, ${clientHash}, ${clientOrigin},
        ${addMs(now, grantLifetimeMs)}, ${at}
      from code
      returning id, expires_at
    )
    ${insertTokens(tokens, now)}`);
  if (rows.length > 0) return { tokens, tokenId };
  const [used] = await db
    .select({ tokenId: oauthCodes.tokenId })
    .from(oauthCodes)
    .where(eq(oauthCodes.codeHash, codeHash));
  if (used?.tokenId) await endProgram(db, used.tokenId);
  return null;
}

/**
 * Exchanges a refresh token for new tokens; null if it is not this client's. One that was used before may have been
 * stolen: the program's access ends. A call may be repeated for 30 s, while nobody has used what it gave.
 */
export async function refreshTokens(
  db: Database,
  { refresh, clientHash, now }: { refresh: string; clientHash: string; now: Date },
): Promise<Tokens | null> {
  const tokenHash = sha256(refresh);
  const at = toTimestamp(now);
  const tokens = createTokens();
  const { rows } = await db.execute(sql`
    with used as (
      update oauth_tokens as token set
        used_at = coalesce(token.used_at, ${at}),
        expires_at = least(token.expires_at, ${addMs(now, usedTokenKeptMs)})
      from personal_tokens as granted
      where token.token_hash = ${tokenHash} and token.is_refresh and token.expires_at > ${at}
        and granted.id = token.token_id and granted.client_hash = ${clientHash} and granted.expires_at > ${at}
        and (token.used_at is null or (
          token.used_at >= ${addMs(now, -repeatedCallMs)} and not exists (
            select 1 from oauth_tokens as later
            where later.token_id = token.token_id and later.is_refresh
              and later.created_at >= token.used_at and later.used_at is not null
          )
        ))
      returning granted.id
    ),
    program as (
      update personal_tokens as granted set expires_at = least(
        ${addMs(now, grantLifetimeMs)}, granted.created_at + ${grantLongestMs / 1_000}::int * interval '1 second'
      )
      from used where granted.id = used.id
      returning granted.id, granted.expires_at
    )
    ${insertTokens(tokens, now)}`);
  if (rows.length > 0) return tokens;
  const [used] = await db
    .select({ tokenId: oauthTokens.tokenId, usedAt: oauthTokens.usedAt })
    .from(oauthTokens)
    .where(and(eq(oauthTokens.tokenHash, tokenHash), gt(oauthTokens.expiresAt, now)));
  if (used?.usedAt) await endProgram(db, used.tokenId);
  return null;
}

/** Ends what a token belongs to, whichever of the two it is, if it is this client's. */
export async function revokeTokens(
  db: Database,
  { token, clientHash }: { token: string; clientHash: string },
): Promise<void> {
  await db
    .delete(personalTokens)
    .where(
      and(
        eq(personalTokens.clientHash, clientHash),
        sql`${personalTokens.id} = (select token_id from oauth_tokens where token_hash = ${sha256(token)})`,
      ),
    );
}

const createTokens = (): Tokens => ({ access: createProgramSecret(), refresh: createSecret() });

/** The end of a statement that has found, or made, one `program`. */
const insertTokens = ({ access, refresh }: Tokens, now: Date) => sql`
  insert into oauth_tokens (token_hash, token_id, is_refresh, expires_at, created_at)
  select token.hash, program.id, token.is_refresh, least(token.expires_at, program.expires_at), ${toTimestamp(now)}
  from program, (values
    (${sha256(access)}, false, ${addMs(now, accessLifetimeMs)}),
    (${sha256(refresh)}, true, ${addMs(now, grantLifetimeMs)})
  ) as token (hash, is_refresh, expires_at)
  returning 1`;

const endProgram = (db: Database, id: string) =>
  db.delete(personalTokens).where(eq(personalTokens.id, id));
