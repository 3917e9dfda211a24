import { relayClose } from "#shared/relay.ts";
import { isExhausted } from "./allowance.ts";
import {
  configure,
  connect,
  dismiss,
  endAllowance,
  finalizeForBrowser,
  hear,
  leave,
  onGone,
  refuse,
  reject,
} from "./client.ts";
import { frameLimit } from "./client-budget.ts";
import type {
  BrowserMessage,
  ProviderMessage,
  RoomEffect,
  RoomEvent,
  UsageResult,
} from "./events.ts";
import { beginFinalize, completeFinalize, onFinalizeTimeout } from "./finalize.ts";
import {
  closeSegment,
  endSegment,
  flush,
  flushIfDue,
  onFlushed,
  onFlushFailed,
} from "./metering.ts";
import {
  closeSession,
  idleAt,
  isCurrent,
  keepAlive,
  onHeldBack,
  onLost,
  onOpened,
  onProgress,
  openSession,
  tellWaiting,
} from "./provider-session.ts";
import { type Finalize, log, type RoomState, type Work } from "./state.ts";
import { type DeadlineName, deadlineNames, deadlineOf, nextDeadline } from "./timers.ts";
import { hasToken, takeToken } from "./token-bucket.ts";

/** An alarm may be late by this much before it is taken for lost. */
const alarmGraceMs = 1_000;

/**
 * The recording room's rules: what happens to a room → its next state and what the shell must do, in
 * order. Pure: `now` is ms since the epoch, chance comes with the event, and `state` is not changed.
 */
export function step(
  state: RoomState,
  event: RoomEvent,
  now: number,
): { state: RoomState; effects: RoomEffect[] } {
  const jitter = "jitter" in event ? event.jitter : 0;
  const work: Work = { room: { ...state }, effects: [], now, jitter };
  handle(work, event);
  arm(work);
  return { state: work.room, effects: work.effects };
}

/** False for a while after a client broke the rules: it need not be let in. */
export function mayConnect({ refusesUntil }: RoomState, now: number): boolean {
  return now >= refusesUntil;
}

/** False for a frame of a socket that has sent too many: it need not be parsed. */
export function mayParse({ browser }: RoomState, now: number): boolean {
  return browser !== null && hasToken(browser.budget.frames, frameLimit, now);
}

/**
 * Sets the alarm for the earliest deadline. Always to a whole millisecond that lies ahead: an alarm
 * that is set, while one rings, for the moment at which that one was due is lost with it. One that
 * should have rung and did not is set again.
 */
function arm(work: Work): void {
  const { room, now } = work;
  const next = nextDeadline(room);
  if (next === null) return;
  const at = Math.max(Math.ceil(next), Math.floor(now) + 1);
  if (room.alarmAt !== null && room.alarmAt <= at && room.alarmAt + alarmGraceMs >= now) return;
  room.alarmAt = at;
  work.effects.push({ type: "setAlarm", at });
}

function handle(work: Work, event: RoomEvent): void {
  const { room } = work;
  switch (event.type) {
    case "browserConnected":
      connect(work, event);
      return;
    case "browserMessage":
      if (room.browser?.socketId !== event.socketId) return;
      onBrowserMessage(work, event.message);
      return;
    case "browserClosed":
      if (room.browser?.socketId !== event.socketId) return;
      onGone(work, event.code);
      return;
    case "providerOpened":
      if (isCurrent(room, event.sessionId)) onOpened(work);
      return;
    case "providerMessage":
      if (isCurrent(room, event.sessionId)) onProviderMessage(work, event.message);
      return;
    case "providerClosed":
      if (isCurrent(room, event.sessionId)) onLost(work, { code: event.code });
      return;
    case "providerFailed":
      if (!isCurrent(room, event.sessionId)) return;
      log(work, "provider_failed", { detail: event.detail }, "warn");
      onLost(work, { code: 0 });
      return;
    case "providerHeldBack":
      if (isCurrent(room, event.sessionId)) onHeldBack(work);
      return;
    case "usageFlushed":
      if (onFlushed(work, event.flushId, event.result)) authorise(work, event.result);
      flushIfDue(work);
      return;
    case "lectureDeleted":
      if (room.owner?.userId === event.userId) endDeleted(work);
      return;
    case "sessionsEnded":
      if (room.owner?.userId === event.userId && room.browser) flush(work);
      return;
    case "usageFailed":
      onFlushFailed(work, event.flushId);
      return;
    case "alarm":
      room.alarmAt = null;
      for (const name of deadlineNames) {
        const at = deadlineOf(room, name);
        if (at !== null && at <= work.now) onDeadline(work, name);
      }
      return;
    default:
      event satisfies never;
  }
}

/** Each flush asks again whether the browser may go on. */
function authorise(work: Work, result: UsageResult): void {
  const { room } = work;
  if (result.sessionExpiresAt === null) signOut(work);
  else if (!result.lectureAlive) endDeleted(work);
  else if (result.refusal !== null) {
    closeSegment(work);
    const isBusy = result.refusal === "busy";
    refuse(work, {
      code: result.refusal,
      message: isBusy
        ? "All lines of the transcription service are in use."
        : "This plan allows no more recordings at the same time.",
      retryable: isBusy,
      close: relayClose.policy,
    });
  } else if (room.browser?.settings && isExhausted(room)) endAllowance(work);
}

