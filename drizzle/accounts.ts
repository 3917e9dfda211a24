import { sql } from "drizzle-orm";
import {
  check,
  index,
  pgEnum,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { themes } from "#shared/account.ts";

/** A random UUID as primary key. The browser may choose it, so that a repeated call does not insert twice. */
export const id = () => uuid("id").primaryKey().defaultRandom();

/** With time zone and a precision of 1 ms. */
export const timestamptz = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

export const createdAt = () => timestamptz("created_at").notNull().defaultNow();
export const updatedAt = () => timestamptz("updated_at").notNull().defaultNow();

export const theme = pgEnum("theme", themes);
export const oneTimeTokenType = pgEnum("one_time_token_type", ["signup", "recovery"]);
export const sessionScope = pgEnum("session_scope", ["full", "recovery"]);

export const users = pgTable(
  "users",
  {
    id: id(),
    /** Trimmed and in lower case, so that one address has one account. */
    email: text("email").notNull(),
    /** PHC string. */
    passwordHash: text("password_hash").notNull(),
    emailVerifiedAt: timestamptz("email_verified_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex("users_email_key").on(table.email),
    check("users_email_lower_case", sql`${table.email} = lower(btrim(${table.email}))`),
  ],
);

/** The owner of a row, which is deleted with the account. */
export const userId = () =>
  uuid("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });

/** A sign-in without cookies: its access tokens and refresh tokens end with it. */
export const refreshFamilies = pgTable(
  "refresh_families",
  {
    id: id(),
    userId: userId(),
    scope: sessionScope("scope").notNull(),
    expiresAt: timestamptz("expires_at").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index("refresh_families_user_id_idx").on(table.userId),
    index("refresh_families_expires_at_idx").on(table.expiresAt),
  ],
);

/** Stored as SHA-256. Used tokens are kept, so that a reused one is detected. */
export const refreshTokens = pgTable(
  "refresh_tokens",
  {
    tokenHash: text("token_hash").primaryKey(),
    familyId: uuid("family_id")
      .notNull()
      .references(() => refreshFamilies.id, { onDelete: "cascade" }),
    usedAt: timestamptz("used_at"),
    /** SHA-256 of the token and the address that used it. */
    usedBy: text("used_by"),
    createdAt: createdAt(),
  },
  (table) => [index("refresh_tokens_family_id_idx").on(table.familyId)],
);

/** Lucia's table. `id` is the SHA-256 of the caller's secret, so that a stolen row signs nobody in. */
export const sessions = pgTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    userId: userId(),
    /** `recovery` may only set a new password. */
    scope: sessionScope("scope").notNull().default("full"),
    /** The family whose access token this is; null for a browser's session. */
    familyId: uuid("family_id").references(() => refreshFamilies.id, { onDelete: "cascade" }),
    expiresAt: timestamptz("expires_at").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index("sessions_user_id_idx").on(table.userId),
    index("sessions_family_id_idx").on(table.familyId),
    index("sessions_expires_at_idx").on(table.expiresAt),
  ],
);

/** Links sent by e-mail; stored as SHA-256, used once. */
export const oneTimeTokens = pgTable(
  "one_time_tokens",
  {
    tokenHash: text("token_hash").primaryKey(),
    userId: userId(),
    type: oneTimeTokenType("type").notNull(),
    expiresAt: timestamptz("expires_at").notNull(),
    usedAt: timestamptz("used_at"),
    createdAt: createdAt(),
  },
  (table) => [
    index("one_time_tokens_user_id_idx").on(table.userId),
    index("one_time_tokens_expires_at_idx").on(table.expiresAt),
  ],
);

/** One row per user, created with the account. */
export const profiles = pgTable("profiles", {
  userId: userId().primaryKey(),
  theme: theme("theme").notNull().default("light"),
  /** What the person wants of summaries by their own template; may be empty. */
  summaryInstructions: text("summary_instructions").notNull().default(""),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});
