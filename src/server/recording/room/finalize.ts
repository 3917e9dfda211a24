import { closeWithError, rejectFrame, requestReconnect } from "./client.ts";
import { closeAndFlushSegment, closeSegment } from "./metering.ts";
import { acknowledge, acknowledgeHeard, repeatProgress } from "./progress.ts";
import {
  closeSession,
  endTranslations,
  getIdleAt,
  onSessionLost,
  openSession,
  sendFinalize,
} from "./provider-session.ts";
import { type Finalize, log, type OpenSession, persist, type StepContext, send } from "./state.ts";
import { getTranslationWaitMs, hasUntranslated } from "./stream-translation.ts";
import { extendLimit, getFinalizeLimitMs, isStillAnswering } from "./unanswered-sound.ts";

type FinalizeRequest = Pick<Finalize, "notifyClient" | "after">;

export function finalizeForClient(ctx: StepContext): void {
  const { client } = ctx.room;
  if (client?.settings) beginFinalize(ctx, { notifyClient: true, after: "keepOpen" });
  else if (client?.restored) requestReconnect(ctx);
  else rejectFrame(ctx, "Send config before finalize.");
}

/** Stops accepting audio and finalizes, so that the last words are still delivered. */
export function drainForAllowance(ctx: StepContext): void {
  const { room } = ctx;
  if (room.usage.isEnding) return;
  room.usage = { ...room.usage, isEnding: true };
  log(ctx, "allowance_exhausted");
  beginFinalize(ctx, { notifyClient: false, after: "end" });
}

/** Requests the last words of all accepted audio. */
export function beginFinalize(ctx: StepContext, request: FinalizeRequest): void {
  const { room } = ctx;
  const { notifyClient, after } = mergeRequests(room.finalize, request);
  if (room.expectedSeq - 1 <= room.transcribedSeq) acknowledge(ctx, room.transcribedSeq);
  if (room.backlog.length === 0) {
    room.finalize = null;
    if (notifyClient) sendFinalized(ctx);
    continueAfter(ctx, after);
    return;
  }
  const lastSeq = room.expectedSeq - 1;
  const already = room.finalize?.lastSeq === lastSeq;
  const dueAtLatest = ctx.now + getFinalizeLimitMs(room);
  const limits = { since: ctx.now, dueAt: dueAtLatest, translationsDueAt: null };
  const { attempt = 1 } = room.finalize ?? {};
  const { since, dueAt, translationsDueAt } = already && room.finalize ? room.finalize : limits;
  room.finalize = { lastSeq, notifyClient, after, attempt, since, dueAt, translationsDueAt };
  if (already) return;
  if (room.provider.kind === "open") sendFinalize(ctx);
  else if (room.provider.kind === "none") openSession(ctx);
}

/** The provider still answers. `hasFinalWords`: some words have become final. */
export function extendFinalize({ room, now }: StepContext, hasFinalWords: boolean): void {
  const { finalize } = room;
  if (!finalize) return;
  const since = hasFinalWords ? now : finalize.since;
  room.finalize = extendLimit({ ...finalize, since }, room, now);
}

/** The provider has answered: all words before the finalize are delivered. Translations may follow them. */
export function onFinalWords(ctx: StepContext): void {
  const { room, now } = ctx;
  const { finalize, provider } = room;
  if (finalize && provider.kind === "open" && hasUntranslated(provider))
    room.finalize = { ...finalize, translationsDueAt: now + getTranslationWaitMs(provider) };
  else completeFinalize(ctx);
}

/** Ends the wait for translations once they are there, or `isOver`: those that have not come are told to be missing. */
export function endTranslationWait(ctx: StepContext, isOver: boolean): void {
  const { room } = ctx;
  const { finalize, provider: session } = room;
  if (finalize?.translationsDueAt == null) return;
  if (session.kind === "open" && hasUntranslated(session)) {
    const dueAt = Math.min(finalize.translationsDueAt, ctx.now + getTranslationWaitMs(session));
    room.finalize = { ...finalize, translationsDueAt: dueAt };
    if (!isOver) return;
    endTranslations(ctx, session);
  }
  completeFinalize(ctx);
}

/** The provider has answered: all words before the finalize are delivered. */
function completeFinalize(ctx: StepContext): void {
  const { finalize, provider } = ctx.room;
  if (!finalize) return;
  const endSeq = provider.kind === "open" ? provider.endSeq : null;
  if (provider.kind === "open" && endSeq !== null && endSeq < finalize.lastSeq) {
    continueInNextSession(ctx, { ...provider, endSeq }, finalize);
    return;
  }
  ctx.room.finalize = null;
  // The speaker may be inside a word: the backlog stays, so that the next session gets its beginning.
  if (finalize.after === "closeSession" || finalize.after === "replaceSession")
    ctx.room.transcribedSeq = finalize.lastSeq;
  else acknowledge(ctx, finalize.lastSeq);
  if (finalize.after === "replaceSession") acknowledgeHeard(ctx, finalize.lastSeq);
  if (finalize.notifyClient) sendFinalized(ctx);
  continueAfter(ctx, finalize.after);
  if (endSeq !== null && ctx.room.provider.kind === "open") replaceSession(ctx);
}

