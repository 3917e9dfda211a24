import { getPeriod, recordingActiveMs } from "#server/recording/plan-limits.ts";
import { type Backoff, getBackoffMs, usageFlushIntervalMs } from "#shared/limits.ts";
import { getRemainingMs, sendTimer } from "./allowance.ts";
import type { UsageResult } from "./events.ts";
import { isSamePayer, needsWrite, type Usage } from "./metering-state.ts";
import type { Segment } from "./snapshot.ts";
import { log, persist, type RoomState, type StepContext } from "./state.ts";

const retryBackoff: Backoff = { firstMs: 1_000, maxMs: 60_000, spread: [0.5, 1] };
export const flushTimeoutMs = 20_000;
/**
 * A room with an open provider session writes at least this often, even without new audio: admission
 * counts active recordings by these writes, and their results say whether the recording must stop.
 */
const reportIntervalMs = 20_000;
/**
 * A room's own interval is shorter by up to this much, according to its id, so that rooms that once write together, after
 * a deployment or at the turn of a month, do not go on doing so.
 */
const flushSpreadMs = 4_000;
/** While a segment is open, the user's pages are notified of its time this often. */
const noticeIntervalMs = 60_000;
/** Shortest interval between flushes, for devices that share an almost exhausted allowance. */
const minFlushIntervalMs = 1_000;
/** Recordings that may have started since the last flush. */
const maxUnknownDevices = 8;
/**
 * Audio faster than real time that is tolerated, because late alarms look like bursts. For five devices
 * together it is less than a flush interval.
 */
const maxBurstMs = 2_000;

/** Opens a segment if none is open. It is persisted before the first charge, so that a restarted room continues it. */
function ensureOpenSegment(ctx: StepContext): void {
  const { room } = ctx;
  const period = getPeriod(ctx.now, room.payer);
  if (room.usage.period !== period)
    room.usage = {
      ...room.usage,
      period,
      usedMs: 0,
      hasSentLowNotice: false,
      dueAt: ctx.now + flushSpreadMs * getFlushPhase(room.recordingId),
    };
  const open = findOpenSegment(room.usage);
  if (open && open.period === period && isSamePayer(open.payer, room.payer)) return;
  closeSegment(ctx);
  const { segments, nextSegment } = room.usage;
  const segment: Segment = {
    number: nextSegment,
    payer: room.payer,
    period,
    startedAt: ctx.now,
    recordedMs: 0,
    closed: false,
    flushed: null,
  };
  room.usage = { ...room.usage, segments: [...segments, segment], nextSegment: nextSegment + 1 };
  persist(ctx);
  log(ctx, "segment_started", { segment: segment.number, period });
}

/** Counts `ms` of accepted audio. A new period closes the segment and opens the next. */
export function charge(ctx: StepContext, ms: number): void {
  const { room, now } = ctx;
  const current = findOpenSegment(room.usage);
  if (current?.period !== getPeriod(now, room.payer)) ensureOpenSegment(ctx);
  const { segments } = room.usage;
  const last = findOpenSegment(room.usage);
  if (!last) return;
  const charged = { ...last, recordedMs: last.recordedMs + ms };
  room.usage = { ...room.usage, segments: [...segments.slice(0, -1), charged] };
  room.usage = { ...room.usage, dueAt: getDueAfterCharge(room, now) };
}

/** Makes the recording visible to admission as soon as it asks for a provider session. */
export function reportActivity(ctx: StepContext): void {
  ensureOpenSegment(ctx);
  const { room } = ctx;
  const { usage } = room;
  if (usage.inFlight || usage.failures > 0) return;
  if (findOpenSegment(usage)?.flushed === null) flush(ctx);
  else room.usage = { ...usage, dueAt: usage.dueAt ?? ctx.now + reportIntervalMs };
}

/** Closes the current segment and writes it. */
export function closeAndFlushSegment(ctx: StepContext): void {
  closeSegment(ctx);
  persist(ctx);
  flush(ctx);
}

