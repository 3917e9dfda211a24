import { DrizzlePostgreSQLAdapter } from "@lucia-auth/adapter-drizzle";
import { and, eq, isNull, sql } from "drizzle-orm";
import { pgTable, text, uuid } from "drizzle-orm/pg-core";
import { type Adapter, Cookie, Lucia, TimeSpan } from "lucia";
import { moment } from "../../../drizzle/columns.ts";
import { refreshFamilies, sessions } from "../../../drizzle/schema.ts";
import type { SessionUser } from "../../shared/account.ts";
import { AppError } from "../../shared/errors.ts";
import type { CurrentRecovery, CurrentSession } from "../context.ts";
import type { Database } from "../database.ts";
import { newSecret, sha256 } from "./secrets.ts";

export type SessionScope = (typeof sessions.$inferSelect)["scope"];

/** Sessions as the rest of the product knows them. Lucia stays behind this. */
export interface Sessions {
  /**
   * Signs `userId` in; the cookie (a Set-Cookie value) carries the only copy of the secret.
   * `passwordHash` is what the password was verified against, where one was.
   *
   * @throws AppError `credentials_invalid` when the password was changed since.
   */
  start(userId: string, passwordHash?: string): Promise<{ cookie: string }>;
  /** A session that may set a new password and nothing else. */
  startRecovery(userId: string, now: Date): Promise<{ cookie: string; expiresAt: Date }>;
  /** A Set-Cookie value for a recovery session whose secret is known. */
  recoveryCookie(secret: string, expiresAt: Date): string;
  /** What a request carries, of each kind; `cookie` is set when the browser must be told of a prolongation. */
  find(request: RequestCredentials): Promise<FoundSessions>;
  /** Ends the session with the stored id `id`, whoever holds its secret, and the family it belongs to. */
  end(id: string): Promise<void>;
  /** Set-Cookie values that remove the cookies. */
  blankCookie(): string;
  blankRecoveryCookie(): string;
}

interface FoundSessions {
  session: CurrentSession | null;
  recovery: CurrentRecovery | null;
  cookie?: string;
}

/** The two places in which a request may carry a session: the cookies and `Authorization: Bearer`. */
interface RequestCredentials {
  cookie: string | null;
  authorization: string | null;
}

const lifetime = new TimeSpan(30, "d");
export const recoveryLifetimeMs = 15 * 60_000;

/** The users table without the password's hash, which no session needs to read. */
const sessionUsers = pgTable("users", {
  id: uuid("id").primaryKey(),
  email: text("email").notNull(),
  emailVerifiedAt: moment("email_verified_at"),
});

interface SessionAttributes {
  scope: SessionScope;
  /** Set on what is not prolonged by use: a recovery, and an access token. */
  fixedEnd: Date | null;
}

declare module "lucia" {
  interface Register {
    Lucia: Lucia<SessionAttributes, { email: string; emailVerified: boolean }>;
    DatabaseSessionAttributes: Partial<SessionAttributes> & { passwordHash?: string | undefined };
    DatabaseUserAttributes: { email: string; emailVerifiedAt: Date | null };
  }
}

/**
 * Sessions over the `sessions` table: 30 days, prolonged by use in their second half.
 *
 * `secure` puts the cookies under the `__Host-` rules (HTTPS alone, this host alone, path /).
 */
