import { getPeriod } from "#server/recording/plan-limits.ts";
import type { Payer, RoomGrant, RoomSnapshot, RoomSocket, Segment } from "./snapshot.ts";

/** A write to the ledger that has no answer yet. */
interface PendingWrite {
  id: number;
  /** Of the segment. */
  number: number;
  recordedMs: number;
  closed: boolean;
  signInSessionId: string | null;
  since: number;
}

/** Recorded time with its write state, and the last known allowance. */
export type Usage = ReturnType<typeof createUsage>;

/** Usage of a room that was just loaded. Unwritten segments are due immediately. */
export function createUsage({ payer, segments, nextSegment }: RoomSnapshot, now: number) {
  return {
    segments,
    nextSegment,
    /** First day of the period of `usedMs`. */
    period: getPeriod(now, payer),
    /** Time in the ledger for the period, for everything on the same allowance. */
    usedMs: 0,
    limitMs: Number.POSITIVE_INFINITY,
    /** Other recordings on the same allowance at the last flush. */
    otherRecordings: 0,
    dueAt: segments.some(needsWrite) ? now : null,
    /** When the last write started; null before the first one since the room was loaded. */
    writtenAt: null as number | null,
    inFlight: null as PendingWrite | null,
    lastFlushId: 0,
    failures: 0,
    /** The user's pages do not know of the latest recorded time. */
    hasNews: false,
    /** When the user's pages were last notified, ms since the epoch; at first, when the room was loaded. */
    notifiedAt: now,
    /** The client was warned that little time is left. */
    hasSentLowNotice: false,
    /** The allowance is used up: no more audio is accepted. */
    isEnding: false,
  };
}

/**
 * Applies the grant of a socket; `before` is the previous payer. A socket that outlived the room's memory may have been
 * granted in an earlier period, whose time counts no more. The ledger only grows, so if the room knows of
 * more used time, a write has finished after the grant was read.
 */
export function applyGrant(
  usage: Usage,
  { grant, connectedAt }: RoomSocket,
  before: Payer,
  now: number,
): Usage {
  const payer = toPayer(grant);
  const period = getPeriod(now, payer);
  const grantedMs = getPeriod(connectedAt, payer) === period ? grant.usedMs : 0;
  const isKnown = period === usage.period && isSamePayer(payer, before);
  const usedMs = isKnown ? Math.max(grantedMs, usage.usedMs) : grantedMs;
  return {
    ...usage,
    period,
    usedMs,
    limitMs: grant.limitMs,
    hasSentLowNotice: false,
    isEnding: false,
  };
}

export const isSamePayer = (a: Payer, b: Payer): boolean =>
  a.userId === b.userId && a.address === b.address;

export function toPayer({ user, address }: RoomGrant): Payer {
  return { userId: user?.id ?? null, address };
}

/** True unless the ledger is known to hold the current state of `segment`. */
export function needsWrite(segment: Segment): boolean {
  const { flushed } = segment;
  return (
    flushed === null ||
    flushed.recordedMs !== segment.recordedMs ||
    flushed.closed !== segment.closed
  );
}
