import { sql } from "drizzle-orm";
import { check, index, pgEnum, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { themes } from "../src/shared/account.ts";
import { createdAt, id, moment, updatedAt } from "./columns.ts";

export const theme = pgEnum("theme", themes);
export const oneTimeTokenType = pgEnum("one_time_token_type", ["signup", "recovery"]);

export const users = pgTable(
  "users",
  {
    id: id(),
    /** Trimmed and in lower case: one address, one account. */
    email: text("email").notNull(),
    /** PHC string. */
    passwordHash: text("password_hash").notNull(),
    emailVerifiedAt: moment("email_verified_at"),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex("users_email_key").on(table.email),
    check("users_email_lower_case", sql`${table.email} = lower(btrim(${table.email}))`),
  ],
);

/** Lucia's table. `id` is the SHA-256 of what the cookie carries: a stolen row signs nobody in. */
export const sessions = pgTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    expiresAt: moment("expires_at").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index("sessions_user_id_idx").on(table.userId),
    index("sessions_expires_at_idx").on(table.expiresAt),
  ],
);

/** Links sent by e-mail, kept as SHA-256, used once. */
export const oneTimeTokens = pgTable(
  "one_time_tokens",
  {
    tokenHash: text("token_hash").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    type: oneTimeTokenType("type").notNull(),
    expiresAt: moment("expires_at").notNull(),
    usedAt: moment("used_at"),
    createdAt: createdAt(),
  },
  (table) => [
    index("one_time_tokens_user_id_idx").on(table.userId),
    index("one_time_tokens_expires_at_idx").on(table.expiresAt),
  ],
);

/** One row a user, made with the account. The time used is not here: it is summed from the usage ledger. */
export const profiles = pgTable("profiles", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  theme: theme("theme").notNull().default("light"),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});
