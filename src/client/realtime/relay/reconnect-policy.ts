import type { ErrorCode } from "../../../shared/errors.ts";
import { reconnectDelayMs, reconnectPauseMs } from "../../../shared/limits.ts";
import { relayClose } from "../../../shared/relay.ts";

const growth = 1.6;
export const reconnectMaxMs = 15_000;

/** Why a connection to the room cannot go on; a person must be told. */
export type RelayEnd =
  /** Another page or device records this lecture now. */
  | { kind: "takenOver" }
  | { kind: "refused"; code: ErrorCode; message: string }
  | { kind: "disconnected"; code: number; reason: string };

/** What is known of a connection that is gone. */
export interface Loss {
  /** WebSocket close code; 1006 when there was none. */
  code: number;
  reason: string;
  /** The room's last `error` on this connection, if any. */
  error: { code: ErrorCode; message: string; retryable: boolean } | null;
}

export type Verdict = { kind: "retry"; delayMs: number } | { kind: "end"; end: RelayEnd };

/**
 * What to do after a loss. `failures` counts the losses since the room last answered sound, this one
 * not included; `random` is 0 to 1.
 *
 * The first retry comes after the restart pause, the second about 2 s later, then ever later up to
 * 15 s, each 20 % early or late so that many browsers do not return at once.
 */
export function afterLoss(loss: Loss, failures: number, random: number): Verdict {
  if (loss.error !== null && !loss.error.retryable) {
    const { code, message } = loss.error;
    return { kind: "end", end: { kind: "refused", code, message } };
  }
  if (loss.code === relayClose.replaced) return { kind: "end", end: { kind: "takenOver" } };
  const passing = loss.error?.retryable === true;
  if (!passing && (loss.code === relayClose.policy || loss.code === relayClose.tooBig)) {
    return {
      kind: "end",
      end: { kind: "disconnected", code: loss.code, reason: loss.reason || "Unknown" },
    };
  }
  return { kind: "retry", delayMs: retryDelay(failures, random) };
}

/** Milliseconds before retry number `failures + 1`. */
export function retryDelay(failures: number, random: number): number {
  if (failures === 0) return reconnectPauseMs;
  const delay = reconnectDelayMs * growth ** (failures - 1);
  return Math.min(delay * (0.8 + 0.4 * random), reconnectMaxMs);
}

/** Refusals that trying again does not cure. */
const final: readonly ErrorCode[] = [
  "unauthenticated",
  "sign_in_required",
  "guest_ticket_invalid",
  "allowance_exhausted",
  "guest_allowance_exhausted",
  "too_many_recordings",
  "origin_refused",
  "not_found",
];

/** True when `code` says that nothing is left to record. */
export function isUsedUp(code: ErrorCode): boolean {
  return code === "allowance_exhausted" || code === "guest_allowance_exhausted";
}

/** True when a room that refuses with `code` will do so again. */
export function isFinal(code: ErrorCode): boolean {
  return final.includes(code);
}

/** True when an error of the room with `code`, which does not say so itself, may pass. */
export function passes(code: ErrorCode): boolean {
  return ["internal", "unavailable", "rate_limited", "busy"].includes(code);
}

/** The end that a refusal with `code` is, when the server says no more. */
export function refused(code: ErrorCode): RelayEnd {
  return { kind: "refused", code, message: code };
}
