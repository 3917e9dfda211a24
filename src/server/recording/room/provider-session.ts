import { planLimits } from "#server/recording/plan-limits.ts";
import { type Backoff, getBackoffMs } from "#shared/limits.ts";
import { writeOggChunk } from "#shared/ogg-opus.ts";
import { getChunkMs } from "#shared/relay.ts";
import type { ProviderAbilities, ProviderError, SessionProgress } from "./events.ts";
import { reportActivity } from "./metering.ts";
import { acknowledgeTranscribed, sendProgress } from "./progress.ts";
import {
  burstMs,
  fullPaceAfterMs,
  getNextPortionAt,
  getPace,
  refillPaceBudget,
} from "./provider-pace.ts";
import { addSessionTime, getNextSessionAt, minSessionMs } from "./provider-session-budget.ts";
import { holdLastWords } from "./session-joint.ts";
import {
  type Chunk,
  createOpenSession,
  log,
  type OpenSession,
  persist,
  type RoomState,
  type StepContext,
} from "./state.ts";
import { createSessionTranslation, listAligned, translate } from "./stream-translation.ts";
import { getEndMs, getStartMs } from "./take-placement.ts";
import { alignTokens } from "./token-alignment.ts";
import {
  extendLimit,
  findHeardSeq,
  findSeqUntil,
  getFinalizeLimitMs,
  noteAnswer,
} from "./unanswered-sound.ts";

// Shorter than the 10 s of silence after which the browser treats its connection as dead.
export const openTimeoutMs = 8_000;
/** Deepgram closes a stream after 10 s without audio or text. */
export const providerKeepaliveMs = 5_000;
/**
 * The provider ends a stream after 300 minutes. It is replaced at the first pause after `replaceAfterMs`, at the latest
 * at `replaceLatestMs`.
 */
const replaceAfterMs = 280 * 60_000;
export const replaceLatestMs = 298 * 60_000;
/** A session that lasted this long resets the failure count. */
const stableAfterMs = 10_000;
/** Five pauses of `maxMs` are a minute, which keeps retries within the session budget. */
const retryBackoff: Backoff = { firstMs: 250, maxMs: 12_000, growth: 4, spread: [0.5, 1] };
/** The longest wait after the provider's limit of requests a minute, to which each attempt counts. */
const requestLimitMs = 20_000;
const deferredBackoff: Backoff = { firstMs: 5_000, maxMs: 60_000, spread: [0.5, 1] };
/** The client is not told of a shorter wait. */
const toldWaitMs = 3_000;

/**
 * Opens a session at the oldest unacknowledged chunk, or waits until backoff and session budget allow one.
 * If no new audio was charged recently, `minSessionMs` of the audio that may be resent free of charge
 * (`intake.resendMs`) is spent on it; if less is left, no session is opened.
 * `isBusy`: the provider refused the last one because it is at its limit.
 */
export function openSession(ctx: StepContext, isBusy = false): void {
  const { room, now } = ctx;
  const { client } = room;
  closeSession(ctx);
  if (!client?.settings) return;
  const hasRecentAudio = room.activeUntil > now;
  if (!hasRecentAudio && room.intake.resendMs < minSessionMs) return;
  reportActivity(ctx);
  const at = Math.max(room.retryAt, getNextSessionAt(room.sessionTimes, now));
  if (at > now) {
    room.provider = {
      kind: "waiting",
      until: at,
      notifiedAt: now,
      isBusy: isBusy && at - now >= toldWaitMs,
    };
    return;
  }
  const spentResendMs = hasRecentAudio ? 0 : minSessionMs;
  const resendMs = room.intake.resendMs - spentResendMs;
  room.intake = { ...room.intake, resendMs };
  const { context, codec, sampleRate, diarization, languages } = client.settings;
  const translation = client.isTranslationRefused ? null : client.settings.translation;
  const hints = client.areHintsRefused
    ? { topic: "", terms: [], context: "" }
    : { ...client.hints, context };
  const { terms } = hints;
  room.lastSessionId += 1;
  room.provider = {
    kind: "opening",
    id: room.lastSessionId,
    since: now,
    terms,
    translation,
    spentResendMs,
  };
  room.sessionTimes = addSessionTime(room.sessionTimes, now);
  persist(ctx, { confirmed: false });
  ctx.effects.push({
    type: "openProvider",
    sessionId: room.lastSessionId,
    start: {
      recordingId: room.recordingId,
      codec,
      sampleRate,
      diarization,
      languages,
      ...hints,
      translation,
      endpointDelayMs: planLimits[room.level].endpointDelayMs,
    },
    payer: room.payer,
    level: room.level,
    isCounted: room.isOpeningCounted,
  });
  room.isOpeningCounted = false;
}

