import { getPeriod } from "#server/recording/period.ts";
import type { RoomGrant } from "./events.ts";
import type { Payer, RoomSnapshot, Segment } from "./snapshot.ts";

/** What of the recorded time is written, and what of the allowance is known. */
export interface Usage {
  /** Charged over the whole recording. */
  totalMs: number;
  /** First day of the period that `usedMs` is about. */
  period: string;
  /** What the ledger holds for the period, over all that shares the allowance. */
  usedMs: number;
  limitMs: number;
  /** Recordings on the same allowance, as the ledger said last, this one not counted. */
  otherRecordings: number;
  /** Those that the ledger does not hold as they are, and the current one last. */
  segments: readonly Segment[];
  nextSegment: number;
  dueAt: number | null;
  /** When the last write began; null before the first one of the room's life. */
  writtenAt: number | null;
  inFlight: {
    id: number;
    number: number;
    recordedMs: number;
    closed: boolean;
    sessionId: string | null;
    since: number;
  } | null;
  lastFlushId: number;
  failures: number;
  /** The browser knows that little is left. */
  hasSentLowNotice: boolean;
  /** The allowance has run out: no more audio is taken. */
  isEnding: boolean;
}

const noPayer: Payer = { userId: null, address: null };

/** A room's accounts as it wakes up. What was never written is due. */
export function createUsage(saved: RoomSnapshot | null, firstSegment: number, now: number): Usage {
  return {
    totalMs: saved?.totalMs ?? 0,
    period: getPeriod(now, saved?.payer ?? noPayer),
    usedMs: 0,
    limitMs: Number.POSITIVE_INFINITY,
    otherRecordings: 0,
    segments: saved?.segments ?? [],
    nextSegment: saved?.nextSegment ?? firstSegment,
    dueAt: saved?.segments.some(needsWrite) ? now : null,
    writtenAt: null,
    inFlight: null,
    lastFlushId: 0,
    failures: 0,
    hasSentLowNotice: false,
    isEnding: false,
  };
}

/**
 * The accounts under a grant that was made a moment ago; `before` is who paid until then. A ledger only
 * grows: where the room knows of more, a write has landed since the grant was read.
 */
export function applyGrant(usage: Usage, grant: RoomGrant, before: Payer, now: number): Usage {
  const payer = toPayer(grant);
  const period = getPeriod(now, payer);
  const isKnown = period === usage.period && isSamePayer(payer, before);
  const usedMs = isKnown ? Math.max(grant.usedMs, usage.usedMs) : grant.usedMs;
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

/** True when the ledger is not known to hold `segment` as it is. */
export function needsWrite(segment: Segment): boolean {
  const { flushed } = segment;
  return (
    flushed === null ||
    flushed.recordedMs !== segment.recordedMs ||
    flushed.closed !== segment.closed
  );
}
