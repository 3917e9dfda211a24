import { boolean, index, integer, pgEnum, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { tokenScopes } from "#shared/programs.ts";
import { createdAt, id, timestamptz, userId } from "./accounts.ts";

export const tokenScope = pgEnum("token_scope", tokenScopes);

/** What a person's programs may do: with a token that the person has made, or with those of OAuth. */
export const personalTokens = pgTable(
  "personal_tokens",
  {
    id: id(),
    userId: userId(),
    name: text("name").notNull(),
    /** SHA-256 of the token; null for a program that came through OAuth: see `oauthTokens`. */
    tokenHash: text("token_hash").unique(),
    scope: tokenScope("scope").notNull(),
    expiresAt: timestamptz("expires_at").notNull(),
    /** To the minute. */
    lastUsedAt: timestamptz("last_used_at"),
    createdAt: createdAt(),
    /** Of OAuth: SHA-256 of the client's id, and the origin of the pages that the token works for. */
    clientHash: text("client_hash"),
    clientOrigin: text("client_origin"),
  },
  (table) => [
    index("personal_tokens_user_id_idx").on(table.userId),
    index("personal_tokens_expires_at_idx").on(table.expiresAt),
  ],
);

/** Codes that programs exchange for tokens; stored as SHA-256. A used one is kept for a day, in case it comes again. */
export const oauthCodes = pgTable(
  "oauth_codes",
  {
    codeHash: text("code_hash").primaryKey(),
    userId: userId(),
    clientHash: text("client_hash").notNull(),
    redirectUri: text("redirect_uri").notNull(),
    /** RFC 7636, S256. */
    challenge: text("challenge").notNull(),
    /** As the program calls itself. */
    name: text("name").notNull(),
    /** What it was exchanged for, which may have been revoked since. */
    tokenId: uuid("token_id"),
    usedAt: timestamptz("used_at"),
    expiresAt: timestamptz("expires_at").notNull(),
  },
  (table) => [
    index("oauth_codes_user_id_idx").on(table.userId),
    index("oauth_codes_expires_at_idx").on(table.expiresAt),
  ],
);

/** Access and refresh tokens of a program that came through OAuth; stored as SHA-256. */
export const oauthTokens = pgTable(
  "oauth_tokens",
  {
    tokenHash: text("token_hash").primaryKey(),
    tokenId: uuid("token_id")
      .notNull()
      .references(() => personalTokens.id, { onDelete: "cascade" }),
    isRefresh: boolean("is_refresh").notNull(),
    /** Of a refresh token. */
    usedAt: timestamptz("used_at"),
    expiresAt: timestamptz("expires_at").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index("oauth_tokens_token_id_idx").on(table.tokenId),
    index("oauth_tokens_expires_at_idx").on(table.expiresAt),
  ],
);

/** Addresses that are told of events. Their keys are derived from their ids: see src/server/programs/webhook-signature.ts. */
export const webhooks = pgTable(
  "webhooks",
  {
    id: id(),
    userId: userId(),
    url: text("url").notNull(),
    /** Attempts that have failed since one succeeded. */
    failures: integer("failures").notNull().default(0),
    /** HTTP status of the last answer; null without one. */
    lastStatus: integer("last_status"),
    lastAttemptAt: timestamptz("last_attempt_at"),
    /** Set when too many attempts have failed; nothing is queued then. */
    disabledAt: timestamptz("disabled_at"),
    createdAt: createdAt(),
  },
  (table) => [index("webhooks_user_id_idx").on(table.userId)],
);

/** Messages that are not delivered yet. Triggers on `lectures` and `shares` insert them. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: id(),
    webhookId: uuid("webhook_id")
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    /** What is sent and signed, as JSON. */
    body: text("body").notNull(),
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: timestamptz("next_attempt_at").notNull(),
  },
  (table) => [
    index("webhook_deliveries_webhook_id_idx").on(table.webhookId),
    index("webhook_deliveries_next_attempt_at_idx").on(table.nextAttemptAt),
  ],
);