/** When the session becomes idle, ms since the epoch; null if none is open, or if sound waits to be sent. */
export function getIdleAt(room: RoomState): number | null {
  const { provider, activeUntil } = room;
  if (provider.kind !== "open" || getUnsentCount(room) > 0) return null;
  return Math.max(activeUntil, provider.openedAt + minSessionMs);
}

/**
 * The payer's session budget is used up, or the site's minute, in which the room's turn comes after `waitMs`: retries
 * then. This is no failure, the audio stays in the backlog, and what the opening has spent is not spent again.
 */
export function onSessionDeferred(ctx: StepContext, waitMs: number | null): void {
  const { room, now } = ctx;
  const until = now + (waitMs ?? getBackoffMs(deferredBackoff, room.deferrals, ctx.random));
  const spentResendMs = room.provider.kind === "opening" ? room.provider.spentResendMs : 0;
  room.intake = { ...room.intake, resendMs: room.intake.resendMs + spentResendMs };
  // The payer's budget was asked before the site's turn.
  room.isOpeningCounted = waitMs !== null;
  closeSession(ctx);
  room.deferrals += 1;
  room.sessionTimes = room.sessionTimes.slice(0, -1);
  room.provider = { kind: "waiting", until, notifiedAt: now, isBusy: until - now >= toldWaitMs };
  log(ctx, "provider_deferred", { times: room.deferrals, waitMs: Math.round(until - now) }, "warn");
  sendProgress(ctx, [], false);
}

export function closeSession(ctx: StepContext): void {
  const { provider } = ctx.room;
  if (provider.kind === "open" || provider.kind === "opening")
    ctx.effects.push({ type: "closeProvider", sessionId: provider.id });
  ctx.room.provider = { kind: "none" };
}

/** Drops the session's words before `ms` on the lecture's clock: the client already has them. */
export function skipDelivered({ room }: StepContext, ms: number): void {
  const { provider } = room;
  if (provider.kind !== "open") return;
  room.provider = { ...provider, cutoffMs: Math.max(provider.cutoffMs, ms) };
}

/** True when `sessionId` is the session in use; events of any other are outdated. */
export function isCurrentSession(room: RoomState, sessionId: number): boolean {
  const { provider } = room;
  return (provider.kind === "open" || provider.kind === "opening") && provider.id === sessionId;
}

export function onSessionOpened(
  ctx: StepContext,
  { canChangeTerms = false, answersSilence = true }: ProviderAbilities,
): void {
  const { room, now } = ctx;
  const { provider } = room;
  if (provider.kind !== "opening") return;
  const firstSeq = room.backlog[0]?.seq ?? room.expectedSeq;
  const startMs = getStartMs(room.placement, firstSeq);
  const { id, terms, translation: wanted } = provider;
  const { leadIn, deliveredMs: cutoffMs } = room;
  room.deferrals = 0;
  room.answersSilence = answersSilence;
  const languages = room.client?.settings?.languages ?? [];
  const translation = wanted && createSessionTranslation(wanted, startMs, languages);
  room.provider = createOpenSession(
    { id, startMs, firstSeq, leadIn, cutoffMs, terms, canChangeTerms, translation },
    now,
  );
  log(ctx, "provider_opened", { session: provider.id, backlog: room.backlog.length });
  sendBacklog(ctx);
  if (room.finalize) {
    room.finalize = extendLimit(room.finalize, room, now);
    sendFinalize(ctx);
  }
}

