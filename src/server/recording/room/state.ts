import type { LogFields } from "#server/ports.ts";
import type { Recognizer } from "#shared/engine-languages.ts";
import type { RelayServerMessage, RelayToken, SpeechTerm } from "#shared/relay.ts";
import { createClientBudget } from "./client-budget.ts";
import type {
  ProviderStart,
  ProviderToken,
  RoomEffect,
  SpeechHints,
  StreamTranslation,
} from "./events.ts";
import { applyGrant, createUsage, toPayer } from "./metering-state.ts";
import { createPaceBudget, providerPace } from "./provider-pace.ts";
import { idleAfterMs } from "./provider-session-budget.ts";
import { createSnapshot, type RoomSnapshot, type RoomSocket } from "./snapshot.ts";
import type { SessionSpeakers } from "./speaker-mapping.ts";
import type { SessionTranslation } from "./stream-translation.ts";

/** Stream settings that the client chose in `config`. */
export interface StreamSettings
  extends Pick<
    ProviderStart,
    "codec" | "sampleRate" | "diarization" | "languages" | "context" | "translation"
  > {
  binary: boolean;
}

type Client = ReturnType<typeof createClient>;

function createClient(
  { socketId, grant, tab, connectedAt, restored }: RoomSocket & { restored: boolean },
  now: number,
) {
  return {
    socketId,
    /** Id of the browser tab; null for a client that sends none. */
    tab,
    /** End of the sign-in session or the guest's ticket, ms since the epoch. */
    expiresAt: grant.expiresAt,
    connectedAt,
    lastSeenAt: now,
    budget: createClientBudget(now),
    /** Null before `config`. */
    settings: null as StreamSettings | null,
    /** They may change without a new session. */
    hints: { topic: "", terms: [] } as SpeechHints,
    /** The provider refused a session that was told the hints and the context: the next ones are not. */
    areHintsRefused: false,
    /** It refused one that was to translate. */
    isTranslationRefused: false,
    /** True for a socket from before the room was restarted. */
    restored,
  };
}

/** A chunk's audio: 13 packets of Opus, or one packet with all samples of PCM. */
export type Packets = readonly Uint8Array[];

export interface Chunk {
  seq: number;
  packets: Packets;
}

/** What a session begins with. */
interface SessionStart {
  id: number;
  /** Start of the session on the lecture's clock. */
  startMs: number;
  /** The chunk that the session began with, and what its stream has before it. */
  firstSeq: number;
  leadIn: Packets;
  /** Words before this time were delivered by an earlier session. */
  cutoffMs: number;
  /** Those that the session knows. */
  terms: readonly SpeechTerm[];
  canChangeTerms: boolean;
  /** Null: the session does not translate. */
  translation: SessionTranslation | null;
}

export type OpenSession = ReturnType<typeof createOpenSession>;

export function createOpenSession(begun: SessionStart, now: number) {
  const { startMs, firstSeq } = begun;
  return {
    ...begun,
    kind: "open" as const,
    openedAt: now,
    /** Last chunk that was sent. */
    sentSeq: firstSeq - 1,
    /** Up to here on the lecture's clock the words are final, and the audio is processed. */
    finalMs: startMs,
    processedMs: startMs,
    lastFinalMs: startMs,
    /** End of the last word, final or interim; `startMs` if there was none. */
    lastWordMs: startMs,
    /** True while the session has interim words; those that the client was sent last. */
    hasInterim: false,
    interim: [] as readonly RelayToken[],
    speakers: {} as SessionSpeakers,
    /** Since when sent audio is unanswered. */
    unansweredSince: null as number | null,
    /** When the client was sent the session's progress last. */
    notifiedAt: now,
    /** The last answer: sound that the session had got then, and that it had read, on the lecture's clock. */
    answered: { at: now, sentMs: startMs, readMs: startMs },
    lastSentAt: now,
    /** Unanswered finalizes. */
    finalizesDue: 0,
    /**
     * Last chunk of a session that has been asked to end, and gets no sound any more; null: it has not. Only where
     * nothing but the end proves what was heard.
     */
    endSeq: null as number | null,
    /** Its last words, which wait for the joint with the next session. */
    held: [] as readonly ProviderToken[],
    /** A finalize waits until the sound before it has been sent. */
    isFinalizeHeld: false,
    paceBudget: createPaceBudget(now),
  };
}

/** State of the provider connection; at most one session exists at a time. */
type Provider =
  | { kind: "none" }
  /** `notifiedAt`: when the client last received a message about the wait. `isBusy`: the service is at its limit. */
  | { kind: "waiting"; until: number; notifiedAt: number; isBusy: boolean }
  /** `spentResendMs`: of the audio that may be resent free of charge. */
  | {
      kind: "opening";
      id: number;
      since: number;
      terms: readonly SpeechTerm[];
      translation: StreamTranslation | null;
      spentResendMs: number;
    }
  | OpenSession;

/** A finalize that is under way. */
export interface Finalize {
  lastSeq: number;
  notifyClient: boolean;
  /** What follows: closing the idle session, or the silent one, nothing, or the end of the allowance. */
  after: "closeSession" | "replaceSession" | "keepOpen" | "end";
  attempt: 1 | 2;
  /** Since when nothing has become final. */
  since: number;
  dueAt: number;
  /** All words are there, and translations are waited for until then, ms since the epoch; null: they are not. */
  translationsDueAt: number | null;
}

