import { DrizzlePostgreSQLAdapter } from "@lucia-auth/adapter-drizzle";
import { eq } from "drizzle-orm";
import { pgTable, text, uuid } from "drizzle-orm/pg-core";
import { type Adapter, Lucia, TimeSpan } from "lucia";
import { sessions } from "../../../drizzle/schema.ts";
import type { SessionUser } from "../../shared/account.ts";
import type { CurrentSession } from "../context.ts";
import type { Database } from "../database.ts";

/** Sessions as the rest of the product knows them. Lucia stays behind this. */
export interface Sessions {
  /** Signs `userId` in; the cookie (a Set-Cookie value) carries the only copy of the secret. */
  start(userId: string): Promise<{ cookie: string }>;
  /**
   * The session that a request carries, or null. `cookie` is set when the session was prolonged and
   * the browser must be told.
   */
  find(request: RequestCredentials): Promise<{ session: CurrentSession; cookie?: string } | null>;
  /** Ends the session with the stored id `id`, whoever holds its secret. */
  end(id: string): Promise<void>;
  /** A Set-Cookie value that removes the cookie. */
  blankCookie(): string;
}

/** The two places in which a request may carry a session: the cookie and `Authorization: Bearer`. */
export interface RequestCredentials {
  cookie: string | null;
  authorization: string | null;
}

const lifetime = new TimeSpan(30, "d");

/** The users table without the password's hash, which no session needs to read. */
const sessionUsers = pgTable("users", {
  id: uuid("id").primaryKey(),
  email: text("email").notNull(),
});

declare module "lucia" {
  interface Register {
    Lucia: Lucia<Record<never, never>, { email: string }>;
    DatabaseUserAttributes: { email: string };
  }
}

/**
 * Sessions over the `sessions` table: 30 days, prolonged by use in their second half.
 *
 * `secure` puts the cookie under the `__Host-` rules (HTTPS alone, this host alone, path /).
 */
export function createSessions(db: Database, { secure }: { secure: boolean }): Sessions {
  const lucia = new Lucia(hashedIds(new DrizzlePostgreSQLAdapter(db, sessions, sessionUsers)), {
    sessionExpiresIn: lifetime,
    sessionCookie: {
      name: secure ? "__Host-dualect_session" : "dualect_session",
      attributes: { secure, sameSite: "lax", path: "/" },
    },
    getUserAttributes: ({ email }) => ({ email }),
  });

  return {
    async start(userId) {
      const session = await lucia.createSession(userId, {});
      return { cookie: lucia.createSessionCookie(session.id).serialize() };
    },
    async find({ cookie, authorization }) {
      const fromCookie = cookie ? lucia.readSessionCookie(cookie) : null;
      const secret = fromCookie ?? (authorization ? lucia.readBearerToken(authorization) : null);
      if (!secret) return null;
      const { session, user } = await lucia.validateSession(secret);
      if (!session) return null;
      const known: SessionUser = { id: user.id, email: user.email };
      return {
        session: { id: await sha256(secret), user: known, expiresAt: session.expiresAt },
        ...(session.fresh && fromCookie
          ? { cookie: lucia.createSessionCookie(secret).serialize() }
          : {}),
      };
    },
    async end(id) {
      await db.delete(sessions).where(eq(sessions.id, id));
    },
    blankCookie: () => lucia.createBlankSessionCookie().serialize(),
  };
}

/** Lucia hands over the secret as the session's id; the table gets its SHA-256. */
function hashedIds(adapter: Adapter): Adapter {
  return {
    async getSessionAndUser(secret) {
      const [session, user] = await adapter.getSessionAndUser(await sha256(secret));
      return [session && { ...session, id: secret }, user];
    },
    setSession: async (session) => adapter.setSession({ ...session, id: await sha256(session.id) }),
    updateSessionExpiration: async (secret, expiresAt) =>
      adapter.updateSessionExpiration(await sha256(secret), expiresAt),
    deleteSession: async (secret) => adapter.deleteSession(await sha256(secret)),
    getUserSessions: (userId) => adapter.getUserSessions(userId),
    deleteUserSessions: (userId) => adapter.deleteUserSessions(userId),
    deleteExpiredSessions: () => adapter.deleteExpiredSessions(),
  };
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