/** Sends what the session has not received of the backlog, as far as its pace allows, and a finalize that was held back. */
export function sendBacklog(ctx: StepContext): void {
  const { room, now } = ctx;
  const session = room.provider;
  if (session.kind !== "open" || session.endSeq !== null) return;
  const from = session.sentSeq + 1 - (room.backlog[0]?.seq ?? 0);
  const lengthMs = getLengthMs(room);
  const paceBudget = refillPaceBudget(session.paceBudget, getRoomPace(room), now);
  let sentSeq = session.sentSeq;
  for (let index = Math.max(0, from); index < room.backlog.length; index += 1) {
    const chunk = room.backlog[index];
    if (!chunk || paceBudget.ms < lengthMs) break;
    const data = toSessionAudio(room, session, chunk);
    ctx.effects.push({ type: "sendAudio", sessionId: session.id, data });
    paceBudget.ms -= lengthMs;
    sentSeq = chunk.seq;
  }
  if (sentSeq === session.sentSeq) return;
  const unansweredSince = session.unansweredSince ?? now;
  room.provider = { ...session, sentSeq, paceBudget, unansweredSince, lastSentAt: now };
  if (session.isFinalizeHeld) sendFinalize(ctx);
}

/** When sound that is held back can be sent, ms since the epoch; null if there is none. */
export function getNextSoundAt(room: RoomState): number | null {
  const count = getUnsentCount(room);
  if (room.provider.kind !== "open" || room.provider.endSeq !== null || count === 0) return null;
  const chunkMs = getLengthMs(room);
  const lengths = { waitingMs: count * chunkMs, chunkMs };
  return getNextPortionAt(room.provider.paceBudget, getRoomPace(room), lengths);
}

/** Chunks that the open session has not received yet. */
const getUnsentCount = ({ provider, expectedSeq }: RoomState): number =>
  provider.kind === "open" ? expectedSeq - 1 - provider.sentSeq : 0;

const getLengthMs = ({ placement }: RoomState): number =>
  placement === null ? 0 : getChunkMs(placement.codec, placement.sampleRate);

const getRoomPace = ({ pace, slowdowns }: RoomState): number => getPace(pace, slowdowns);

function toSessionAudio(
  { placement }: RoomState,
  { id, firstSeq, leadIn }: OpenSession,
  { seq, packets }: Chunk,
): Uint8Array {
  const [pcm] = packets;
  if (placement?.codec !== "opus" && pcm) return pcm;
  return writeOggChunk({ serial: id, index: seq - firstSeq, packets, leadIn });
}

/** Asks for the last words, once the session has received the sound before them. */
export function sendFinalize(ctx: StepContext): void {
  const { room, now } = ctx;
  const session = room.provider;
  // Of one that ends, the next session is asked.
  if (session.kind !== "open" || session.endSeq !== null) return;
  if (getUnsentCount(room) > 0) {
    room.provider = { ...session, isFinalizeHeld: true };
    return;
  }
  ctx.effects.push({ type: "sendControl", sessionId: session.id, control: "finalize" });
  room.provider = {
    ...session,
    finalizesDue: session.finalizesDue + 1,
    isFinalizeHeld: false,
    endSeq: room.answersSilence ? null : session.sentSeq,
    lastSentAt: now,
  };
  if (room.finalize && session.isFinalizeHeld)
    room.finalize = { ...room.finalize, since: now, dueAt: now + getFinalizeLimitMs(room) };
}

export function keepAlive(ctx: StepContext): void {
  const session = ctx.room.provider;
  if (session.kind !== "open") return;
  ctx.effects.push({ type: "sendControl", sessionId: session.id, control: "keepalive" });
  ctx.room.provider = { ...session, lastSentAt: ctx.now };
}

