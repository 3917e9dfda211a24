import { DrizzlePostgreSQLAdapter } from "@lucia-auth/adapter-drizzle";
import { type AnyColumn, and, eq, gt, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { pgTable, text, uuid } from "drizzle-orm/pg-core";
import { type Adapter, Cookie, Lucia, TimeSpan } from "lucia";
import { timestamptz } from "#drizzle/accounts.ts";
import { refreshFamilies, sessions } from "#drizzle/schema.ts";
import type { CurrentSession } from "#server/context.ts";
import { type Database, toTimestamp } from "#server/database.ts";
import { AppError } from "#shared/errors.ts";
import { createSecret, sha256 } from "./secrets.ts";

export type SessionScope = (typeof sessions.$inferSelect)["scope"];

const lifetime = new TimeSpan(30, "d");
export const recoveryLifetimeMs = 15 * 60_000;
/** Longest lifetime of a session or family after the sign-in. */
const signInLifetimeMs = 180 * 86_400_000;
/** SQL for the latest end of what was created at `createdAt`. */
export const getLatestEnd = (createdAt: SQL | AnyColumn) =>
  sql`${createdAt} + make_interval(secs => ${signInLifetimeMs / 1_000})`;

type LookUp = <T>(secret: string, query: () => Promise<T | null>) => Promise<T | null>;

/** The users table without the password's hash, which no session needs to read. */
const sessionUsers = pgTable("users", {
  id: uuid("id").primaryKey(),
  email: text("email").notNull(),
  emailVerifiedAt: timestamptz("email_verified_at"),
});

interface SessionAttributes {
  scope: SessionScope;
  /** Set for sessions that use does not extend: recovery, access token, or at the latest end. */
  fixedEnd: Date | null;
  /** Latest end of a session that use extends. */
  latestEnd: Date | null;
}

declare module "lucia" {
  interface Register {
    Lucia: Lucia<SessionAttributes, { email: string; emailVerified: boolean }>;
    DatabaseSessionAttributes: Partial<SessionAttributes> & { passwordHash?: string | undefined };
    DatabaseUserAttributes: { email: string; emailVerifiedAt: Date | null };
  }
}

/** The name of the session's cookie; `secure` as in `createSessions`. */
export const getSessionCookieName = (secure: boolean): string =>
  secure ? "__Host-dualect_session" : "dualect_session";

/**
 * Sessions over the `sessions` table: 30 days, extended by use in their second half, 180 days at most. No other
 * module uses Lucia. Cookies are returned as values of Set-Cookie.
 *
 * @param secure puts the cookies under the `__Host-` rules: HTTPS only, this host only, path /.
 */
export function createSessions(db: Database, { secure }: { secure: boolean }) {
  const name = getSessionCookieName(secure);
  const recoveryName = secure ? "__Host-dualect_recovery" : "dualect_recovery";
  const attributes = { secure, sameSite: "lax", path: "/" } as const;
  const lucia = new Lucia(
    withHashedIds(new DrizzlePostgreSQLAdapter(db, sessions, sessionUsers), db),
    {
      sessionExpiresIn: lifetime,
      sessionCookie: { name, attributes },
      getSessionAttributes: ({ scope = "full", fixedEnd = null, latestEnd = null }) => ({
        scope,
        fixedEnd,
        latestEnd,
      }),
      getUserAttributes: ({ email, emailVerifiedAt }) => ({
        email,
        emailVerified: emailVerifiedAt !== null,
      }),
    },
  );
  const recoveryCookie = (value: string, options: { expires?: Date; maxAge?: number }) =>
    new Cookie(recoveryName, value, { ...attributes, ...options, httpOnly: true }).serialize();

  async function validate(secret: string) {
    const { session, user } = await lucia.validateSession(secret);
    if (!session) return null;
    const slidingEnd = Math.min(
      session.expiresAt.getTime(),
      session.latestEnd?.getTime() ?? Number.POSITIVE_INFINITY,
    );
    const expiresAt = session.fixedEnd ?? new Date(slidingEnd);
    const current: CurrentSession = { id: sha256(secret), user, expiresAt };
    return {
      scope: session.scope,
      session: current,
      isExtended: session.fresh && !session.fixedEnd,
    };
  }

  return {
    /**
     * Signs `userId` in; the cookie contains the only copy of the secret. `passwordHash` is the hash that the
     * password was verified against, if there was one.
     *
     * @throws AppError `credentials_invalid` when the password was changed since.
     */
    async start(userId: string, passwordHash?: string): Promise<string> {
      const session = await lucia.createSession(userId, { passwordHash });
      return lucia.createSessionCookie(session.id).serialize();
    },
    /** Starts a session that may set a new password and nothing else. */
    async startRecovery(userId: string, now: Date) {
      const secret = createSecret();
      const expiresAt = new Date(now.getTime() + recoveryLifetimeMs);
      const id = sha256(secret);
      await db
        .insert(sessions)
        .values({ id, userId, scope: "recovery", expiresAt, createdAt: now });
      return { cookie: recoveryCookie(secret, { expires: expiresAt }), expiresAt };
    },
    recoveryCookie: (secret: string, expires: Date) => recoveryCookie(secret, { expires }),
    /**
     * Finds the request's sessions by its headers; `cookie` is set if the session was extended.
     *
     * @param lookUp decides whether the secret's query is run
     * @throws AppError as `lookUp` does
     */
    async find(headers: { cookie: string | null; authorization: string | null }, lookUp: LookUp) {
      const findBy = async (secret: string | null) =>
        secret ? lookUp(secret, () => validate(secret)) : null;
      const fromCookie = readCookie(headers.cookie, name);
      const byCookie = await findBy(fromCookie);
      const byBearer = byCookie
        ? null
        : await findBy(lucia.readBearerToken(headers.authorization ?? ""));
      const found = byCookie ?? byBearer;
      const recovery =
        byBearer?.scope === "recovery"
          ? byBearer
          : await findBy(readCookie(headers.cookie, recoveryName));
      return {
        session: found?.scope === "full" ? found.session : null,
        recovery: recovery?.scope === "recovery" ? recovery.session : null,
        ...(byCookie?.scope === "full" && byCookie.isExtended && fromCookie
          ? { cookie: lucia.createSessionCookie(fromCookie).serialize() }
          : {}),
      };
    },
    /** Ends the session with the stored id `id`, and its token family. */
    async end(id: string): Promise<void> {
      const family = db.select({ id: sessions.familyId }).from(sessions).where(eq(sessions.id, id));
      await db.batch([
        db.delete(refreshFamilies).where(eq(refreshFamilies.id, family)),
        db.delete(sessions).where(eq(sessions.id, id)),
      ]);
    },
    blankCookie: () => lucia.createBlankSessionCookie().serialize(),
    blankRecoveryCookie: () => recoveryCookie("", { maxAge: 0 }),
  };
}

/** The columns of the table that Lucia does not know. */
interface StoredAttributes {
  familyId?: unknown;
  scope?: SessionScope;
  createdAt?: Date;
}

/**
 * Lucia passes the secret as the session's id; the table stores its SHA-256. Sessions with a fixed end are not
 * extended.
 */
function withHashedIds(adapter: Adapter, db: Database): Adapter {
  return {
    async getSessionAndUser(secret) {
      const [session, user] = await adapter.getSessionAndUser(sha256(secret));
      if (!session || !user) return [null, null];
      const { familyId, scope, createdAt }: StoredAttributes = session.attributes;
      const latestEnd = createdAt ? new Date(createdAt.getTime() + signInLifetimeMs) : null;
      const sliding =
        scope === "full" &&
        familyId === null &&
        latestEnd !== null &&
        session.expiresAt < latestEnd;
      const fixedEnd = sliding ? null : session.expiresAt;
      const attributes = { ...session.attributes, fixedEnd, latestEnd };
      return [{ ...session, id: secret, attributes }, user];
    },
    async setSession({ id, userId, expiresAt, attributes }) {
      const { rows } = await db.execute(sql`
        insert into sessions (id, user_id, expires_at)
        select ${sha256(id)}, id, ${toTimestamp(expiresAt)}
        from (${selectVerifiedOwner(userId, attributes.passwordHash)}) as owner
        returning 1`);
      if (rows.length === 0) throw new AppError("credentials_invalid");
    },
    async updateSessionExpiration(secret, expiresAt) {
      const id = sha256(secret);
      const end = sql`least(${toTimestamp(expiresAt)}, ${getLatestEnd(sessions.createdAt)})`;
      await db.update(sessions).set({ expiresAt: end }).where(isRenewable(id));
    },
    deleteSession: async (secret) => adapter.deleteSession(sha256(secret)),
    getUserSessions: (userId) => adapter.getUserSessions(userId),
    deleteUserSessions: (userId) => adapter.deleteUserSessions(userId),
    deleteExpiredSessions: () => adapter.deleteExpiredSessions(),
  };
}

/**
 * Selects the user's row if the verified password is still current. The lock waits for a concurrent password
 * change, so that no session starts with the old password.
 */
export const selectVerifiedOwner = (userId: string, passwordHash: string | undefined) => sql`
  select id from users
  where id = ${userId}::uuid
    and (${passwordHash ?? null}::text is null or password_hash = ${passwordHash ?? null}::text)
  for share`;

const isRenewable = (id: string) =>
  and(eq(sessions.id, id), eq(sessions.scope, "full"), isNull(sessions.familyId));

export function readCookie(header: string | null, name: string): string | null {
  for (const pair of header?.split(";") ?? []) {
    const [key, value] = pair.trim().split("=");
    if (key === name && value) return value;
  }
  return null;
}

/** End times, in ms since the epoch, of the user's full sessions among `ids` that are still valid. */
export async function findLiveSessions(
  db: Database,
  { userId, ids, now }: { userId: string; ids: string[]; now: Date },
): Promise<Map<string, number>> {
  const rows = await db
    .select({ id: sessions.id, expiresAt: sessions.expiresAt })
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, userId),
        eq(sessions.scope, "full"),
        inArray(sessions.id, ids),
        gt(sessions.expiresAt, now),
      ),
    );
  return new Map(rows.map(({ id, expiresAt }) => [id, expiresAt.getTime()]));
}
