import { services } from "#server/recording/plan-limits.ts";
import { type Backoff, backoffMs } from "#shared/backoff.ts";
import type { RelayToken } from "#shared/relay.ts";
import { acknowledgeable, settledMs } from "./acknowledgement.ts";
import type { ProviderMessage, ProviderStart } from "./events.ts";
import { reportActivity } from "./metering.ts";
import { nextSessionAt, sessionLeastMs, withSession } from "./session-budget.ts";
import {
  log,
  type OpenSession,
  persist,
  type RoomState,
  type StreamSettings,
  send,
  type Work,
} from "./state.ts";
import { startOf, toSeq } from "./take-placement.ts";
import { align } from "./token-alignment.ts";

// Shorter than the 10 s after which a browser that hears nothing takes its own connection for dead.
export const openTimeoutMs = 8_000;
export const answerTimeoutMs = 8_000;
export const providerKeepaliveMs = 10_000;
/** The provider ends a stream after 300 minutes: from `changeAfterMs` on the next pause will do, at `changeLatestMs` none is needed. */
const changeAfterMs = 280 * 60_000;
export const changeLatestMs = 298 * 60_000;
/** A session that lived so long has done its work: the next failure is a first one. */
const provenAfterMs = 10_000;
/** Five of `maxMs` are a minute: a provider that stays away is asked no more often than a room may. */
const retries: Backoff = { firstMs: 250, maxMs: 12_000, growth: 4, spread: [0.5, 1] };
const heldBackRetries: Backoff = { firstMs: 5_000, maxMs: 60_000, spread: [0.5, 1] };
const contextMaxChars = 9_900;

/**
 * Opens a session from the oldest unacknowledged chunk on, not before back-off and budget allow. One
 * that no charged sound pays for takes its least time from what may be sent again without a charge.
 */
export function openSession(work: Work): void {
  const { room, now } = work;
  const settings = room.browser?.settings;
  closeSession(work);
  if (!settings) return;
  const isPaid = room.paidUntil > now;
  if (!isPaid && room.intake.resendMs < sessionLeastMs) return;
  reportActivity(work);
  const at = Math.max(room.retryAt, nextSessionAt(room.sessionTimes, now));
  if (at > now) {
    room.provider = { kind: "waiting", until: at, toldAt: now };
    return;
  }
  if (!isPaid) {
    const resendMs = room.intake.resendMs - sessionLeastMs;
    room.intake = { ...room.intake, resendMs };
  }
  room.lastSessionId += 1;
  room.provider = { kind: "opening", id: room.lastSessionId, since: now };
  room.sessionTimes = withSession(room.sessionTimes, now);
  persist(work, { confirmed: false });
  work.effects.push({
    type: "openProvider",
    sessionId: room.lastSessionId,
    start: startMessage(room, settings),
    payer: room.payer,
    level: room.level,
  });
}

/** When the session has nothing left to stay open for, ms since the epoch; null where none is open. */
export function idleAt({ provider, paidUntil }: RoomState): number | null {
  if (provider.kind !== "open") return null;
  return Math.max(paidUntil, provider.openedAt + sessionLeastMs);
}

/** The payer's budget is used up: nothing has failed, and the sound waits for its turn. */
export function onHeldBack(work: Work): void {
  const { room, now } = work;
  const until = now + backoffMs(heldBackRetries, room.heldBack, work.jitter);
  room.heldBack += 1;
  room.sessionTimes = room.sessionTimes.slice(0, -1);
  room.provider = { kind: "waiting", until, toldAt: now };
  log(
    work,
    "provider_held_back",
    { times: room.heldBack, waitMs: Math.round(until - now) },
    "warn",
  );
  tellProgress(work, [], false);
}

/** Says that the room is there, so that the browser does not take its connection for dead. */
export function tellWaiting(work: Work): void {
  const { provider } = work.room;
  if (provider.kind !== "waiting") return;
  work.room.provider = { ...provider, toldAt: work.now };
  tellProgress(work, [], false);
}

export function closeSession(work: Work): void {
  const { provider } = work.room;
  if (provider.kind === "open" || provider.kind === "opening")
    work.effects.push({ type: "closeProvider", sessionId: provider.id });
  work.room.provider = { kind: "none" };
}

/** The session's words before `ms` on the lecture's clock are held by the client. */
export function skipTo({ room }: Work, ms: number): void {
  const { provider } = room;
  if (provider.kind !== "open") return;
  room.provider = { ...provider, cutoffMs: Math.max(provider.cutoffMs, ms) };
}

/** True when `sessionId` is the one session in use: news of any other is old. */
export function isCurrent(room: RoomState, sessionId: number): boolean {
  const { provider } = room;
  return (provider.kind === "open" || provider.kind === "opening") && provider.id === sessionId;
}

export function onOpened(work: Work): void {
  const { room, now } = work;
  const { provider } = room;
  if (provider.kind !== "opening") return;
  const firstSeq = room.backlog[0]?.seq ?? room.expectedSeq;
  const startMs = startOf(room.placement, firstSeq);
  room.heldBack = 0;
  room.provider = {
    kind: "open",
    id: provider.id,
    openedAt: now,
    startMs,
    cutoffMs: room.deliveredMs,
    sentSeq: firstSeq - 1,
    finalMs: startMs,
    totalMs: startMs,
    lastFinalMs: startMs,
    lastWordMs: startMs,
    interim: false,
    speakers: {},
    unansweredSince: null,
    lastSentAt: now,
    finalizesDue: 0,
  };
  log(work, "provider_opened", { session: provider.id, backlog: room.backlog.length });
  feed(work);
  if (room.finalize) sendFinalize(work);
}