/** The lecture is gone: the segment ends now, and whoever records is told why. */
function endDeleted(work: Work): void {
  closeSegment(work);
  if (!work.room.browser) {
    endSegment(work);
    return;
  }
  refuse(work, {
    code: "not_found",
    message: "This lecture no longer exists.",
    retryable: false,
    close: relayClose.policy,
  });
}

function onBrowserMessage(work: Work, message: BrowserMessage): void {
  const { room } = work;
  if (!room.browser) return;
  if (work.now >= room.browser.expiresAt) {
    signOut(work);
    return;
  }
  const { budget } = room.browser;
  const frames = takeToken(budget.frames, frameLimit, work.now);
  if (!frames) {
    refuse(work, {
      code: "rate_limited",
      message: "Too many frames.",
      retryable: true,
      close: relayClose.policy,
    });
    return;
  }
  room.browser = { ...room.browser, lastSeenAt: work.now, budget: { ...budget, frames } };
  switch (message.type) {
    case "config":
      configure(work, message.config);
      return;
    case "audio":
      hear(work, message.seq, message.pcm, message.binary);
      return;
    case "keepalive":
      return;
    case "finalize":
      finalizeForBrowser(work);
      return;
    case "malformed":
      reject(work, message.reason);
      return;
    case "excess":
      return;
    case "tooBig":
      refuse(work, {
        code: "payload_too_large",
        message: "A frame is too large.",
        retryable: false,
        close: relayClose.tooBig,
      });
      return;
    default:
      message satisfies never;
  }
}

/** What a refusal by the provider means for the user; retried where it is not listed. */
const refusals: Record<number, string> = {
  400: "The transcription service refused the recording's settings.",
  401: "The transcription service refused this site's key.",
  402: "The transcription service's balance is used up.",
};

function onProviderMessage(work: Work, message: ProviderMessage): void {
  const { room } = work;
  switch (message.type) {
    case "progress": {
      if (room.provider.kind !== "open") return;
      if (onProgress(work, room.provider, message)) conclude(work, completeFinalize(work));
      return;
    }
    case "error": {
      const refusal = refusals[message.code];
      log(work, "provider_error", { code: message.code, detail: message.detail }, "warn");
      if (refusal) {
        refuse(work, {
          code: "transcription_failed",
          message: refusal,
          retryable: false,
          close: relayClose.policy,
        });
        return;
      }
      // The stream has reached its greatest length: nothing is wrong with the next one.
      if (message.code === 413 && room.failures === 0) {
        openSession(work);
        return;
      }
      onLost(work, { code: message.code, limited: message.code === 429 });
      return;
    }
    default:
      message satisfies never;
  }
}

/** What comes after a finalize, answered or given up. */
function conclude(work: Work, finalize: Finalize | null): void {
  const { room } = work;
  if (!finalize) return;
  switch (finalize.after) {
    case "stay":
    case "sleep": {
      const at = idleAt(room);
      if (at !== null && at <= work.now) sleep(work);
      return;
    }
    case "end":
      dismiss(work);
      return;
    default:
      finalize.after satisfies never;
  }
}

/** Gives the stream back. Sound that no session has settled asks for another one. */
function sleep(work: Work): void {
  const { room } = work;
  closeSession(work);
  if (room.expectedSeq - 1 > room.settledSeq && room.backlog.length > 0) openSession(work);
  if (room.provider.kind === "none") endSegment(work);
}

function onDeadline(work: Work, name: DeadlineName): void {
  const { room } = work;
  switch (name) {
    case "browserSilence":
      leave(work, { code: relayClose.goingAway, reason: "Nothing was heard for 45 s." });
      return;
    case "configMissing":
      // Its config was for the life before: it has to connect again.
      if (room.browser?.cold && room.restored) {
        leave(work, { code: relayClose.restart, reason: "The room has restarted." });
        return;
      }
      refuse(work, {
        code: "validation_failed",
        message: "Send config first.",
        retryable: true,
        close: relayClose.policy,
      });
      return;
    case "grantExpiry":
      signOut(work);
      return;
    case "segmentEnd":
      endSegment(work);
      return;
    case "flush":
      flush(work);
      return;
    case "flushTimeout":
      if (room.usage.inFlight) onFlushFailed(work, room.usage.inFlight.id);
      return;
    case "finalize":
      conclude(work, onFinalizeTimeout(work));
      return;
    case "providerOpen":
    case "providerAnswer":
      onLost(work, { code: 0 });
      return;
    case "providerChange":
    case "providerRetry":
      openSession(work);
      return;
    case "providerIdle":
      if (beginFinalize(work, { tellBrowser: false, after: "sleep" })) sleep(work);
      return;
    case "providerKeepalive":
      keepAlive(work);
      return;
    case "waitingNews":
      tellWaiting(work);
      return;
    default:
      name satisfies never;
  }
}

function signOut(work: Work): void {
  refuse(work, {
    code: "unauthenticated",
    message: "Please sign in again to continue.",
    retryable: false,
    close: relayClose.policy,
  });
}
