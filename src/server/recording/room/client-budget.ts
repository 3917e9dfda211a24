import type { ErrorCode } from "#shared/errors.ts";
import { resendWindow } from "./audio-intake.ts";
import { createBucket } from "./rate-bucket.ts";

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