/**
 * A session has ended before the last chunk that is asked for: sound has come since it was asked to end, or it has not
 * heard all that it had got.
 */
function continueInNextSession(
  ctx: StepContext,
  { firstSeq, endSeq, sentSeq }: OpenSession & { endSeq: number },
  finalize: Finalize,
): void {
  const { room, now } = ctx;
  acknowledgeHeard(ctx, endSeq);
  room.transcribedSeq = Math.max(room.transcribedSeq, endSeq);
  const isAwaited = finalize.after === "keepOpen" || finalize.after === "end";
  // The next session would get the same sound.
  const isStuck = endSeq < sentSeq && room.ackedSeq < firstSeq;
  if (isStuck && isAwaited && finalize.attempt === 2) {
    abandonFinalize(ctx, finalize);
    return;
  }
  const limits = { since: now, dueAt: now + getFinalizeLimitMs(room) };
  const attempt = isStuck ? 2 : 1;
  room.finalize = isAwaited ? { ...finalize, ...limits, attempt } : null;
  if (isStuck) onSessionLost(ctx, 0);
  else replaceSession(ctx);
}

/** No answer in time: retries once with a new session. */
export function onFinalizeTimeout(ctx: StepContext): void {
  const { room } = ctx;
  const { finalize } = room;
  if (!finalize) return;
  const isAnswering = isStillAnswering(room, ctx.now);
  log(ctx, "finalize_timed_out", { attempt: finalize.attempt, isAnswering }, "warn");
  if (finalize.after === "replaceSession") {
    room.finalize = null;
    onSessionLost(ctx, 0, { isLate: isAnswering });
    return;
  }
  if (finalize.attempt === 1 && finalize.after !== "closeSession") {
    const dueAt = ctx.now + getFinalizeLimitMs(room);
    room.finalize = { ...finalize, attempt: 2, since: ctx.now, dueAt };
    room.retryAt = ctx.now;
    repeatProgress(ctx);
    openSession(ctx);
    return;
  }
  abandonFinalize(ctx, finalize);
}

function abandonFinalize(ctx: StepContext, finalize: Finalize): void {
  ctx.room.finalize = null;
  if (finalize.notifyClient)
    send(ctx, {
      type: "error",
      code: "unavailable",
      message: "The transcription service does not answer. Please try again.",
      retryable: true,
    });
  continueAfter(ctx, finalize.after);
}

/** The client deletes its take after this message, so the room's position must be persisted before it. */
function sendFinalized(ctx: StepContext): void {
  if (ctx.room.persistedSeq !== ctx.room.highSeq) persist(ctx);
  send(ctx, { type: "finalized" });
}

/** Combines a pending finalize with a new request. */
function mergeRequests(current: Finalize | null, request: FinalizeRequest): FinalizeRequest {
  if (!current) return request;
  const ranks = ["closeSession", "replaceSession", "keepOpen", "end"] as const;
  const after =
    ranks.indexOf(current.after) > ranks.indexOf(request.after) ? current.after : request.after;
  return { notifyClient: current.notifyClient || request.notifyClient, after };
}

/** What follows a finalize that was answered or abandoned. */
function continueAfter(ctx: StepContext, after: Finalize["after"]): void {
  const idleAt = getIdleAt(ctx.room);
  if (after === "end") endForAllowance(ctx);
  else if (after === "replaceSession") replaceSession(ctx);
  else if (idleAt !== null && idleAt <= ctx.now) closeIdleSession(ctx);
}

/** The allowance is used up, and the last words were delivered. */
function endForAllowance(ctx: StepContext): void {
  closeSegment(ctx);
  if (ctx.room.payer.userId === null) {
    const message = "Today's recording time for guests is used up.";
    closeWithError(ctx, "guest_allowance_exhausted", message);
  } else closeWithError(ctx, "allowance_exhausted", "The recording time of this plan is used up.");
}

function closeIdleSession(ctx: StepContext): void {
  replaceSession(ctx);
  if (ctx.room.provider.kind === "none") closeAndFlushSegment(ctx);
}

/** Audio that is not fully transcribed, or is still to come, opens another session. */
function replaceSession(ctx: StepContext): void {
  const { room } = ctx;
  closeSession(ctx);
  if (room.expectedSeq - 1 > room.transcribedSeq && room.backlog.length > 0) openSession(ctx);
}

/** A session has been silent that does not answer silence: it is ended in order, so that what it has heard is known. */
export function endSilentSession(ctx: StepContext): void {
  beginFinalize(ctx, { notifyClient: false, after: "replaceSession" });
}
