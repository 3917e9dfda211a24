import type { ErrorCode } from "#shared/errors.ts";
import { relaySendWindow } from "#shared/limits.ts";
import { type Bucket, type BucketLimit, createBucket } from "./token-bucket.ts";

/**
 * What one socket may ask of a room. An honest client never meets these limits:
 * `docs/decisions/0026-streams-are-opened-by-sound.md`.
 */

/** Frames that bring no new sound. New sound is limited by the time that has passed (`intake.ts`). */
export const frameLimit: BucketLimit = { capacity: 512, perSecond: 8 };
/** Frames that make no sense. */
export const errorLimit: BucketLimit = { capacity: 30, perSecond: 0.5 };
export const configLimit: BucketLimit = { capacity: 6, perSecond: 0.1 };
/** Errors within this of an answered one are not answered, ms. */
export const errorReplyIntervalMs = 1_000;
/** A socket that has not sent `config` is closed after this, ms. */
export const configTimeoutMs = 10_000;
/** Chunks that may come again without being charged: as many as a client can have in flight. */
export const maxResentChunks = relaySendWindow;
/** What a client is refused for when it breaks these rules. */
const violations: readonly ErrorCode[] = ["rate_limited", "validation_failed", "payload_too_large"];
/** After an offence the room lets nobody in for so long, ms. */
export const violationBlockMs = 10_000;

export const isViolation = (code: ErrorCode): boolean => violations.includes(code);

export interface ClientBudget {
  frames: Bucket;
  errors: Bucket;
  configs: Bucket;
  /** When an error was last answered, ms since the epoch. */
  errorSentAt: number | null;
  /** Chunks that came again and were not charged. */
  resentChunks: number;
}

export function createClientBudget(now: number): ClientBudget {
  return {
    frames: createBucket(frameLimit, now),
    errors: createBucket(errorLimit, now),
    configs: createBucket(configLimit, now),
    errorSentAt: null,
    resentChunks: 0,
  };
}
