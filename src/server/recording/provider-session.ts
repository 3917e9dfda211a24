import type { RelayToken } from "../../shared/relay.ts";
import { acknowledgeable, settledMs } from "./acknowledgement.ts";
import { align } from "./alignment.ts";
import type { ProviderMessage, ProviderStart } from "./events.ts";
import { startOf } from "./recording-clock.ts";
import { services } from "./service-levels.ts";
import {
  log,
  type OpenSession,
  type RoomState,
  type StreamSettings,
  send,
  type Work,
} from "./state.ts";

// Shorter than the 10 s after which a browser that hears nothing takes its own connection for dead.
export const openTimeoutMs = 8_000;
export const answerTimeoutMs = 8_000;
export const providerKeepaliveMs = 10_000;
export const idleAfterMs = 60_000;
/** The provider ends a stream after 300 minutes: from `changeAfterMs` on the next pause will do, at `changeLatestMs` none is needed. */
const changeAfterMs = 280 * 60_000;
export const changeLatestMs = 298 * 60_000;
/** A session that lived so long has done its work: the next failure is a first one. */
const provenAfterMs = 10_000;
const retryFirstMs = 250;
const retryMaxMs = 8_000;
const contextMaxChars = 9_900;

/** Opens a session from the oldest unacknowledged chunk on, not before the back-off allows. */
export function openSession(work: Work): void {
  const { room } = work;
  const settings = room.browser?.settings;
  closeSession(work);
  if (!settings) return;
  if (work.now < room.retryAt) {
    room.provider = { kind: "waiting", until: room.retryAt };
    return;
  }
  room.lastSessionId += 1;
  room.provider = { kind: "opening", id: room.lastSessionId, since: work.now };
  const start = startMessage(room, settings);
  work.effects.push({ type: "openProvider", sessionId: room.lastSessionId, start });
}

export function closeSession(work: Work): void {
  const { provider } = work.room;
  if (provider.kind === "open" || provider.kind === "opening")
    work.effects.push({ type: "closeProvider", sessionId: provider.id });
  work.room.provider = { kind: "none" };
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
  const startMs = startOf(room.clock, firstSeq);
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
  acknowledge(work, acknowledgeable(room.clock, room.ackedSeq, last, settledMs(next)));
  if (now - next.openedAt >= changeAfterMs && !news.interim) openSession(work);
  return news.finalized && next.finalizesDue === 0;
}

/** Lets go of the chunks up to `seq` and tells the browser that it may. */
export function acknowledge(work: Work, seq: number): void {
  const { room } = work;
  if (seq <= room.ackedSeq) return;
  room.ackedSeq = seq;
  room.backlog = room.backlog.filter((chunk) => chunk.seq > seq);
  send(work, { type: "ack", seq });
}

/** The session is gone: another one follows after a pause where somebody waits for words. */
export function onLost(work: Work, why: { code: number; limited?: boolean }): void {
  const { room } = work;
  closeSession(work);
  const delay = Math.max(
    Math.min(retryMaxMs, retryFirstMs * 2 ** room.failures) * (0.5 + work.jitter / 2),
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
