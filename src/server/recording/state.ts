import type { RelayServerMessage } from "../../shared/relay.ts";
import type { LogFields } from "../ports.ts";
import type { RoomEffect, RoomGrant } from "./events.ts";
import { type Intake, newIntake } from "./intake.ts";
import type { RecordingClock } from "./recording-clock.ts";
import type { Payer, SavedRoom } from "./saved-room.ts";
import type { ServiceLevel } from "./service-levels.ts";
import type { SessionSpeakers, SpeakerTurn } from "./speakers.ts";
import { openUsage, payerOf, type Usage, underGrant } from "./usage-state.ts";

/** What a browser asked for. */
export interface StreamSettings {
  sampleRate: number;
  diarization: boolean;
  binary: boolean;
  context: string;
  /** False for a client that resends nothing: what the room holds is all there is. */
  resumes: boolean;
}

interface Browser {
  socketId: string;
  /** Ms since the epoch. */
  expiresAt: number;
  lastSeenAt: number;
  /** Null before `config`. */
  settings: StreamSettings | null;
  /** True for a socket that outlived the room's memory. */
  cold: boolean;
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
  interim: boolean;
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
  | { kind: "waiting"; until: number }
  | { kind: "opening"; id: number; since: number }
  | OpenSession;

/** A finalize that is under way. */
export interface Finalize {
  upTo: number;
  tellBrowser: boolean;
  /** What follows: nothing, closing the idle session, or the end of the allowance. */
  after: "stay" | "sleep" | "end";
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
  level: ServiceLevel;
  browser: Browser | null;
  clock: RecordingClock;
  /** Highest chunk that was ever accepted. */
  highSeq: number;
  intake: Intake;
  /** Salts the fingerprints of chunks. */
  salt: number;
  expectedSeq: number;
  ackedSeq: number;
  /** Unacknowledged chunks, ascending without gaps: `ackedSeq + 1` to `expectedSeq - 1`. */
  backlog: readonly Chunk[];
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
  lastAudioAt: number;
  finalize: Finalize | null;
  usage: Usage;
  /** When the segment of a browser that left without a word is closed. */
  abandonAt: number | null;
  alarmAt: number | null;
  /** True from a cold start until the first `config`: what was accepted since the last save is not known. */
  restored: boolean;
}

/** One step's work: a copy of the state that may be changed at its first level, and what to do. */
export interface Work {
  room: RoomState;
  effects: RoomEffect[];
  now: number;
  jitter: number;
}

export const abandonAfterMs = 300_000;

/**
 * A room as it wakes up: from what it kept, with the socket that outlived its memory. `fresh` is for
 * a room that kept nothing: a random number, and the first segment that no earlier life has used.
 */
export function openRoom(
  saved: SavedRoom | null,
  survivor: { socketId: string; grant: RoomGrant } | null,
  now: number,
  fresh = { salt: 0, firstSegment: 0 },
): RoomState {
  const room: RoomState = {
    recordingId: saved?.recordingId ?? survivor?.grant.recordingId ?? "",
    owner: saved?.owner ?? null,
    payer: saved?.payer ?? { userId: null, address: null },
    level: saved?.level ?? "guest",
    browser: null,
    clock: saved?.clock ?? [],
    highSeq: saved?.highSeq ?? -1,
    intake: saved?.intake ?? newIntake(now),
    salt: saved?.salt ?? fresh.salt,
    expectedSeq: (saved?.highSeq ?? -1) + 1,
    ackedSeq: saved?.highSeq ?? -1,
    backlog: [],
    deliveredMs: 0,
    finalMs: 0,
    totalMs: 0,
    turns: saved?.turns ?? [],
    provider: { kind: "none" },
    lastSessionId: 0,
    failures: 0,
    retryAt: 0,
    lastAudioAt: now,
    finalize: null,
    usage: openUsage(saved, fresh.firstSegment, now),
    abandonAt: saved?.segments.some((one) => !one.closed) ? now + abandonAfterMs : null,
    alarmAt: null,
    restored: saved !== null,
  };
  if (survivor) seat(room, survivor.socketId, survivor.grant, now, true);
  return room;
}

/** Gives the room's one browser place to a socket. */
export function seat(
  room: RoomState,
  socketId: string,
  grant: RoomGrant,
  now: number,
  cold: boolean,
): void {
  room.recordingId = grant.recordingId;
  room.owner = grant.user && { userId: grant.user.id, sessionId: grant.user.sessionId };
  room.browser = { socketId, expiresAt: grant.expiresAt, lastSeenAt: now, settings: null, cold };
  room.payer = payerOf(grant);
  room.level = grant.level;
  room.usage = underGrant(room.usage, grant, now);
}

/** What the room keeps in its storage. */
function savedOf(room: RoomState): SavedRoom {
  return {
    version: 2,
    recordingId: room.recordingId,
    owner: room.owner,
    payer: room.payer,
    level: room.level,
    highSeq: room.highSeq,
    totalMs: room.usage.totalMs,
    clock: [...room.clock],
    turns: [...room.turns],
    nextSegment: room.usage.nextSegment,
    segments: [...room.usage.segments],
    intake: room.intake,
    salt: room.salt,
  };
}

export function send(work: Work, message: RelayServerMessage): void {
  const { browser } = work.room;
  if (browser) work.effects.push({ type: "send", socketId: browser.socketId, message });
}

/** `confirmed: false` where losing it only means that the same is written to the ledger once more. */
export function persist(work: Work, { confirmed } = { confirmed: true }): void {
  work.effects.push({ type: "persist", room: savedOf(work.room), confirmed });
}

export function log(
  work: Work,
  event: string,
  fields: LogFields = {},
  level: "info" | "warn" = "info",
): void {
  const { recordingId } = work.room;
  work.effects.push({ type: "log", level, event, fields: { recordingId, ...fields } });
}
