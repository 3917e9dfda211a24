import { busyRetryAfterSeconds } from "#server/recording/plan-limits.ts";
import { relayClose } from "#shared/relay.ts";
import { acceptAudio } from "./accept-audio.ts";
import { isAllowanceExhausted } from "./allowance.ts";
import {
  closeWithError,
  connectClient,
  endForSignOut,
  onClientClosed,
  rejectFrame,
} from "./client.ts";
import { takeToken } from "./client-budget.ts";
import { getNextDeadline, meetDeadlines } from "./deadlines.ts";
import type {
  ClientMessage,
  ProviderMessage,
  RoomEffect,
  RoomEvent,
  UsageResult,
} from "./events.ts";
import {
  drainForAllowance,
  endTranslationWait,
  extendFinalize,
  finalizeForClient,
  onFinalWords,
} from "./finalize.ts";
import {
  closeAndFlushSegment,
  closeSegment,
  flush,
  flushIfDue,
  onFlushed,
  onFlushFailed,
} from "./metering.ts";
import {
  isCurrentSession,
  onProgress,
  onSessionClosed,
  onSessionDeferred,
  onSessionLost,
  onSessionOpened,
  openSession,
} from "./provider-session.ts";
import { nameTake, numberChunk } from "./specified-wire.ts";
import {
  changeTerms,
  onTermsRefused,
  replaceForTerms,
  retryWithLess,
  tellTerms,
} from "./speech-terms.ts";
import { log, persist, type RoomState, type StepContext } from "./state.ts";
import { configureStream } from "./stream-config.ts";

/** While readers follow a recording that has not begun, the snapshot is stored again this often. */
const shareRenewalMs = 3_600_000;
/** An alarm that is this late is treated as lost. */
const alarmGraceMs = 1_000;

/**
 * The recording room's reducer: maps a state and an event to the next state and an ordered list of side
 * effects. Pure: `now` is ms since the epoch, `random` is from 0 to 1, `state` is not changed.
 * `RecordingRoom` (`src/worker/durable/recording-room.ts`) creates the events from sockets, alarms and answers, and
 * runs the effects; what the database answers to `writeUsage` comes back as `usageFlushed`.
 *
 * @example
 * // The first chunk after `config` opens a provider session and a segment of the ledger.
 * const event = { type: "clientMessage", socketId, message: { type: "audio", seq: 0, chunk, binary: true } };
 * step(state, event, now, random).effects.map(({ type }) => type);
 * // ["persist", "log", "writeUsage", "persist", "openProvider", "setAlarm"]
 */
export function step(
  state: RoomState,
  event: RoomEvent,
  now: number,
  random: number,
): { state: RoomState; effects: RoomEffect[] } {
  const ctx: StepContext = { room: { ...state }, effects: [], now, random };
  handleEvent(ctx, event);
  setAlarm(ctx);
  return { state: ctx.room, effects: ctx.effects };
}

/** False for a while after a client has violated the limits. */
export function canConnect({ blockedUntil }: RoomState, now: number): boolean {
  return now >= blockedUntil;
}

/** False when the client has sent too many frames: the next one is not parsed. */
export function canParse({ client }: RoomState, now: number): boolean {
  return client !== null && takeToken(client.budget.frames, now) !== null;
}

/**
 * Sets the alarm for the earliest deadline, always to a whole millisecond in the future: inside the alarm
 * handler, the runtime discards a new alarm for the time of the running one. An overdue alarm is set again.
 */
function setAlarm(ctx: StepContext): void {
  const { room, now } = ctx;
  // A snapshot of an earlier version does not say its age: it counts as stored now.
  if (room.restored && room.storedAt === null) persist(ctx, { confirmed: false });
  const next = getNextDeadline(room);
  if (next === null) return;
  const at = Math.max(Math.ceil(next), Math.floor(now) + 1);
  if (room.alarmAt !== null && room.alarmAt <= at && room.alarmAt + alarmGraceMs >= now) return;
  room.alarmAt = at;
  ctx.effects.push({ type: "setAlarm", at });
}

