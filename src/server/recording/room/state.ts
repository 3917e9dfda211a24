import type { LogFields } from "#server/ports.ts";
import type { PlanLevel } from "#server/recording/plan-limits.ts";
import type { AudioCodec, RelayServerMessage } from "#shared/relay.ts";
import { createIntake, type Intake } from "./audio-intake.ts";
import { type ClientBudget, createClientBudget } from "./client-budget.ts";
import type { RoomEffect } from "./events.ts";
import { applyGrant, createUsage, toPayer, type Usage } from "./metering-state.ts";
import { idleAfterMs } from "./provider-session-budget.ts";
import type { Packets } from "./received-chunk.ts";
import type { Payer, RoomSnapshot, RoomSocket } from "./snapshot.ts";
import type { SessionSpeakers, SpeakerTurn } from "./speaker-mapping.ts";
import type { Placement } from "./take-placement.ts";

/** Stream settings that the client chose in `config`. */
export interface StreamSettings {
  codec: AudioCodec;
  /** Hz. */
  sampleRate: number;
  diarization: boolean;
  binary: boolean;
  context: string;
}

interface Client {
  socketId: string;
  /** Id of the browser tab; null for a client that sends none. */
  tab: string | null;
  /** Ms since the epoch. */
  expiresAt: number;
  connectedAt: number;
  lastSeenAt: number;
  budget: ClientBudget;
  /** Null before `config`. */
  settings: StreamSettings | null;
  /** True for a socket from before the room was restarted. */
  restored: boolean;
}

export interface Chunk {
  seq: number;
  packets: Packets;
}

export interface OpenSession {
  kind: "open";
  id: number;
  openedAt: number;
  /** Start of the session on the lecture's clock. */
  startMs: number;
  /** The chunk that the session began with, and what its stream has before it. */
  firstSeq: number;
  leadIn: Packets;
  /** Words before this time were delivered by an earlier session. */
  cutoffMs: number;
  /** Last chunk that was sent. */
  sentSeq: number;
  finalMs: number;
  totalMs: number;
  lastFinalMs: number;
  /** End of the last word, final or interim; `startMs` if there was none. */
  lastWordMs: number;
  /** True while the session has interim words. */
  hasInterim: boolean;
  speakers: SessionSpeakers;
  /** Since when sent audio is unanswered. */
  unansweredSince: number | null;
  lastSentAt: number;
  /** Unanswered finalizes. */
  finalizesDue: number;
}

/** State of the provider connection; at most one session exists at a time. */
type Provider =
  | { kind: "none" }
  /** `notifiedAt`: when the client last received a message about the wait. */
  | { kind: "waiting"; until: number; notifiedAt: number }
  | { kind: "opening"; id: number; since: number }
  | OpenSession;

/** A finalize that is under way. */
export interface Finalize {
  lastSeq: number;
  notifyClient: boolean;
  /** What follows: nothing, closing the idle session, or the end of the allowance. */
  after: "keepOpen" | "closeSession" | "end";
  attempt: 1 | 2;
  dueAt: number;
}

/** State of the room. Only its first level is ever mutated in place. */
export interface RoomState {
  recordingId: string;
  /** Null for a guest's room. */
  owner: { userId: string; sessionId: string } | null;
  /** Whose allowance the next audio counts against. */
  payer: Payer;
  level: PlanLevel;
  client: Client | null;
  /** Placement of the current or last take; null before the first one. Every `seq` in this state is a position. */
  placement: Placement | null;
  /** Highest position ever accepted. */
  highSeq: number;
  /** `highSeq` at the last confirmed persist. */
  persistedSeq: number;
  intake: Intake;
  /** Salts the fingerprints of chunks. */
  salt: number;
  expectedSeq: number;
  ackedSeq: number;
  /** Unacknowledged chunks, ascending without gaps: `ackedSeq + 1` to `expectedSeq - 1`. */
  backlog: readonly Chunk[];
  /** Opus: the packets before `backlog[0]`, with which a provider session begins. */
  leadIn: Packets;
  /** Chunks up to this one are fully transcribed. They stay in the backlog only so that the next session gets them again. */
  transcribedSeq: number;
  /** End of the final words that were sent to the client. This and the next two are on the lecture's clock. */
  deliveredMs: number;
  /** Up to here the provider's words are final. */
  finalMs: number;
  /** Up to here the provider has processed audio. */
  totalMs: number;
  turns: readonly SpeakerTurn[];
  provider: Provider;
  lastSessionId: number;
  /** Sessions lost since the last stable one. */
  failures: number;
  /** Earliest time of a new session, ms since the epoch. */
  retryAt: number;
  /** When sessions were opened in the last minute, ms since the epoch. */
  sessionTimes: readonly number[];
  /** Consecutive sessions that the payer's budget deferred. */
  deferrals: number;
  /** Until when the audio charged so far keeps a provider session open, ms since the epoch. */
  activeUntil: number;
  finalize: Finalize | null;
  usage: Usage;
  alarmAt: number | null;
  /** When the stored snapshot was written, ms since the epoch; null if there is none, or none that says it. */
  storedAt: number | null;
  /** True from a restart until the first new audio: chunks accepted after the last snapshot are not known. */
  restored: boolean;
  /** Until when connections are rejected after a violation, ms since the epoch. */
  blockedUntil: number;
}

