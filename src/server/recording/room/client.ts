import type { ErrorCode } from "#shared/errors.ts";
import { relayRoomWindow } from "#shared/limits.ts";
import { getChunkMs, relayClose } from "#shared/relay.ts";
import { isAllowanceExhausted, sendTimerIfLow } from "./allowance.ts";
import { admitChunk } from "./audio-intake.ts";
import {
  type ClientBudget,
  errorLimit,
  errorReplyIntervalMs,
  frameLimit,
  isViolation,
  maxResentChunks,
  violationBlockMs,
} from "./client-budget.ts";
import type { ConnectRequest } from "./events.ts";
import { beginFinalize } from "./finalize.ts";
import { charge, closeSegment, flush, flushIfLarge, isAheadOfLedger } from "./metering.ts";
import { closeSession, openSession, sendBacklog } from "./provider-session.ts";
import { extendActiveUntil } from "./provider-session-budget.ts";
import { takeToken } from "./rate-bucket.ts";
import { chunkRules, readChunk } from "./received-chunk.ts";
import {
  attachClient,
  log,
  persist,
  type StepContext,
  type StreamSettings,
  send,
} from "./state.ts";
import { toPosition, toSeq } from "./take-placement.ts";

/**
 * Attaches a new socket if the room has no client, if the client is the same tab, if the user asked to
 * take over, or if the socket names no tab. Any other socket is rejected, so that a tab that reconnects
 * automatically never ends a recording that continued elsewhere.
 */
export function connectClient(ctx: StepContext, { takesOver, ...arrival }: ConnectRequest): void {
  const { room, now } = ctx;
  const { socketId, tab, grant } = arrival;
  const reason = "Another page continued this recording.";
  const disconnected = { type: "disconnected", code: relayClose.replaced, reason } as const;
  if (room.client) {
    if (tab !== null && tab !== room.client.tab && !takesOver) {
      ctx.effects.push(
        { type: "send", socketId, message: disconnected },
        { type: "closeClient", socketId, code: relayClose.replaced, reason },
      );
      log(ctx, "client_rejected");
      return;
    }
    send(ctx, disconnected);
    detachClient(ctx, { code: relayClose.replaced, reason });
  }
  attachClient(room, { ...arrival, connectedAt: now, restored: false }, now);
  log(ctx, "client_connected", { guest: grant.user === null });
  send(ctx, { type: "ready" });
}

/** Accepts one chunk: once, in order, and only as far ahead of the provider as memory allows. */
export function acceptAudio(
  ctx: StepContext,
  sequence: number | null,
  payload: Uint8Array,
  binary: boolean,
): void {
  const { room } = ctx;
  const settings = room.client?.settings;
  if (!room.client) return;
  if (!settings) {
    if (room.client.restored) requestReconnect(ctx);
    else rejectFrame(ctx, "Send config before audio.");
    return;
  }
  if (binary && !settings.binary) {
    rejectFrame(ctx, "Binary audio was not asked for in config.");
    return;
  }
  if (room.usage.isEnding || !isNextChunk(ctx, sequence)) return;
  if (room.backlog.length >= relayRoomWindow) {
    const message = "Audio comes faster than it can be transcribed.";
    closeWithError(ctx, "rate_limited", message, { retryable: true });
    return;
  }
  const chunk = readChunk(settings.codec, payload);
  if (chunk.isWrong) rejectFrame(ctx, chunkRules[settings.codec], sequence);
  admitAndStore(ctx, settings, chunk);
}

/** False for a chunk that the room has. One that leaves a gap closes the socket. */
function isNextChunk(ctx: StepContext, sequence: number | null): boolean {
  const { placement, expectedSeq } = ctx.room;
  if (sequence === null || placement === null) return true;
  const seq = toPosition(placement, sequence);
  if (seq > expectedSeq) {
    const expected = toSeq(placement, expectedSeq);
    log(ctx, "chunk_missing", { expected, received: sequence }, "warn");
    const options = { retryable: true, close: relayClose.restart };
    closeWithError(ctx, "conflict", `Chunk ${expected} is missing.`, options);
  }
  return seq === expectedSeq;
}

/** Charges the next chunk if it is new, and sends it to the provider. Audio that comes too fast closes the socket. */
function admitAndStore(
  ctx: StepContext,
  settings: StreamSettings,
  { packets, leadIn, bytes }: ReturnType<typeof readChunk>,
): void {
  const { room, now } = ctx;
  const { client, highSeq, salt, expectedSeq: seq } = room;
  if (!client) return;
  const lengthMs = getChunkMs(settings.codec, settings.sampleRate);
  const canRepeat = client.budget.resentChunks < maxResentChunks;
  const offer = { seq, bytes, highSeq, lengthMs, salt, canRepeat };
  const admission = admitChunk(room.intake, offer, now);
  const isNew = admission.verdict === "new";
  if (admission.verdict === "early" || (isNew && isAheadOfLedger(room, now))) {
    const message = "Audio comes faster than it can be spoken.";
    closeWithError(ctx, "rate_limited", message, { retryable: true });
    return;
  }
  room.intake = admission.intake;
  if (room.backlog.length === 0 && leadIn.length > 0) room.leadIn = leadIn;
  room.backlog = [...room.backlog, { seq, packets }];
  room.expectedSeq = seq + 1;
  room.client = { ...client, budget: countChunk(client.budget, isNew) };
  // Charged before `highSeq` changes: a snapshot taken between must not hold an accepted, uncharged chunk.
  if (isNew) {
    charge(ctx, lengthMs);
    // Until then the old segment stays open: its total in the ledger may be higher than the snapshot's.
    room.restored = false;
    room.activeUntil = extendActiveUntil(room.activeUntil, lengthMs, now);
  }
  room.highSeq = Math.max(highSeq, seq);
  if (isNew) sendTimerIfLow(ctx);
  if (room.provider.kind === "open") sendBacklog(ctx);
  else if (room.provider.kind === "none") openSession(ctx);
  if (isAllowanceExhausted(room)) drainForAllowance(ctx);
  else flushIfLarge(ctx);
}

