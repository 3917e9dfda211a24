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
/** Shortest delay after `rate_limited` or `busy` without a time. */
const busyRetryMs = 5_000;

export interface Loss {
  /** WebSocket close code; 1006 when there was none. */
  code: number;
  reason: string;
  /** The room's last `error` on this connection, if any. */
  error: { code: ErrorCode; message: string; retryable: boolean; waitMs?: number } | null;
}

/**
 * Why a lost connection is not opened again; null: it is. A room that refuses for good, closes normally, gives the
 * recording to another page, or finds the page's frames wrong will do so again.
 */
export function findEnd({ code, reason, error }: Loss): RelayEnd | null {
  if (error !== null && !error.retryable)
    return { kind: "refused", code: error.code, message: error.message };
  if (code === relayClose.replaced) return { kind: "takenOver" };
  if (error !== null) return null;
  if (code === relayClose.normal) return { kind: "closed" };
  if (code !== relayClose.policy && code !== relayClose.tooBig) return null;
  return { kind: "disconnected", code, reason };
}

/**
 * Delay after `failures` losses in a row since the room last answered audio, ms. `random`: 0 to 1.
 *
 * The first retry comes after the restart pause, the second about 2 s later, then with growing delays
 * up to 15 s, each varied by 20 % so that many browsers do not reconnect at once.
 */
export function getRetryDelay(failures: number, random: number): number {
  if (failures === 0) return reconnectPauseMs;
  return Math.min(getBackoffMs(retries, failures - 1, random), reconnectMaxMs);
}

/** Shortest delay after `loss`, ms: what the room has said, or 5 s where it was too much for it. */
export function getShortestDelay({ error }: Loss): number {
  const isTooMuch = error?.code === "rate_limited" || error?.code === "busy";
  return Math.max(error?.waitMs ?? 0, isTooMuch ? busyRetryMs : 0);
}
