import { index, integer, pgEnum, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { tokenScopes } from "#shared/programs.ts";
import { createdAt, id, timestamptz, userId } from "./accounts.ts";

export const tokenScope = pgEnum("token_scope", tokenScopes);

/** Tokens with which a person's programs call procedures; stored as SHA-256. */
export const personalTokens = pgTable(
  "personal_tokens",
  {
    id: id(),
    userId: userId(),
    name: text("name").notNull(),
    tokenHash: text("token_hash").notNull().unique(),
    scope: tokenScope("scope").notNull(),
    expiresAt: timestamptz("expires_at").notNull(),
    /** To the minute. */
    lastUsedAt: timestamptz("last_used_at"),
    createdAt: createdAt(),
  },
  (table) => [
    index("personal_tokens_user_id_idx").on(table.userId),
    index("personal_tokens_expires_at_idx").on(table.expiresAt),
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