/** New audio costs no frame token: `admitChunk` limits it. */
function countChunk(budget: ClientBudget, isNew: boolean): ClientBudget {
  if (!isNew) return { ...budget, resentChunks: budget.resentChunks + 1 };
  const tokens = Math.min(frameLimit.capacity, budget.frames.tokens + 1);
  return { ...budget, frames: { ...budget.frames, tokens } };
}

export function finalizeForClient(ctx: StepContext): void {
  const { client } = ctx.room;
  if (!client) return;
  if (client.settings) beginFinalize(ctx, { notifyClient: true, after: "keepOpen" });
  else if (client.restored) requestReconnect(ctx);
  else rejectFrame(ctx, "Send config before finalize.");
}

/** Stops accepting audio and finalizes, so that the last words are still delivered. */
export function drainForAllowance(ctx: StepContext): void {
  const { room } = ctx;
  if (room.usage.isEnding) return;
  room.usage = { ...room.usage, isEnding: true };
  log(ctx, "allowance_exhausted");
  if (beginFinalize(ctx, { notifyClient: false, after: "end" })) endForAllowance(ctx);
}

/** Ends the recording because the allowance is used up; the last words were delivered before. */
export function endForAllowance(ctx: StepContext): void {
  closeSegment(ctx);
  if (ctx.room.owner === null) {
    const message = "Today's recording time for guests is used up.";
    closeWithError(ctx, "guest_allowance_exhausted", message);
  } else closeWithError(ctx, "allowance_exhausted", "The recording time of this plan is used up.");
}

/** The client's socket has closed. A normal close ends the segment; after any other the client may reconnect. */
export function onClientClosed(ctx: StepContext, code: number): void {
  if (code === relayClose.normal) closeSegment(ctx);
  detachClient(ctx, null);
}

/** Sends an error and closes the socket with the code `close`. */
export function closeWithError(
  ctx: StepContext,
  code: ErrorCode,
  message: string,
  { retryable = false, close = relayClose.policy }: { retryable?: boolean; close?: number } = {},
): void {
  if (isViolation(code)) ctx.room.blockedUntil = ctx.now + violationBlockMs;
  send(ctx, { type: "error", code, message, retryable });
  log(ctx, "client_refused", { code, close });
  detachClient(ctx, { code: close, reason: message });
}

/**
 * Reports an invalid frame, at a limited rate; too many of them close the socket. `seq`: the client's number of
 * a chunk that silence replaces.
 */
export function rejectFrame(ctx: StepContext, message: string, seq: number | null = null): void {
  const { room, now } = ctx;
  const { client } = room;
  if (!client) return;
  const { budget } = client;
  const errors = takeToken(budget.errors, errorLimit, now);
  if (!errors) {
    closeWithError(ctx, "validation_failed", "Too many frames that make no sense.");
    return;
  }
  const isTooSoon = budget.errorSentAt !== null && now - budget.errorSentAt < errorReplyIntervalMs;
  const errorSentAt = isTooSoon ? budget.errorSentAt : now;
  room.client = { ...client, budget: { ...budget, errors, errorSentAt } };
  if (isTooSoon) return;
  const error = { type: "error", code: "validation_failed", message } as const;
  send(ctx, seq === null ? { ...error, retryable: false } : { ...error, retryable: true, seq });
}

/** For a socket that is older than the room's memory: only the client knows what to resend. */
export function requestReconnect(ctx: StepContext): void {
  detachClient(ctx, { code: relayClose.restart, reason: "The room has restarted." });
}

/** Detaches the client; `close` is null when the socket is already closed. */
export function detachClient(
  ctx: StepContext,
  close: { code: number; reason: string } | null,
): void {
  const { room } = ctx;
  const { client } = room;
  if (!client) return;
  if (close) ctx.effects.push({ type: "closeClient", socketId: client.socketId, ...close });
  closeSession(ctx);
  room.client = null;
  room.finalize = null;
  room.backlog = [];
  room.leadIn = [];
  room.ackedSeq = room.expectedSeq - 1;
  if (client.settings || room.storedAt !== null) persist(ctx);
  if (client.settings) flush(ctx);
  log(ctx, "client_disconnected", { code: close?.code ?? null });
}