/** State of the room. Every `seq` is a position. Only the first level is ever mutated in place. */
export type RoomState = ReturnType<typeof createRoomState>;

/** Context of one reducer step: a copy of the state whose first level may be changed, and the effects so far. */
export interface StepContext {
  room: RoomState;
  effects: RoomEffect[];
  now: number;
  /** From 0 to 1, so that rooms do not retry together. */
  random: number;
}

/** Creates the state of a loaded room from its snapshot, and attaches the newest hibernated socket. */
export function createRoomState(
  saved: RoomSnapshot | null,
  sockets: readonly RoomSocket[],
  now: number,
  random = { salt: 0, firstSegment: 0 },
  { recognizer = "soniox" as Recognizer, pace = providerPace } = {},
) {
  // The runtime lists sockets in undefined order.
  const socket = sockets.toSorted((a, b) => b.connectedAt - a.connectedAt)[0];
  const snapshot = saved ?? createSnapshot(random);
  const { version: _, segments, nextSegment: _next, ...kept } = snapshot;
  const room = {
    // The room stores these, and the segments of `usage`.
    ...kept,
    /** What the site recognises speech with. */
    recognizer,
    /** How fast the provider takes sound, in times real time, and how often that was too fast. */
    pace,
    slowdowns: 0,
    /** Of the last client; null for a guest, and from a restart until a client connects. */
    signInSessionId: null as string | null,
    client: null as Client | null,
    /** `highSeq` at the last confirmed persist. */
    persistedSeq: kept.highSeq,
    expectedSeq: kept.highSeq + 1,
    ackedSeq: kept.highSeq,
    /** Unacknowledged chunks, ascending without gaps: `ackedSeq + 1` to `expectedSeq - 1`. */
    backlog: [] as readonly Chunk[],
    /** Opus: the packets before `backlog[0]`, with which a provider session begins. */
    leadIn: [] as Packets,
    /** Chunks up to this one are fully transcribed. They stay in the backlog only so that the next session gets them again. */
    transcribedSeq: -1,
    /** End of the final words that were sent to the client, on the lecture's clock. */
    deliveredMs: 0,
    /** What the client was told last of all sessions: up to where words are final and audio is processed. */
    progress: { finalMs: 0, processedMs: 0 },
    provider: { kind: "none" } as Provider,
    /** False: the provider of the last session sends nothing while nobody speaks. */
    answersSilence: true,
    lastSessionId: 0,
    /** Sessions lost since the last stable one. */
    failures: 0,
    /** Earliest time of a new session, ms since the epoch. */
    retryAt: 0,
    /** Consecutive sessions that the payer's budget deferred. */
    deferrals: 0,
    /** The payer's session budget has counted the next opening, which the site has deferred. */
    isOpeningCounted: false,
    /**
     * Until when the audio charged so far keeps a provider session open, ms since the epoch. The client that was
     * recording may reconnect and continue the segment.
     */
    activeUntil: segments.some((one) => !one.closed) ? now + idleAfterMs : now,
    finalize: null as Finalize | null,
    usage: createUsage(snapshot, now),
    alarmAt: null as number | null,
    /** True from a restart until the first new audio: chunks accepted after the last snapshot are not known. */
    restored: saved !== null,
    /** Until when connections are rejected after a violation, ms since the epoch. */
    blockedUntil: 0,
  };
  if (socket) attachClient(room, { ...socket, restored: true }, now);
  return room;
}

/** Makes a socket the room's client. */
export function attachClient(
  room: RoomState,
  socket: RoomSocket & { restored: boolean },
  now: number,
): void {
  const { grant } = socket;
  room.recordingId = grant.recordingId;
  room.againLectureId = grant.againLectureId ?? null;
  room.client = createClient(socket, now);
  room.usage = applyGrant(room.usage, socket, room.payer, now);
  room.payer = toPayer(grant);
  room.signInSessionId = grant.user?.signInSessionId ?? null;
  room.level = grant.level;
}

function toSnapshot(room: RoomState): RoomSnapshot {
  const { recordingId, againLectureId, payer, level, placement, highSeq, turns } = room;
  const { segments, nextSegment } = room.usage;
  const { intake, salt, sessionTimes, storedAt } = room;
  return {
    version: 3,
    recordingId,
    againLectureId,
    payer,
    level,
    placement,
    highSeq,
    turns,
    nextSegment,
    segments,
    intake,
    salt,
    sessionTimes,
    storedAt,
  };
}

export function send(ctx: StepContext, message: RelayServerMessage): void {
  const { client } = ctx.room;
  if (client) ctx.effects.push({ type: "send", socketId: client.socketId, message });
}

/** Pass `confirmed: false` if losing the write only repeats a ledger write or gives words to another speaker. */
export function persist(ctx: StepContext, { confirmed } = { confirmed: true }): void {
  if (confirmed) ctx.room.persistedSeq = ctx.room.highSeq;
  ctx.room.storedAt = ctx.now;
  ctx.effects.push({ type: "persist", room: toSnapshot(ctx.room), confirmed });
}

export function log(
  ctx: StepContext,
  event: string,
  fields: LogFields = {},
  level: "info" | "warn" = "info",
): void {
  const { recordingId } = ctx.room;
  ctx.effects.push({ type: "log", level, event, fields: { recordingId, ...fields } });
}