function handleEvent(ctx: StepContext, event: RoomEvent): void {
  const { room } = ctx;
  // Events of an earlier provider session are outdated.
  if ("sessionId" in event && !isCurrentSession(room, event.sessionId)) return;
  switch (event.type) {
    case "clientConnected":
      connectClient(ctx, event);
      return;
    case "clientMessage":
      if (room.client?.socketId !== event.socketId) return;
      onClientMessage(ctx, event);
      return;
    case "clientClosed":
      if (room.client?.socketId !== event.socketId) return;
      onClientClosed(ctx, event.code);
      return;
    case "providerOpened":
      onSessionOpened(ctx, event);
      tellTerms(ctx);
      return;
    case "providerMessage":
      onProviderMessage(ctx, event.message);
      return;
    case "providerClosed":
      onSessionClosed(ctx, event.code);
      return;
    case "providerFailed":
      log(ctx, "provider_failed", { detail: event.detail }, "warn");
      onSessionLost(ctx, 0);
      return;
    case "providerDeferred":
      onSessionDeferred(ctx, event.waitMs);
      return;
    case "usageFlushed":
      if (onFlushed(ctx, event.flushId, event.result)) applyUsageResult(ctx, event.result);
      flushIfDue(ctx);
      return;
    case "lectureDeleted":
      if (room.payer.userId === event.userId) endForDeletedLecture(ctx);
      return;
    case "sessionsEnded":
      if (room.payer.userId === event.userId && room.client) flush(ctx);
      return;
    case "usageFailed":
      onFlushFailed(ctx, event.flushId);
      return;
    case "shareStored":
      if (room.storedAt === null || room.storedAt + shareRenewalMs <= ctx.now) persist(ctx);
      return;
    case "alarm":
      room.alarmAt = null;
      meetDeadlines(ctx);
      return;
    default:
      event satisfies never;
  }
}

/** Each flush checks again whether the client may continue. */
function applyUsageResult(ctx: StepContext, result: UsageResult): void {
  const { room } = ctx;
  if (result.signInExpiresAt === null) endForSignOut(ctx);
  else if (!result.lectureExists) endForDeletedLecture(ctx);
  else if (result.refusal !== null) {
    closeSegment(ctx);
    const isBusy = result.refusal === "busy";
    const message = isBusy
      ? "All lines of the transcription service are in use."
      : "This plan allows no more recordings at the same time.";
    closeWithError(ctx, result.refusal, message, {
      retryable: isBusy,
      ...(isBusy && { retryAfterSeconds: busyRetryAfterSeconds }),
    });
  } else if (room.client?.settings && isAllowanceExhausted(room)) drainForAllowance(ctx);
}

/** The lecture was deleted: closes the segment, and the client's connection with a reason. */
function endForDeletedLecture(ctx: StepContext): void {
  closeSegment(ctx);
  if (ctx.room.client) closeWithError(ctx, "not_found", "This lecture no longer exists.");
  else closeAndFlushSegment(ctx);
}

function onClientMessage(
  ctx: StepContext,
  { socketId, message }: { socketId: string; message: ClientMessage },
): void {
  const { room } = ctx;
  if (!room.client) return;
  if (ctx.now >= room.client.expiresAt) {
    endForSignOut(ctx);
    return;
  }
  const { budget } = room.client;
  const frames = takeToken(budget.frames, ctx.now);
  if (!frames) {
    closeWithError(ctx, "rate_limited", "Too many frames.", { retryable: true });
    return;
  }
  room.client = { ...room.client, lastSeenAt: ctx.now, budget: { ...budget, frames } };
  switch (message.type) {
    case "config":
      configureStream(ctx, nameTake(message.config, socketId, room));
      return;
    case "audio":
      acceptAudio(ctx, numberChunk(message.seq, room), message.chunk, message.binary);
      return;
    case "keepalive":
    case "probe":
    case "excess":
      return;
    case "finalize":
      finalizeForClient(ctx);
      return;
    case "terms":
      changeTerms(ctx, message.terms);
      return;
    case "malformed":
      rejectFrame(ctx, message.reason);
      return;
    case "tooBig":
      closeWithError(ctx, "payload_too_large", "A frame is too large.", {
        close: relayClose.tooBig,
      });
      return;
    default:
      message satisfies never;
  }
}

/** Messages for provider errors that no retry can fix. */
const providerRefusals: Record<number, string> = {
  400: "The transcription service refused the recording's settings.",
  401: "The transcription service refused this site's key.",
  402: "The transcription service's balance is used up.",
};

function onProviderMessage(ctx: StepContext, message: ProviderMessage): void {
  const { room } = ctx;
  switch (message.type) {
    case "progress": {
      if (room.provider.kind !== "open") return;
      const { deliveredMs } = room;
      const { isEndpoint, isFinalized } = onProgress(ctx, room.provider, message);
      extendFinalize(ctx, room.deliveredMs > deliveredMs);
      if (isFinalized) {
        onFinalWords(ctx);
        return;
      }
      endTranslationWait(ctx, false);
      if (isEndpoint) replaceForTerms(ctx);
      else tellTerms(ctx);
      return;
    }
    case "termsRefused":
      if (room.provider.kind === "open") onTermsRefused(ctx, room.provider, message.detail);
      return;
    case "error": {
      const refusal = providerRefusals[message.code];
      const { type: _, ...fields } = message;
      log(ctx, "provider_error", fields, "warn");
      if (message.code === 400 && retryWithLess(ctx, message.detail)) return;
      if (refusal) closeWithError(ctx, "transcription_failed", refusal);
      // The stream has reached its maximum length; a new one can start immediately.
      else if (message.code === 413 && room.failures === 0) openSession(ctx);
      else onSessionLost(ctx, message.code, { limit: message.limit });
      return;
    }
    default:
      message satisfies never;
  }
}
