import { getPeriod } from "#server/recording/period.ts";
import { recordingActiveMs } from "#server/recording/plan-limits.ts";
import { type Backoff, getBackoffMs } from "#shared/backoff.ts";
import { usageFlushIntervalMs } from "#shared/limits.ts";
import { getRemainingMs, sendTimer } from "./allowance.ts";
import type { UsageResult } from "./events.ts";
import { isSamePayer, needsWrite, type Usage } from "./metering-state.ts";
import type { Segment } from "./snapshot.ts";
import { log, persist, type RoomState, type StepContext } from "./state.ts";

const retryBackoff: Backoff = { firstMs: 1_000, maxMs: 60_000, spread: [0.5, 1] };
export const flushTimeoutMs = 20_000;
/**
 * A room that holds a stream writes as often as this, whatever was charged: admission counts it, and
 * whoever may not go on is told.
 */
const reportIntervalMs = 20_000;
/** Where little is left, devices that share it look at each other as often as this. */
const minFlushIntervalMs = 1_000;
/** So many may have begun since the ledger last told of others. */
const maxUnknownDevices = 8;
/** Late alarms look like bursts: so much is none. On five devices it is less than a flush's interval. */
const maxBurstMs = 2_000;

/** Begins a segment where none is open. Kept before the first charge, so that an evicted room goes on with it. */
function ensureOpenSegment(ctx: StepContext): void {
  const { room } = ctx;
  const period = getPeriod(ctx.now, room.payer);
  if (room.usage.period !== period)
    room.usage = { ...room.usage, period, usedMs: 0, hasSentLowNotice: false, dueAt: ctx.now };
  const open = findOpenSegment(room.usage);
  if (open && open.period === period && isSamePayer(open.payer, room.payer)) return;
  closeSegment(ctx);
  const { segments, nextSegment } = room.usage;
  const begun: Segment = {
    number: nextSegment,
    payer: room.payer,
    period,
    startedAt: ctx.now,
    recordedMs: 0,
    closed: false,
    flushed: null,
  };
  room.usage = { ...room.usage, segments: [...segments, begun], nextSegment: nextSegment + 1 };
  persist(ctx);
  log(ctx, "segment_started", { segment: begun.number, period });
}

/** Counts `ms` of accepted audio. The turn of a period ends the segment and begins the next. */
export function charge(ctx: StepContext, ms: number): void {
  const { room, now } = ctx;
  const current = findOpenSegment(room.usage);
  if (current?.period !== getPeriod(now, room.payer)) ensureOpenSegment(ctx);
  const { usage } = room;
  const last = findOpenSegment(usage);
  room.usage = {
    ...usage,
    totalMs: usage.totalMs + ms,
    segments: last
      ? [...usage.segments.slice(0, -1), { ...last, recordedMs: last.recordedMs + ms }]
      : usage.segments,
  };
  room.usage = { ...room.usage, dueAt: getDueAfterCharge(room, now) };
}

/** Lets admission know of the recording from the moment at which it asks for a stream. */
export function reportActivity(ctx: StepContext): void {
  ensureOpenSegment(ctx);
  const { room } = ctx;
  const { usage } = room;
  if (usage.inFlight || usage.failures > 0) return;
  if (findOpenSegment(usage)?.flushed === null) flush(ctx);
  else room.usage = { ...usage, dueAt: usage.dueAt ?? ctx.now + reportIntervalMs };
}

/** Ends the current segment and writes that it has ended. */
export function closeAndFlushSegment(ctx: StepContext): void {
  closeSegment(ctx);
  persist(ctx);
  flush(ctx);
}

/** Ends the current segment, to be written with the next flush. */
export function closeSegment(ctx: StepContext): void {
  const { usage } = ctx.room;
  ctx.room.usage = {
    ...usage,
    segments: usage.segments.map((one) => (one.closed ? one : { ...one, closed: true })),
  };
}

/** Writes what the ledger does not hold, one segment at a time. */
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
  const { number, payer, period, recordedMs, closed, startedAt } = segment;
  const id = usage.lastFlushId + 1;
  const isOwners = room.owner !== null && payer.userId === room.owner.userId;
  const sessionId = isOwners ? (room.owner?.sessionId ?? null) : null;
  room.usage = {
    ...usage,
    dueAt: null,
    writtenAt: now,
    lastFlushId: id,
    inFlight: { id, number, recordedMs, closed, sessionId, since: now },
  };
  ctx.effects.push({
    type: "writeUsage",
    flushId: id,
    write: {
      recordingId: room.recordingId,
      payer,
      sessionId,
      segment: number,
      period,
      startedAt,
      recordedMs: Math.round(recordedMs),
      closed,
    },
  });
}

