import type { ErrorCode } from "#shared/errors.ts";
import { type Backoff, getBackoffMs, reconnectDelayMs, reconnectPauseMs } from "#shared/limits.ts";
import { relayClose } from "#shared/relay.ts";
import type { RelayEnd } from "./relay-end.ts";

export const reconnectMaxMs = 15_000;
const retries: Backoff = {
  firstMs: reconnectDelayMs,
  maxMs: reconnectMaxMs,
  growth: 1.6,
  spread: [0.8, 1.2],
};
/** Shortest delay after `rate_limited` or `busy`. */
const busyRetryMs = 5_000;

export interface Loss {
  /** WebSocket close code; 1006 when there was none. */
  code: number;
  reason: string;
  /** The room's last `error` on this connection, if any. */
  error: { code: ErrorCode; message: string; retryable: boolean } | null;
}

export type ReconnectDecision = { kind: "retry"; delayMs: number } | { kind: "end"; end: RelayEnd };

/**
 * What to do after a lost connection. `failures`: losses since the room last answered audio, without
 * this one. `random`: 0 to 1.
 *
 * The first retry comes after the restart pause, the second about 2 s later, then with growing delays
 * up to 15 s, each varied by 20 % so that many browsers do not reconnect at once. After `rate_limited`
 * or `busy` the delay is at least 5 s.
 */
export function decideReconnect(loss: Loss, failures: number, random: number): ReconnectDecision {
  if (loss.error !== null && !loss.error.retryable) {
    const { code, message } = loss.error;
    return { kind: "end", end: { kind: "refused", code, message } };
  }
  if (loss.code === relayClose.normal && loss.error === null)
    return { kind: "end", end: { kind: "closed" } };
  if (loss.code === relayClose.replaced) return { kind: "end", end: { kind: "takenOver" } };
  const isTransient = loss.error?.retryable === true;
  if (!isTransient && (loss.code === relayClose.policy || loss.code === relayClose.tooBig)) {
    return {
      kind: "end",
      end: { kind: "disconnected", code: loss.code, reason: loss.reason || "Unknown" },
    };
  }
  const delayMs = getRetryDelay(failures, random);
  const isBusy = loss.error?.code === "rate_limited" || loss.error?.code === "busy";
  return { kind: "retry", delayMs: isBusy ? Math.max(busyRetryMs, delayMs) : delayMs };
}

/** Delay before retry number `failures + 1`, ms. */
export function getRetryDelay(failures: number, random: number): number {
  if (failures === 0) return reconnectPauseMs;
  return Math.min(getBackoffMs(retries, failures - 1, random), reconnectMaxMs);
}