/** Closes the current segment; the next flush writes it. */
export function closeSegment(ctx: StepContext): void {
  const { usage } = ctx.room;
  ctx.room.usage = {
    ...usage,
    segments: usage.segments.map((one) => (one.closed ? one : { ...one, closed: true })),
  };
}

/** Writes one segment that differs from the ledger; the next one follows when this write has finished. */
export function flush(ctx: StepContext): void {
  const { room, now } = ctx;
  const { usage } = room;
  if (usage.inFlight) {
    room.usage = { ...usage, dueAt: now };
    return;
  }
  const segment = usage.segments.find(needsWrite) ?? usage.segments.at(-1);
  if (!segment) {
    room.usage = { ...usage, dueAt: null };
    return;
  }
  const { number, flushed: _, ...written } = segment;
  const { payer, recordedMs, closed } = written;
  const id = usage.lastFlushId + 1;
  const signInSessionId = isSamePayer(payer, room.payer) ? room.signInSessionId : null;
  room.usage = {
    ...usage,
    dueAt: null,
    writtenAt: now,
    lastFlushId: id,
    inFlight: { id, number, recordedMs, closed, signInSessionId, since: now },
  };
  ctx.effects.push({
    type: "writeUsage",
    flushId: id,
    write: {
      recordingId: room.recordingId,
      againLectureId: room.againLectureId,
      signInSessionId,
      ...written,
      segment: number,
      recordedMs: Math.round(recordedMs),
    },
  });
}

/**
 * Applies the result of a flush. False when the result does not concern the current client: the flush
 * timed out, or belongs to another payer or an earlier session.
 */
export function onFlushed(ctx: StepContext, flushId: number, result: UsageResult): boolean {
  const { room, now } = ctx;
  const { usage } = room;
  const { inFlight } = usage;
  if (inFlight?.id !== flushId) return false;
  const written = usage.segments.find((one) => one.number === inFlight.number);
  const { recordedMs, closed } = inFlight;
  const segments = usage.segments
    .map((one) => (one === written ? { ...one, flushed: { recordedMs, closed } } : one))
    .filter((one) => !one.closed || needsWrite(one));
  const hasNews = usage.hasNews || result.hasGrown;
  room.usage = { ...usage, segments, inFlight: null, failures: 0, hasNews };
  const isCurrentPayer = written !== undefined && isSamePayer(written.payer, room.payer);
  if (isCurrentPayer) {
    const { limitMs, otherRecordings, level } = result;
    const usedMs = written.period === usage.period ? result.usedMs : usage.usedMs;
    room.level = level;
    room.usage = { ...room.usage, limitMs, otherRecordings, usedMs };
  }
  room.usage = { ...room.usage, dueAt: usage.dueAt ?? getDueAfterFlush(room, now) };
  persist(ctx, { confirmed: false });
  if (written) notifyUserIfDue(ctx, written.payer.userId, closed);
  const { client, signInSessionId } = room;
  const isForClient =
    isCurrentPayer && client !== null && signInSessionId === inFlight.signInSessionId;
  if (isForClient)
    room.client = { ...client, expiresAt: result.signInExpiresAt ?? client.expiresAt };
  sendTimer(ctx);
  return isForClient;
}

export function onFlushFailed(ctx: StepContext, flushId: number): void {
  const { usage } = ctx.room;
  if (usage.inFlight?.id !== flushId) return;
  const delay = getBackoffMs(retryBackoff, usage.failures, ctx.random);
  ctx.room.usage = {
    ...usage,
    inFlight: null,
    failures: usage.failures + 1,
    dueAt: ctx.now + delay,
    // The ledger may have been written all the same.
    hasNews: true,
  };
  // Until the retry succeeds, this recorded time exists only here.
  persist(ctx);
  log(ctx, "usage_flush_failed", { failures: usage.failures + 1 }, "warn");
}

/** Notifies the user's pages of recorded time: once a segment is closed, otherwise from time to time. */
function notifyUserIfDue(ctx: StepContext, userId: string | null, closed: boolean): void {
  const { room, now } = ctx;
  const { hasNews, notifiedAt } = room.usage;
  if (!hasNews || userId === null || !(closed || now - notifiedAt >= noticeIntervalMs)) return;
  room.usage = { ...room.usage, hasNews: false, notifiedAt: now };
  ctx.effects.push({ type: "notifyUser", userId });
}