/** Sends the session what it has not heard yet. */
export function feed(work: Work): void {
  const { room, now } = work;
  const session = room.provider;
  if (session.kind !== "open") return;
  const from = session.sentSeq + 1 - (room.backlog[0]?.seq ?? 0);
  let sentSeq = session.sentSeq;
  for (let index = Math.max(0, from); index < room.backlog.length; index += 1) {
    const chunk = room.backlog[index];
    if (!chunk) break;
    work.effects.push({ type: "sendAudio", sessionId: session.id, pcm: chunk.pcm });
    sentSeq = chunk.seq;
  }
  if (sentSeq === session.sentSeq) return;
  const unansweredSince = session.unansweredSince ?? now;
  room.provider = { ...session, sentSeq, unansweredSince, lastSentAt: now };
}

export function sendFinalize(work: Work): void {
  const session = work.room.provider;
  if (session.kind !== "open") return;
  work.effects.push({ type: "sendControl", sessionId: session.id, control: "finalize" });
  const finalizesDue = session.finalizesDue + 1;
  work.room.provider = { ...session, finalizesDue, lastSentAt: work.now };
}

export function keepAlive(work: Work): void {
  const session = work.room.provider;
  if (session.kind !== "open") return;
  work.effects.push({ type: "sendControl", sessionId: session.id, control: "keepalive" });
  work.room.provider = { ...session, lastSentAt: work.now };
}

/** Delivers an answer's news, acknowledges what it covers. True when it ends the last finalize. */
export function onProgress(
  work: Work,
  session: OpenSession,
  message: Extract<ProviderMessage, { type: "progress" }>,
): boolean {
  const { room, now } = work;
  const diarization = room.browser?.settings?.diarization ?? false;
  const { deliveredMs, turns } = room;
  const news = align(message.tokens, { ...session, deliveredMs, turns, diarization });
  const next: OpenSession = {
    ...session,
    finalMs: Math.max(session.finalMs, session.startMs + message.finalMs),
    totalMs: Math.max(session.totalMs, session.startMs + message.totalMs),
    lastFinalMs: news.lastFinalMs,
    lastWordMs: news.lastWordMs,
    interim: news.interim,
    speakers: news.speakers,
    unansweredSince: null,
    finalizesDue: Math.max(0, session.finalizesDue - (news.finalized ? 1 : 0)),
  };
  room.provider = next;
  room.turns = news.turns;
  if (news.deliveredMs > deliveredMs || now - session.openedAt >= provenAfterMs) room.failures = 0;
  room.deliveredMs = news.deliveredMs;
  room.finalMs = Math.max(room.finalMs, next.finalMs);
  room.totalMs = Math.max(room.totalMs, next.totalMs, room.finalMs);
  tellProgress(work, news.tokens, news.endpoint);
  const last = Math.min(next.sentSeq, room.expectedSeq - 1);
  acknowledge(work, acknowledgeable(room.placement, room.ackedSeq, last, settledMs(next)));
  if (now - next.openedAt >= changeAfterMs && !news.interim) openSession(work);
  return news.finalized && next.finalizesDue === 0;
}

/** Lets go of the chunks up to `seq` and tells the browser that it may. */
export function acknowledge(work: Work, seq: number): void {
  const { room } = work;
  if (seq <= room.ackedSeq) return;
  room.ackedSeq = seq;
  room.backlog = room.backlog.filter((chunk) => chunk.seq > seq);
  const take = room.placement?.take ?? null;
  if (room.placement === null || take === null) send(work, { type: "ack", seq });
  else send(work, { type: "ack", seq: toSeq(room.placement, seq), take });
}

/** The session is gone: another one follows after a pause where somebody waits for words. */
export function onLost(work: Work, why: { code: number; limited?: boolean }): void {
  const { room } = work;
  closeSession(work);
  const delay = Math.max(
    backoffMs(retries, room.failures, work.jitter),
    why.limited ? services[room.level].limitedRetryMs : 0,
  );
  room.failures += 1;
  room.retryAt = work.now + delay;
  log(work, "provider_lost", { code: why.code, failures: room.failures }, "warn");
  if (room.backlog.length > 0 || room.finalize) openSession(work);
  // The browser hears that the room is there. What was interim will be recognised again.
  tellProgress(work, [], false);
}

function tellProgress(work: Work, tokens: RelayToken[], endpoint: boolean): void {
  const { finalMs, totalMs } = work.room;
  send(work, {
    type: "tokens",
    tokens,
    audio_final_proc_ms: finalMs,
    audio_total_proc_ms: totalMs,
    ...(endpoint ? { endpoint: true } : {}),
  });
}

function startMessage({ recordingId, level }: RoomState, settings: StreamSettings): ProviderStart {
  return {
    model: "stt-rt-v5",
    audio_format: "pcm_s16le",
    sample_rate: settings.sampleRate,
    num_channels: 1,
    language_hints: ["en"],
    enable_speaker_diarization: settings.diarization,
    enable_endpoint_detection: true,
    max_endpoint_delay_ms: services[level].endpointDelayMs,
    client_reference_id: recordingId,
    ...(settings.context === "" ? {} : { context: { text: fitting(settings.context) } }),
  };
}

/** The provider counts the context as JSON, in which a character has six at most, and refuses one that is too long. */
function fitting(text: string): string {
  const over = JSON.stringify({ text }).length - contextMaxChars;
  return over <= 0 ? text : fitting(text.slice(0, -Math.ceil(over / 6)));
}