/**
 * Takes in what the ledger answered. False when the answer says nothing of the present browser: the
 * flush was given up, or was made for another payer or under an earlier session.
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
  room.usage = { ...usage, segments, inFlight: null, failures: 0 };
  const isOurs = written !== undefined && isSamePayer(written.payer, room.payer);
  if (isOurs) {
    const { limitMs, otherRecordings, level } = result;
    const usedMs = written.period === usage.period ? result.usedMs : usage.usedMs;
    room.level = level;
    room.usage = { ...room.usage, limitMs, otherRecordings, usedMs };
  }
  room.usage = { ...room.usage, dueAt: usage.dueAt ?? getDueAfterFlush(room, now) };
  persist(ctx, { confirmed: false });
  const isPresent =
    isOurs && room.client !== null && (room.owner?.sessionId ?? null) === inFlight.sessionId;
  if (isPresent && room.client) {
    const expiresAt = result.sessionExpiresAt ?? room.client.expiresAt;
    room.client = { ...room.client, expiresAt };
  }
  sendTimer(ctx);
  return isPresent;
}

export function onFlushFailed(ctx: StepContext, flushId: number): void {
  const { usage } = ctx.room;
  if (usage.inFlight?.id !== flushId) return;
  const delay = getBackoffMs(retryBackoff, usage.failures, ctx.jitter);
  ctx.room.usage = {
    ...usage,
    inFlight: null,
    failures: usage.failures + 1,
    dueAt: ctx.now + delay,
  };
  // Only the storage remembers now what was recorded.
  persist(ctx);
  log(ctx, "usage_flush_failed", { failures: usage.failures + 1 }, "warn");
}

function findOpenSegment({ segments }: Usage): Segment | null {
  const last = segments.at(-1);
  return last && !last.closed ? last : null;
}

/**
 * How much sound, and how much time, may lie between two flushes. Devices that share an allowance
 * learn of each other by flushes, and each may have an interval's sound that it has not told: where
 * little is left beside that, each takes a part of it and looks again.
 */
function getFlushIntervalMs(room: RoomState): number {
  const { otherRecordings } = room.usage;
  const left = getRemainingMs(room);
  const sure = left - otherRecordings * usageFlushIntervalMs;
  const part = Math.min(sure / (otherRecordings + 2), left / maxUnknownDevices);
  return Math.min(usageFlushIntervalMs, Math.max(minFlushIntervalMs, part));
}

/** Charged since what the ledger is known to hold, ms. */
function getUnwrittenMs({ usage }: RoomState): number {
  const last = usage.segments.at(-1);
  return (last?.recordedMs ?? 0) - (last?.flushed?.recordedMs ?? 0);
}

/** What was put off while another write was under way does not wait for the alarm. */
export function flushIfDue(ctx: StepContext): void {
  const { dueAt, inFlight } = ctx.room.usage;
  if (!inFlight && dueAt !== null && dueAt <= ctx.now) flush(ctx);
}

/** Sound that comes in a burst does not wait for the alarm. */
export function flushIfLarge(ctx: StepContext): void {
  const { usage } = ctx.room;
  if (usage.inFlight || usage.failures > 0) return;
  if (getUnwrittenMs(ctx.room) >= getFlushIntervalMs(ctx.room)) flush(ctx);
}

/**
 * True where sound comes faster than it can be spoken while the ledger has not answered, and as much
 * on other devices might be more than is left. Never at the speed of speech, however slow the answer.
 */
export function isAheadOfLedger(room: RoomState, now: number): boolean {
  const { inFlight, failures } = room.usage;
  if (!inFlight || failures > 0) return false;
  const spoken = getFlushIntervalMs(room) + (now - inFlight.since) + maxBurstMs;
  // Half of a device's part: the others, too, may be behind in what they know of each other.
  return getUnwrittenMs(room) > Math.max(spoken, getRemainingMs(room) / maxUnknownDevices / 2);
}

function getDueAfterCharge(room: RoomState, now: number): number | null {
  const { usage } = room;
  const { dueAt, writtenAt } = usage;
  if (usage.inFlight || usage.failures > 0) return dueAt;
  const unwritten = getUnwrittenMs(room);
  const every = getFlushIntervalMs(room);
  const isBack = writtenAt !== null && now - writtenAt > recordingActiveMs;
  if (isBack || unwritten >= every) return Math.min(now, dueAt ?? now);
  // The first write of a room's life came with its first sound.
  const phase = usage.lastFlushId > 1 ? 1 : getFlushPhase(room.recordingId);
  return Math.min(dueAt ?? Number.POSITIVE_INFINITY, now + every * phase);
}

/** At once for a segment that has ended or was never written, else one period later. */
function getDueAfterFlush(room: RoomState, now: number): number | null {
  const waiting = room.usage.segments.filter(needsWrite);
  if (waiting.length === 0) return room.provider.kind === "none" ? null : now + reportIntervalMs;
  const urgent = waiting.some((one) => one.closed || one.flushed === null);
  return urgent ? now : now + getFlushIntervalMs(room);
}

/** Rooms that begin together, as after a deployment, do not flush together: the period after their first write is a half to a whole one. */
function getFlushPhase(recordingId: string): number {
  const number = Number.parseInt(recordingId.slice(-8), 16);
  return Number.isNaN(number) ? 1 : 0.5 + number / 2 ** 33;
}
