import { usageFlushMs } from "../../shared/limits.ts";
import type { UsageResult } from "./events.ts";
import type { Segment } from "./saved-room.ts";
import { log, monthOf, needsWrite, persist, type RoomState, send, type Work } from "./state.ts";

const retryFirstMs = 1_000;
const retryMaxMs = 60_000;
export const flushTimeoutMs = 20_000;

/** Recorded in the current month, what the ledger does not hold yet included; a guest's whole time. */
function usedMs(room: RoomState): number {
  const { usage } = room;
  if (room.owner === null) return usage.totalMs;
  return usage.segments.reduce(
    (sum, one) =>
      one.month === usage.month ? sum + one.recordedMs - (one.flushed?.recordedMs ?? 0) : sum,
    usage.monthUsedMs,
  );
}

export function isExhausted(room: RoomState): boolean {
  return usedMs(room) >= room.usage.limitMs;
}

/** Begins a segment where none is open. Kept before the first charge, so that an evicted room goes on with it. */
export function beginSegment(work: Work): void {
  const { room } = work;
  room.abandonAt = null;
  if (room.owner === null || room.usage.segments.at(-1)?.closed === false) return;
  const { segments, nextSegment } = room.usage;
  const month = monthOf(work.now);
  const begun: Segment = {
    number: nextSegment,
    month,
    startedAt: work.now,
    recordedMs: 0,
    closed: false,
    flushed: null,
  };
  room.usage = { ...room.usage, segments: [...segments, begun], nextSegment: nextSegment + 1 };
  persist(work);
  log(work, "segment_begun", { segment: begun.number, month });
}

/** Counts `ms` of accepted audio. A month's turn ends the segment and begins the next. */
export function charge(work: Work, ms: number): void {
  const { room } = work;
  const month = monthOf(work.now);
  const current = room.usage.segments.at(-1);
  if (room.owner !== null && current && !current.closed && current.month !== month) {
    closeSegment(work);
    const monthUsedMs = room.usage.month === month ? room.usage.monthUsedMs : 0;
    room.usage = { ...room.usage, month, monthUsedMs, dueAt: work.now };
    beginSegment(work);
  }
  const { usage } = room;
  const last = usage.segments.at(-1);
  room.usage = {
    ...usage,
    totalMs: usage.totalMs + ms,
    dueAt: usage.dueAt ?? (usage.inFlight ? null : work.now + usageFlushMs),
    segments:
      last && !last.closed
        ? [...usage.segments.slice(0, -1), { ...last, recordedMs: last.recordedMs + ms }]
        : usage.segments,
  };
}

/** Ends the current segment, to be written with the next flush. */
export function closeSegment(work: Work): void {
  const { usage } = work.room;
  work.room.abandonAt = null;
  work.room.usage = {
    ...usage,
    segments: usage.segments.map((one) => (one.closed ? one : { ...one, closed: true })),
  };
}

/** Writes what the ledger does not hold, one segment at a time; a guest is only told the time. */
export function flush(work: Work): void {
  const { room } = work;
  const { usage } = room;
  if (usage.inFlight) {
    room.usage = { ...usage, dueAt: work.now };
    return;
  }
  const { owner } = room;
  if (owner === null) {
    room.usage = { ...usage, dueAt: null };
    persist(work);
    tellTimer(work);
    return;
  }
  const segment = usage.segments.find(needsWrite) ?? usage.segments.at(-1);
  if (!segment) {
    room.usage = { ...usage, dueAt: null };
    return;
  }
  const { number, recordedMs, closed } = segment;
  const id = usage.lastFlushId + 1;
  room.usage = {
    ...usage,
    dueAt: null,
    lastFlushId: id,
    inFlight: { id, number, recordedMs, closed, sessionId: owner.sessionId, since: work.now },
  };
  work.effects.push({
    type: "writeUsage",
    flushId: id,
    write: {
      recordingId: room.recordingId,
      userId: owner.userId,
      sessionId: owner.sessionId,
      segment: number,
      month: segment.month,
      startedAt: segment.startedAt,
      recordedMs: Math.round(recordedMs),
      closed,
    },
  });
}

/**
 * Takes in what the ledger answered. False when the answer says nothing of the present browser: the
 * flush was given up, or was made under an earlier session.
 */
export function onFlushed(work: Work, flushId: number, result: UsageResult): boolean {
  const { room } = work;
  const { usage } = room;
  const { inFlight } = usage;
  if (inFlight?.id !== flushId) return false;
  const written = usage.segments.find((one) => one.number === inFlight.number);
  const { recordedMs, closed } = inFlight;
  const segments = usage.segments
    .map((one) => (one === written ? { ...one, flushed: { recordedMs, closed } } : one))
    .filter((one) => !one.closed || needsWrite(one));
  room.usage = {
    ...usage,
    segments,
    inFlight: null,
    failures: 0,
    limitMs: result.limitMs,
    monthUsedMs: written?.month === usage.month ? result.monthUsedMs : usage.monthUsedMs,
    dueAt: usage.dueAt ?? nextFlushAt(segments, work.now),
  };
  persist(work);
  if (room.browser && room.owner?.sessionId === inFlight.sessionId) {
    const expiresAt = result.sessionExpiresAt ?? room.browser.expiresAt;
    room.browser = { ...room.browser, expiresAt };
  }
  tellTimer(work);
  return room.browser !== null && room.owner?.sessionId === inFlight.sessionId;
}

export function onFlushFailed(work: Work, flushId: number): void {
  const { usage } = work.room;
  if (usage.inFlight?.id !== flushId) return;
  const delay = Math.min(retryMaxMs, retryFirstMs * 2 ** usage.failures) * (0.5 + work.jitter / 2);
  work.room.usage = {
    ...usage,
    inFlight: null,
    failures: usage.failures + 1,
    dueAt: work.now + delay,
  };
  log(work, "usage_flush_failed", { failures: usage.failures + 1 }, "warn");
}

export function tellTimer(work: Work): void {
  const { room } = work;
  if (!room.browser?.settings || !Number.isFinite(room.usage.limitMs)) return;
  send(work, {
    type: "timer",
    usedSeconds: Math.floor(usedMs(room) / 1_000),
    limitSeconds: Math.floor(room.usage.limitMs / 1_000),
  });
}

/** At once for a segment that has ended or was never written, else one period later. */
function nextFlushAt(segments: readonly Segment[], now: number): number | null {
  const waiting = segments.filter(needsWrite);
  if (waiting.length === 0) return null;
  const urgent = waiting.some((one) => one.closed || one.flushed === null);
  return urgent ? now : now + usageFlushMs;
}
