import * as z from "zod/mini";
import { reauthentication } from "./account.ts";
import { storedText } from "./fields.ts";
import { programNameMaxLength } from "./limits.ts";

/** What a program may do with a personal token: `write` includes `read`. */
export const tokenScopes = ["read", "write"] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** Days until a token expires. */
const tokenDays = { default: 90, max: 365 } as const;

export const createTokenInput = z.extend(reauthentication, {
  name: storedText(programNameMaxLength).check(z.trim(), z.minLength(1)),
  scope: z.enum(tokenScopes),
  days: z._default(z.int().check(z.minimum(1), z.maximum(tokenDays.max)), tokenDays.default),
});

/** A program's token, without its secret. Times are ISO 8601. */
export interface PersonalToken {
  id: string;
  name: string;
  scope: TokenScope;
  createdAt: string;
  expiresAt: string;
  /** To the minute; null if it was never used. */
  lastUsedAt: string | null;
}

const webhookUrlMaxLength = 500;

export const createWebhookInput = z.extend(reauthentication, {
  url: storedText(webhookUrlMaxLength).check(z.trim()),
});

/** An address that is told of events, without its key. Times are ISO 8601. */
export interface Webhook {
  id: string;
  url: string;
  createdAt: string;
  /** Null before the first attempt. */
  lastAttemptAt: string | null;
  /** HTTP status of the last answer; null without one. */
  lastStatus: number | null;
  /** Attempts that have failed since one succeeded. */
  failures: number;
  /** Nothing is sent any more. */
  isDisabled: boolean;
}
