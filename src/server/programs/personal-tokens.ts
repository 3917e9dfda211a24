import { and, asc, eq, gt, sql } from "drizzle-orm";
import { oauthTokens, personalTokens, users } from "#drizzle/schema.ts";
import { createSecret, sha256 } from "#server/auth/secrets.ts";
import type { CurrentSession, CurrentToken } from "#server/context.ts";
import { type Database, lockLibrary, toTimestamp } from "#server/database.ts";
import { AppError } from "#shared/errors.ts";
import { personalTokensMax } from "#shared/limits.ts";
import type { PersonalToken, TokenScope } from "#shared/programs.ts";

/** A scanner for secrets recognises a token by it. */
const prefix = "dualect_";
const format = /^bearer (dualect_(?:app_)?[\w-]{43})$/i;
/** Of tokens that a program got through OAuth, which are longer than a person's own. */
const programPrefix = `${prefix}app_`;
const programSecretLength = programPrefix.length + 43;
const dayMs = 86_400_000;
/** `last_used_at` is updated once in this time. */
const useIntervalMs = 60_000;

/** Whether a request with this Authorization header has a personal token, valid or not: then its cookies do not count. */
export const hasPersonalToken = (authorization: string | null | undefined): boolean =>
  /^bearer dualect_/i.test(authorization ?? "");

/** A token for a program that came through OAuth. */
export const createProgramSecret = (): string => programPrefix + createSecret();

/**
 * Creates a token, and returns its only copy.
 *
 * @throws AppError `conflict` if the user has `personalTokensMax` already.
 */
export async function createPersonalToken(
  db: Database,
  input: { userId: string; name: string; scope: TokenScope; days: number; now: Date },
): Promise<{ secret: string; token: PersonalToken }> {
  const { userId, name, scope, days, now } = input;
  const secret = prefix + createSecret();
  const expiresAt = new Date(now.getTime() + days * dayMs);
  // The lock serialises the user's calls, so that each counts the tokens of those before.
  const [, rows] = await db.batch([
    db.execute(lockLibrary(userId)),
    db
      .insert(personalTokens)
      .select(
        sql`select gen_random_uuid(), users.id, ${name}::text, ${sha256(secret)}::text, ${scope}::token_scope,
          ${toTimestamp(expiresAt)}, null::timestamptz, ${toTimestamp(now)}, null::text, null::text
        from users where users.id = ${userId}::uuid
          and (select count(*) from personal_tokens where user_id = users.id) < ${personalTokensMax}::int`,
      )
      .returning(),
  ]);
  const [row] = rows;
  if (!row) throw new AppError("conflict", { detail: "too many tokens" });
  return { secret, token: toPersonalToken(row) };
}

/** The user's tokens, also expired ones that are not deleted yet, the oldest first. */
export async function listPersonalTokens(db: Database, userId: string): Promise<PersonalToken[]> {
  const rows = await db
    .select()
    .from(personalTokens)
    .where(eq(personalTokens.userId, userId))
    .orderBy(asc(personalTokens.createdAt), asc(personalTokens.id));
  return rows.map(toPersonalToken);
}

/** Ends a token of the user at once. False if there is none with this id. */
export async function revokePersonalToken(
  db: Database,
  { userId, id }: { userId: string; id: string },
): Promise<boolean> {
  const rows = await db
    .delete(personalTokens)
    .where(and(eq(personalTokens.id, id), eq(personalTokens.userId, userId)))
    .returning({ id: personalTokens.id });
  return rows.length > 0;
}

/**
 * The token of an Authorization header, and the session of its user; null if it is not valid. `clientOrigin`: of a token of
 * OAuth, whose pages it works for; null for a person's own.
 */
export async function findPersonalToken(
  db: Database,
  { authorization, now }: { authorization: string; now: Date },
): Promise<{
  token: CurrentToken;
  session: CurrentSession;
  clientOrigin: string | null;
  isUseDue: boolean;
} | null> {
  const secret = format.exec(authorization)?.[1];
  if (secret === undefined) return null;
  const tokenHash = sha256(secret);
  const isOfProgram = secret.length === programSecretLength;
  const emailVerified = sql<boolean>`${users.emailVerifiedAt} is not null`;
  const [row] = await db
    .select({
      user: { id: users.id, email: users.email, emailVerified },
      token: { id: personalTokens.id, scope: personalTokens.scope },
      expiresAt: personalTokens.expiresAt,
      lastUsedAt: personalTokens.lastUsedAt,
      clientOrigin: personalTokens.clientOrigin,
    })
    .from(personalTokens)
    .innerJoin(users, eq(users.id, personalTokens.userId))
    .where(
      and(
        isOfProgram
          ? eq(personalTokens.id, selectProgram(tokenHash, now))
          : eq(personalTokens.tokenHash, tokenHash),
        gt(personalTokens.expiresAt, now),
      ),
    );
  if (!row) return null;
  const { user, token, expiresAt, lastUsedAt, clientOrigin } = row;
  const isUseDue = now.getTime() - (lastUsedAt?.getTime() ?? 0) >= useIntervalMs;
  return { token, session: { id: tokenHash, user, expiresAt }, clientOrigin, isUseDue };
}

/** The program of an access token. */
const selectProgram = (tokenHash: string, now: Date) => sql`(
  select ${oauthTokens.tokenId} from ${oauthTokens}
  where ${oauthTokens.tokenHash} = ${tokenHash} and not ${oauthTokens.isRefresh}
    and ${gt(oauthTokens.expiresAt, now)}
)`;

export async function notePersonalTokenUse(db: Database, id: string, now: Date): Promise<void> {
  await db.update(personalTokens).set({ lastUsedAt: now }).where(eq(personalTokens.id, id));
}

/** Whether the token has neither been revoked nor expired. */
export const isPersonalTokenLive = async (db: Database, id: string, now: Date): Promise<boolean> =>
  (await db.$count(
    personalTokens,
    and(eq(personalTokens.id, id), gt(personalTokens.expiresAt, now)),
  )) > 0;

function toPersonalToken(row: typeof personalTokens.$inferSelect): PersonalToken {
  const { id, name, scope, createdAt, expiresAt, lastUsedAt } = row;
  return {
    id,
    name,
    scope,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
