import type { ErrorCode } from "#shared/errors.ts";
import { relayClose } from "#shared/relay.ts";
import { errorReplyIntervalMs, isViolation, takeToken, violationBlockMs } from "./client-budget.ts";
import type { ConnectRequest } from "./events.ts";
import { closeSegment, flush } from "./metering.ts";
import { needsWrite } from "./metering-state.ts";
import { closeSession } from "./provider-session.ts";
import { attachClient, log, persist, type StepContext, send } from "./state.ts";

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
  {
    retryable = false,
    close = relayClose.policy,
    ...wait
  }: { retryable?: boolean; close?: number; retryAfterSeconds?: number } = {},
): void {
  if (isViolation(code)) ctx.room.blockedUntil = ctx.now + violationBlockMs;
  send(ctx, { type: "error", code, message, retryable, ...wait });
  log(ctx, "client_refused", { code, close });
  detachClient(ctx, { code: close, reason: message });
}

/**
 * Reports an invalid frame, at a limited rate; too many of them close the socket. `seq`: the client's number of
 * a chunk that silence replaces, of which each is reported.
 */
export function rejectFrame(ctx: StepContext, message: string, seq: number | null = null): void {
  const { room, now } = ctx;
  const { client } = room;
  if (!client) return;
  const { budget } = client;
  const errors = takeToken(budget.errors, now);
  if (!errors) {
    closeWithError(ctx, "validation_failed", "Too many frames that make no sense.");
    return;
  }
  const isTooSoon = budget.errorSentAt !== null && now - budget.errorSentAt < errorReplyIntervalMs;
  const errorSentAt = isTooSoon ? budget.errorSentAt : now;
  room.client = { ...client, budget: { ...budget, errors, errorSentAt } };
  if (isTooSoon && seq === null) return;
  const error = { type: "error", code: "validation_failed", message } as const;
  send(ctx, seq === null ? { ...error, retryable: false } : { ...error, retryable: true, seq });
}

/**
 * The sign-in session of the client has ended. It is checked in four ways:
 *
 * 1. The route `worker/http/routes/recordings.ts` asks `authorizeUser` before the upgrade. The grant has the session's
 *    id and end, which `attachClient` keeps.
 * 2. A message (`onClientMessage`) and a deadline (`deadlines.ts`) compare `client.expiresAt` with the time.
 * 3. Each flush asks again: `metering.ts` puts `room.signInSessionId` into the write, `RecordingRoom` gives it to
 *    `flushAndReauthorize`, whose SQL (`flushUsage`) reads the session. `onFlushed` stores its new end, and
 *    `applyUsageResult` calls this function if there is none.
 * 4. A sign-out, a new password and the deletion of an account (`server/auth`) tell the rooms of the user's open
 *    recordings: `reportEndedSessions` becomes the event `sessionsEnded`, which flushes: 3.
 */
export function endForSignOut(ctx: StepContext): void {
  closeWithError(ctx, "unauthenticated", "Please sign in again to continue.");
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
  if (client.settings || room.usage.segments.some(needsWrite)) flush(ctx);
  log(ctx, "client_disconnected", { code: close?.code ?? null });
}