function findOpenSegment({ segments }: Usage): Segment | null {
  const last = segments.at(-1);
  return last && !last.closed ? last : null;
}

/**
 * Largest amount of audio, and of time, between two flushes: the room's own interval, or less when little
 * allowance remains. Devices that share it learn of each other only by flushes: each other recording may hold
 * one interval that is not written yet, and up to `maxUnknownDevices` may record that no flush has reported.
 */
function getFlushIntervalMs(room: RoomState): number {
  const { otherRecordings } = room.usage;
  const left = getRemainingMs(room);
  const certain = left - otherRecordings * usageFlushIntervalMs;
  const share = Math.min(certain / (otherRecordings + 2), left / maxUnknownDevices);
  const own = usageFlushIntervalMs - flushSpreadMs * getFlushPhase(room.recordingId);
  return Math.min(own, Math.max(minFlushIntervalMs, share));
}

/** Audio that was charged since the last successful write, ms. */
function getUnwrittenMs({ usage }: RoomState): number {
  const last = usage.segments.at(-1);
  return (last?.recordedMs ?? 0) - (last?.flushed?.recordedMs ?? 0);
}

/** Starts a flush that had to wait for another one, without waiting for the alarm. */
export function flushIfDue(ctx: StepContext): void {
  const { dueAt, inFlight } = ctx.room.usage;
  if (!inFlight && dueAt !== null && dueAt <= ctx.now) flush(ctx);
}

/** Flushes if a burst of audio has filled the interval, without waiting for the alarm. */
export function flushIfLarge(ctx: StepContext): void {
  const { usage } = ctx.room;
  if (usage.inFlight || usage.failures > 0) return;
  if (getUnwrittenMs(ctx.room) >= getFlushIntervalMs(ctx.room)) flush(ctx);
}

/**
 * True when audio arrives faster than real time while a write is pending, and the same amount on other
 * devices might exceed the allowance. Never true at real-time speed, however slow the database is.
 */
export function isAheadOfLedger(room: RoomState, now: number): boolean {
  const { inFlight, failures } = room.usage;
  if (!inFlight || failures > 0) return false;
  const spoken = getFlushIntervalMs(room) + (now - inFlight.since) + maxBurstMs;
  // Half of a device's share, because the other devices may be behind as well.
  return getUnwrittenMs(room) > Math.max(spoken, getRemainingMs(room) / maxUnknownDevices / 2);
}

function getDueAfterCharge(room: RoomState, now: number): number | null {
  const { usage } = room;
  const { dueAt, writtenAt } = usage;
  if (usage.inFlight || usage.failures > 0) return dueAt;
  const unwritten = getUnwrittenMs(room);
  const every = getFlushIntervalMs(room);
  const isResumed = writtenAt !== null && now - writtenAt > recordingActiveMs;
  if (isResumed || unwritten >= every) return Math.min(now, dueAt ?? now);
  // Rooms that start together write together with their first audio, so the second interval is shorter, differently.
  const part = usage.lastFlushId > 1 ? 1 : 1 - getFlushPhase(room.recordingId) / 2;
  return Math.min(dueAt ?? Number.POSITIVE_INFINITY, now + every * part);
}

/** Now, if a segment was closed or never written; otherwise one interval later. */
function getDueAfterFlush(room: RoomState, now: number): number | null {
  const unwritten = room.usage.segments.filter(needsWrite);
  if (unwritten.length === 0) return room.provider.kind === "none" ? null : now + reportIntervalMs;
  const urgent = unwritten.some((one) => one.closed || one.flushed === null);
  return urgent ? now : now + getFlushIntervalMs(room);
}

/** A number from 0 to 1 that is the room's own. */
function getFlushPhase(recordingId: string): number {
  const number = Number.parseInt(recordingId.slice(-8), 16);
  return Number.isNaN(number) ? 0 : number / 2 ** 32;
}