/**
 * Delivers new tokens and acknowledges the audio they cover. `isEndpoint`: the speaker has paused after them. `isFinalized`:
 * the last finalize is complete.
 */
export function onProgress(
  ctx: StepContext,
  session: OpenSession,
  given: SessionProgress,
): { isEndpoint: boolean; isFinalized: boolean } {
  const { room, now } = ctx;
  const { message, held, endSeq, givenMs } = findLastWords(ctx, session, given);
  const { diarization = false, languages = ["en"] } = room.client?.settings ?? {};
  const { deliveredMs, turns } = room;
  const aligned = alignTokens(message.tokens, {
    ...session,
    deliveredMs,
    turns,
    diarization,
    identifiesLanguage: languages.length !== 1,
  });
  const translated =
    session.translation &&
    translate(session.translation, listAligned(message, session), {
      finalMs: session.startMs + message.finalMs,
      processedMs: session.startMs + message.processedMs,
      endpoint: aligned.isEndpoint,
      diarization,
      identifiesLanguage: languages.length !== 1,
      isLast: aligned.isFinalized,
    });
  const next: OpenSession = {
    ...session,
    translation: translated?.translation ?? null,
    finalMs: Math.max(session.finalMs, session.startMs + message.finalMs),
    processedMs: Math.max(session.processedMs, session.startMs + message.processedMs),
    lastFinalMs: aligned.lastFinalMs,
    lastWordMs: aligned.lastWordMs,
    hasInterim: aligned.hasInterim,
    interim: aligned.tokens.filter((token) => !token.is_final),
    speakers: aligned.speakers,
    unansweredSince: null,
    notifiedAt: now,
    answered: noteAnswer(session, getEndMs(room.placement, session.sentSeq), now),
    finalizesDue: Math.max(0, session.finalizesDue - (aligned.isFinalized ? 1 : 0)),
    endSeq,
    held,
  };
  room.provider = next;
  room.turns = aligned.turns;
  if (aligned.deliveredMs > deliveredMs || now - session.openedAt >= stableAfterMs)
    room.failures = 0;
  room.deliveredMs = Math.max(aligned.deliveredMs, givenMs);
  const finalMs = Math.max(room.progress.finalMs, next.finalMs);
  // A server that sends nothing in silence gives its results no times that say how far it has read.
  const readMs = room.answersSilence ? next.processedMs : next.answered.readMs;
  const processedMs = Math.max(room.progress.processedMs, next.processedMs, finalMs, readMs);
  room.progress = { finalMs, processedMs };
  sendProgress(ctx, aligned.tokens, aligned.isEndpoint, translated?.changes);
  // A room that loses its memory would take the new speaker for another one.
  if (aligned.turns.at(-1)?.speaker !== turns.at(-1)?.speaker) persist(ctx, { confirmed: false });
  acknowledgeTranscribed(ctx, next);
  if (now - next.openedAt >= fullPaceAfterMs) room.slowdowns = 0;
  if (now - next.openedAt >= replaceAfterMs && !aligned.hasInterim) openSession(ctx);
  const { isEndpoint } = aligned;
  return { isEndpoint, isFinalized: aligned.isFinalized && next.finalizesDue === 0 };
}

/**
 * The words of a session, without those that another one gives; see `holdLastWords`. `givenMs`: words of other sessions before it
 * have been given, on the lecture's clock.
 */