/** Context of one reducer step: a copy of the state whose first level may be changed, and the effects so far. */
export interface StepContext {
  room: RoomState;
  effects: RoomEffect[];
  now: number;
  jitter: number;
}

/**
 * Creates the state of a loaded room from its snapshot, and attaches the newest hibernated socket.
 * `defaults` is for a room without a snapshot: a random salt, and a segment number that was never used.
 */
export function createRoomState(
  saved: RoomSnapshot | null,
  sockets: readonly RoomSocket[],
  now: number,
  defaults = { salt: 0, firstSegment: 0 },
): RoomState {
  // The runtime lists sockets in undefined order.
  const socket = sockets.toSorted((a, b) => b.connectedAt - a.connectedAt)[0];
  const room: RoomState = {
    recordingId: saved?.recordingId ?? socket?.grant.recordingId ?? "",
    owner: saved?.owner ?? null,
    payer: saved?.payer ?? { userId: null, address: null },
    level: saved?.level ?? "guest",
    client: null,
    placement: saved?.placement ?? null,
    highSeq: saved?.highSeq ?? -1,
    persistedSeq: saved?.highSeq ?? -1,
    intake: saved?.intake ?? createIntake(now),
    salt: saved?.salt ?? defaults.salt,
    expectedSeq: (saved?.highSeq ?? -1) + 1,
    ackedSeq: saved?.highSeq ?? -1,
    backlog: [],
    leadIn: [],
    transcribedSeq: -1,
    deliveredMs: 0,
    finalMs: 0,
    totalMs: 0,
    turns: saved?.turns ?? [],
    provider: { kind: "none" },
    lastSessionId: 0,
    failures: 0,
    retryAt: 0,
    sessionTimes: saved?.sessionTimes ?? [],
    deferrals: 0,
    // The client that was recording may reconnect and continue the segment.
    activeUntil: saved?.segments.some((one) => !one.closed) ? now + idleAfterMs : now,
    finalize: null,
    usage: createUsage(saved, defaults.firstSegment, now),
    alarmAt: null,
    storedAt: saved?.storedAt ?? null,
    restored: saved !== null,
    blockedUntil: 0,
  };
  if (socket) attachClient(room, { ...socket, restored: true }, now);
  return room;
}

/** Makes a socket the room's client. */
export function attachClient(
  room: RoomState,
  { socketId, grant, tab, connectedAt, restored }: RoomSocket & { restored: boolean },
  now: number,
): void {
  room.recordingId = grant.recordingId;
  room.owner = grant.user && { userId: grant.user.id, sessionId: grant.user.sessionId };
  room.client = {
    socketId,
    tab,
    expiresAt: grant.expiresAt,
    connectedAt,
    lastSeenAt: now,
    budget: createClientBudget(now),
    settings: null,
    restored,
  };
  room.usage = applyGrant(room.usage, grant, room.payer, now);
  room.payer = toPayer(grant);
  room.level = grant.level;
}

function toSnapshot(room: RoomState): RoomSnapshot {
  return {
    version: 3,
    recordingId: room.recordingId,
    owner: room.owner,
    payer: room.payer,
    level: room.level,
    highSeq: room.highSeq,
    totalMs: room.usage.totalMs,
    placement: room.placement,
    turns: [...room.turns],
    nextSegment: room.usage.nextSegment,
    segments: [...room.usage.segments],
    intake: room.intake,
    salt: room.salt,
    sessionTimes: [...room.sessionTimes],
    storedAt: room.storedAt,
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