export function createSessions(db: Database, { secure }: { secure: boolean }): Sessions {
  const name = secure ? "__Host-dualect_session" : "dualect_session";
  const recoveryName = secure ? "__Host-dualect_recovery" : "dualect_recovery";
  const attributes = { secure, sameSite: "lax", path: "/" } as const;
  const lucia = new Lucia(wrapped(new DrizzlePostgreSQLAdapter(db, sessions, sessionUsers), db), {
    sessionExpiresIn: lifetime,
    sessionCookie: { name, attributes },
    getSessionAttributes: ({ scope = "full", fixedEnd = null }) => ({ scope, fixedEnd }),
    getUserAttributes: ({ email, emailVerifiedAt }) => ({
      email,
      emailVerified: emailVerifiedAt !== null,
    }),
  });
  const recoveryCookie = (value: string, options: { expires?: Date; maxAge?: number }) =>
    new Cookie(recoveryName, value, { ...attributes, ...options, httpOnly: true }).serialize();

  async function validate(secret: string | null) {
    if (!secret) return null;
    const { session, user } = await lucia.validateSession(secret);
    if (!session) return null;
    const { id, email, emailVerified } = user;
    const known: SessionUser = { id, email, emailVerified };
    return {
      scope: session.scope,
      id: await sha256(secret),
      user: known,
      expiresAt: session.fixedEnd ?? session.expiresAt,
      prolonged: session.fresh && !session.fixedEnd,
    };
  }

  return {
    async start(userId, passwordHash) {
      const session = await lucia.createSession(userId, { passwordHash });
      return { cookie: lucia.createSessionCookie(session.id).serialize() };
    },
    async startRecovery(userId, now) {
      const secret = newSecret();
      const expiresAt = new Date(now.getTime() + recoveryLifetimeMs);
      const id = await sha256(secret);
      await db
        .insert(sessions)
        .values({ id, userId, scope: "recovery", expiresAt, createdAt: now });
      return { cookie: recoveryCookie(secret, { expires: expiresAt }), expiresAt };
    },
    recoveryCookie: (secret, expires) => recoveryCookie(secret, { expires }),
    async find({ cookie, authorization }) {
      const fromCookie = cookieValue(cookie, name);
      const bearer = authorization ? lucia.readBearerToken(authorization) : null;
      const byCookie = await validate(fromCookie);
      const byBearer = byCookie ? null : await validate(bearer);
      const carried = byCookie ?? byBearer;
      const session = carried?.scope === "full" ? carried : null;
      const recovery =
        byBearer?.scope === "recovery"
          ? byBearer
          : await validate(cookieValue(cookie, recoveryName));
      return {
        session: session && pick(session),
        recovery: recovery?.scope === "recovery" ? pick(recovery) : null,
        ...(session?.prolonged && byCookie && fromCookie
          ? { cookie: lucia.createSessionCookie(fromCookie).serialize() }
          : {}),
      };
    },
    async end(id) {
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

const pick = ({ id, user, expiresAt }: CurrentSession): CurrentSession => ({ id, user, expiresAt });

/**
 * Lucia hands over the secret as the session's id; the table gets its SHA-256. What has a fixed end
 * is kept from being prolonged.
 */
function wrapped(adapter: Adapter, db: Database): Adapter {
  return {
    async getSessionAndUser(secret) {
      const [session, user] = await adapter.getSessionAndUser(await sha256(secret));
      if (!session || !user) return [null, null];
      const { familyId, scope }: { familyId?: unknown; scope?: SessionScope } = session.attributes;
      const sliding = scope === "full" && familyId === null;
      const fixedEnd = sliding ? null : session.expiresAt;
      return [{ ...session, id: secret, attributes: { ...session.attributes, fixedEnd } }, user];
    },
    async setSession({ id, userId, expiresAt, attributes }) {
      const { rows } = await db.execute(sql`
        insert into sessions (id, user_id, expires_at)
        select ${await sha256(id)}, id, ${expiresAt.toISOString()}::timestamptz
        from (${provenOwner(userId, attributes.passwordHash)}) as owner
        returning 1`);
      if (rows.length === 0) throw new AppError("credentials_invalid");
    },
    async updateSessionExpiration(secret, expiresAt) {
      const id = await sha256(secret);
      await db.update(sessions).set({ expiresAt }).where(prolongable(id));
    },
    deleteSession: async (secret) => adapter.deleteSession(await sha256(secret)),
    getUserSessions: (userId) => adapter.getUserSessions(userId),
    deleteUserSessions: (userId) => adapter.deleteUserSessions(userId),
    deleteExpiredSessions: () => adapter.deleteExpiredSessions(),
  };
}

/**
 * The user's row, if the password is still the one that was proven. The lock lets a change of the
 * password that is under way finish first, so that no session begins behind its back.
 */
export const provenOwner = (userId: string, passwordHash: string | undefined) => sql`
  select id from users
  where id = ${userId}::uuid
    and (${passwordHash ?? null}::text is null or password_hash = ${passwordHash ?? null}::text)
  for share`;

const prolongable = (id: string) =>
  and(eq(sessions.id, id), eq(sessions.scope, "full"), isNull(sessions.familyId));

/** The value of the cookie `name`, whatever else stands in the header. */
function cookieValue(header: string | null, name: string): string | null {
  for (const pair of header?.split(";") ?? []) {
    const [key, value] = pair.trim().split("=");
    if (key === name && value) return value;
  }
  return null;
}