function findLastWords(
  ctx: StepContext,
  session: OpenSession,
  given: SessionProgress,
): { message: SessionProgress; givenMs: number } & Pick<OpenSession, "held" | "endSeq"> {
  const { placement, finalize } = ctx.room;
  const { startMs, firstSeq, lastFinalMs } = session;
  const endSeq = getEndSeq(ctx, session, given.heardMs);
  if (endSeq === null) return { message: given, held: [], endSeq, givenMs: 0 };
  const isFollowed =
    finalize !== null && (finalize.after === "replaceSession" || endSeq < finalize.lastSeq);
  if (!isFollowed) {
    const tokens = [...session.held, ...given.tokens];
    return { message: { ...given, tokens }, held: [], endSeq, givenMs: 0 };
  }
  const { message, held, joint } = holdLastWords(given, session.held, {
    givenMs: lastFinalMs - startMs,
    endMs: getEndMs(placement, endSeq) - startMs,
  });
  if (joint === null) return { message, held, endSeq, givenMs: 0 };
  const jointSeq = findSeqUntil(placement, firstSeq, startMs + joint.fromMs);
  return {
    message,
    held,
    endSeq: Math.min(endSeq, jointSeq),
    givenMs: startMs + joint.givenMs,
  };
}

/** No more translations of the session are waited for: the client is told of which sentences they are missing. */
export function endTranslations(ctx: StepContext, session: OpenSession): void {
  const { translation, finalMs, processedMs } = session;
  if (translation === null) return;
  const { diarization = false, languages = ["en"] } = ctx.room.client?.settings ?? {};
  const identifiesLanguage = languages.length !== 1;
  const times = { finalMs, processedMs, endpoint: false, isLast: true, isEnd: true };
  const ended = translate(translation, [], { ...times, diarization, identifiesLanguage });
  ctx.room.provider = { ...session, translation: ended.translation };
  sendProgress(ctx, [], false, ended.changes);
}

/** The last chunk that a session has heard which was asked to end; null: it was not. */
function getEndSeq(ctx: StepContext, session: OpenSession, heardMs?: number): number | null {
  const { endSeq } = session;
  if (endSeq === null || heardMs === undefined) return endSeq;
  const heardSeq = findHeardSeq(ctx.room, session, { endSeq, heardMs });
  if (heardSeq < endSeq) {
    const fields = { session: session.id, unheardChunks: endSeq - heardSeq };
    log(ctx, "provider_heard_less", fields, "warn");
  }
  return heardSeq;
}

/**
 * The session has ended: schedules a new one if words are still pending. `code` is a close code, the
 * provider's error code (429: the provider was at its `limit`), or 0. `isLate`: the provider still answers, but not in
 * time.
 */
export function onSessionLost(
  ctx: StepContext,
  code: number,
  { limit = null, isLate = false }: { limit?: ProviderError["limit"]; isLate?: boolean } = {},
): void {
  const { room } = ctx;
  if (wasFast(room, ctx.now)) room.slowdowns += 1;
  closeSession(ctx);
  const limitMs =
    limit === "requests"
      ? requestLimitMs * (0.5 + ctx.random / 2)
      : planLimits[room.level].rateLimitedRetryMs;
  const delay = Math.max(
    getBackoffMs(retryBackoff, room.failures, ctx.random),
    code === 429 ? limitMs : 0,
  );
  room.failures += 1;
  if (room.finalize) room.finalize = { ...room.finalize, translationsDueAt: null };
  room.retryAt = ctx.now + delay;
  const event = isLate ? "provider_late" : "provider_lost";
  log(ctx, event, { code, failures: room.failures }, "warn");
  if (room.backlog.length > 0 || room.finalize) openSession(ctx, code === 429);
  // Shows that the room is alive. Interim words will be recognised again.
  sendProgress(ctx, [], false);
}

/** One that ends in order, with all its words delivered, is replaced when there is more sound. */
export function onSessionClosed(ctx: StepContext, code: number): void {
  const { backlog, finalize } = ctx.room;
  if (code === 1000 && backlog.length === 0 && finalize === null) closeSession(ctx);
  else onSessionLost(ctx, code);
}

/** The session got sound faster than real time, which may be why the provider has ended it. */
function wasFast(room: RoomState, now: number): boolean {
  const { provider } = room;
  if (provider.kind !== "open") return false;
  const sentMs = (provider.sentSeq + 1 - provider.firstSeq) * getLengthMs(room);
  return sentMs > now - provider.openedAt + burstMs;
}
