import type { ErrorCode } from "#shared/errors.ts";
import { resendWindow } from "./audio-intake.ts";

/** A bucket of tokens, of which each call takes one. */
export interface Bucket {
  capacity: number;
  perSecond: number;
  tokens: number;
  /** Ms since the epoch. */
  at: number;
}

export function createBucket(limit: Pick<Bucket, "capacity" | "perSecond">, now: number): Bucket {
  return { ...limit, tokens: limit.capacity, at: now };
}

/** The bucket without one token, or null if it is empty at `now`. */
export function takeToken(bucket: Bucket, now: number): Bucket | null {
  const passed = Math.max(0, now - bucket.at) / 1_000;
  const tokens = Math.min(bucket.capacity, bucket.tokens + passed * bucket.perSecond) - 1;
  return tokens < 0 ? null : { ...bucket, tokens, at: Math.max(bucket.at, now) };
}

/**
 * Limits for one client socket. A correct client never reaches them:
 * `docs/decisions/0026-streams-are-opened-by-sound.md`.
 */

/** Shortest time between two error replies, ms. */
export const errorReplyIntervalMs = 1_000;
/** A socket that sent no `config` is closed after this time, ms. */
export const configTimeoutMs = 10_000;
/** Chunks that one connection may resend without a charge. */
export const maxResentChunks = resendWindow;
/** Error codes of clients that break these limits. */
const violations: readonly ErrorCode[] = ["rate_limited", "validation_failed", "payload_too_large"];
/** The room accepts no connection for this long after a violation, ms. */
export const violationBlockMs = 10_000;

export const isViolation = (code: ErrorCode): boolean => violations.includes(code);

export type ClientBudget = ReturnType<typeof createClientBudget>;

export function createClientBudget(now: number) {
  return {
    /** Frames without new audio. New audio is limited by the backlog (`accept-audio.ts`). */
    frames: createBucket({ capacity: 512, perSecond: 8 }, now),
    /** Invalid frames. */
    errors: createBucket({ capacity: 30, perSecond: 0.5 }, now),
    configs: createBucket({ capacity: 6, perSecond: 0.1 }, now),
    /** Changes of the terms. A client sends one a minute. */
    terms: createBucket({ capacity: 6, perSecond: 0.1 }, now),
    /** When the last error was sent, ms since the epoch. */
    errorSentAt: null as number | null,
    /** Chunks that were resent without a charge. */
    resentChunks: 0,
  };
}
