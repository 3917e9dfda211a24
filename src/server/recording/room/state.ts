import type { LogFields } from "#server/ports.ts";
import type { PlanLevel } from "#server/recording/plan-limits.ts";
import type { RelayServerMessage } from "#shared/relay.ts";
import { createIntake, type Intake } from "./audio-intake.ts";
import { type ClientBudget, createClientBudget } from "./client-budget.ts";
import type { RoomEffect, RoomGrant } from "./events.ts";
import { applyGrant, createUsage, toPayer, type Usage } from "./metering-state.ts";
import { idleAfterMs } from "./session-budget.ts";
import type { Payer, RoomSnapshot } from "./snapshot.ts";
import type { SessionSpeakers, SpeakerTurn } from "./speaker-mapping.ts";
import type { Placement } from "./take-placement.ts";

/** What a browser asked for. */
export interface StreamSettings {
  sampleRate: number;
  diarization: boolean;
  binary: boolean;
  context: string;
  /** False for a client that resends nothing: what the room holds is all there is. */
  resumes: boolean;
}

interface Client {
  socketId: string;
  /** Tells the tabs of a browser apart; null for a client that names none. */
  tab: string | null;
  /** Ms since the epoch. */
  expiresAt: number;
  connectedAt: number;
  lastSeenAt: number;
  budget: ClientBudget;
  /** Null before `config`. */
  settings: StreamSettings | null;
  /** True for a socket that outlived the room's memory. */
  restored: boolean;
}

interface Chunk {
  seq: number;
  pcm: Uint8Array;
}

export interface OpenSession {
  kind: "open";
  id: number;
  openedAt: number;
  /** When the session's clock began, on the recording's. */
  startMs: number;
  /** Words before this were delivered by an earlier session. */
  cutoffMs: number;
  /** Last chunk that was sent. */
  sentSeq: number;
  finalMs: number;
  totalMs: number;
  lastFinalMs: number;
  lastWordMs: number;
  hasInterim: boolean;
  speakers: SessionSpeakers;
  /** When audio was sent that nothing has answered yet. */
  unansweredSince: number | null;
  lastSentAt: number;
  /** Finalizes that were not answered yet. */
  finalizesDue: number;
}

/** At most one session lives at a time. */
type Provider =
  | { kind: "none" }
  /** `notifiedAt`: when the browser last heard that the room is there. */
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

/** A room's memory. Never mutated in place below its first level. */
export interface RoomState {
  recordingId: string;
  /** Null for a guest's room. */
  owner: { userId: string; sessionId: string } | null;
  /** Whose allowance the next sound counts against. */
  payer: Payer;
  level: PlanLevel;
  client: Client | null;
  /** Of the sound that is heard or was heard last; null before the first. Every `seq` of the room is a position. */
  placement: Placement | null;
  /** Highest position that was ever accepted. */
  highSeq: number;
  /** `highSeq` as it was kept last. */
  persistedSeq: number;
  intake: Intake;
  /** Salts the fingerprints of chunks. */
  salt: number;
  expectedSeq: number;
  ackedSeq: number;
  /** Unacknowledged chunks, ascending without gaps: `ackedSeq + 1` to `expectedSeq - 1`. */
  backlog: readonly Chunk[];
  /** Chunks up to this have all their words. Those that are kept only lead in to the next session. */
  transcribedSeq: number;
  deliveredMs: number;
  finalMs: number;
  totalMs: number;
  turns: readonly SpeakerTurn[];
  provider: Provider;
  lastSessionId: number;
  /** Sessions lost since the last one that did its work. */
  failures: number;
  /** No new session before this. */
  retryAt: number;
  /** When sessions were opened in the last minute, ms since the epoch. */
  sessionTimes: readonly number[];
  /** Sessions in a row that the payer's budget held back. */
  deferrals: number;
  /** Until when charged sound pays for a stream, ms since the epoch. */
  paidUntil: number;
  finalize: Finalize | null;
  usage: Usage;
  alarmAt: number | null;
  /** True from a cold start until the first new sound: what was accepted since the last save is not known. */
  restored: boolean;
  /** Until when nobody is let in, because a client broke the rules; ms since the epoch. */
  blockedUntil: number;
}

/** A socket that outlived the room's memory. */
export interface RestoredSocket {
  socketId: string;
  grant: RoomGrant;
  tab: string | null;
  connectedAt: number;
}

/** One step's work: a copy of the state that may be changed at its first level, and what to do. */
export interface StepContext {
  room: RoomState;
  effects: RoomEffect[];
  now: number;
  jitter: number;
}

/**
 * A room as it wakes up: from what it kept, with the newest of the sockets that outlived its memory. `fresh` is for
 * a room that kept nothing: a random number, and the first segment that no earlier life has used.
 */
export function createRoomState(
  saved: RoomSnapshot | null,
  survivors: readonly RestoredSocket[],
  now: number,
  fresh = { salt: 0, firstSegment: 0 },
): RoomState {
  // The runtime lists sockets in no order.
  const survivor = survivors.toSorted((a, b) => b.connectedAt - a.connectedAt)[0];
  const room: RoomState = {
    recordingId: saved?.recordingId ?? survivor?.grant.recordingId ?? "",
    owner: saved?.owner ?? null,
    payer: saved?.payer ?? { userId: null, address: null },
    level: saved?.level ?? "guest",
    client: null,
    placement: saved?.placement ?? null,
    highSeq: saved?.highSeq ?? -1,
    persistedSeq: saved?.highSeq ?? -1,
    intake: saved?.intake ?? createIntake(now),
    salt: saved?.salt ?? fresh.salt,
    expectedSeq: (saved?.highSeq ?? -1) + 1,
    ackedSeq: saved?.highSeq ?? -1,
    backlog: [],
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
    // Whoever recorded when the room lost its memory may come back to the same stretch.
    paidUntil: saved?.segments.some((one) => !one.closed) ? now + idleAfterMs : now,
    finalize: null,
    usage: createUsage(saved, fresh.firstSegment, now),
    alarmAt: null,
    restored: saved !== null,
    blockedUntil: 0,
  };
  if (survivor) {
    attachClient(room, { ...survivor, cold: true }, now);
  }
  return room;
}

/** Gives the room's one browser place to a socket. */
export function attachClient(
  room: RoomState,
  { socketId, grant, tab, connectedAt, cold }: RestoredSocket & { cold: boolean },
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
    restored: cold,
  };
  room.usage = applyGrant(room.usage, grant, room.payer, now);
  room.payer = toPayer(grant);
  room.level = grant.level;
}

/** What the room keeps in its storage. */
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
  };
}

export function send(ctx: StepContext, message: RelayServerMessage): void {
  const { client } = ctx.room;
  if (client) ctx.effects.push({ type: "send", socketId: client.socketId, message });
}

/** `confirmed: false` where losing it only means that the same is written to the ledger once more. */
export function persist(ctx: StepContext, { confirmed } = { confirmed: true }): void {
  ctx.room.persistedSeq = ctx.room.highSeq;
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
