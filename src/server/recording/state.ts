import { guestLimitSeconds } from "../../shared/limits.ts";
import type { RelayServerMessage } from "../../shared/relay.ts";
import type { LogFields } from "../ports.ts";
import type { RoomEffect, RoomGrant } from "./events.ts";
import type { RecordingClock } from "./recording-clock.ts";
import type { SavedRoom, Segment } from "./saved-room.ts";
import type { SessionSpeakers, SpeakerTurn } from "./speakers.ts";

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

interface Usage {
  /** Recorded over the whole recording. */
  totalMs: number;
  /** First day of the month that `monthUsedMs` is about. */
  month: string;
  /** What the ledger holds for the month, over all recordings. */
  monthUsedMs: number;
  limitMs: number;
  /** Those that the ledger does not hold as they are, and the current one last. */
  segments: readonly Segment[];
  nextSegment: number;
  dueAt: number | null;
  inFlight: {
    id: number;
    number: number;
    recordedMs: number;
    closed: boolean;
    sessionId: string;
    since: number;
  } | null;
  lastFlushId: number;
  failures: number;
  /** The allowance has run out: no more audio is taken. */
  ending: boolean;
}

/** A room's memory. Never mutated in place below its first level. */
export interface RoomState {
  recordingId: string;
  owner: { userId: string; sessionId: string } | null;
  browser: Browser | null;
  clock: RecordingClock;
  /** Highest chunk that was ever accepted: what lies above is charged. */
  highSeq: number;
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

/** A room as it wakes up: from what it kept, with the socket that outlived its memory. */
export function openRoom(
  saved: SavedRoom | null,
  survivor: { socketId: string; grant: RoomGrant } | null,
  now: number,
): RoomState {
  const room: RoomState = {
    recordingId: saved?.recordingId ?? survivor?.grant.recordingId ?? "",
    owner: saved?.owner ?? null,
    browser: null,
    clock: saved?.clock ?? [],
    highSeq: saved?.highSeq ?? -1,
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
    usage: {
      totalMs: saved?.totalMs ?? 0,
      month: monthOf(now),
      monthUsedMs: 0,
      limitMs: Number.POSITIVE_INFINITY,
      segments: saved?.segments ?? [],
      nextSegment: saved?.nextSegment ?? 0,
      dueAt: saved?.segments.some(needsWrite) ? now : null,
      inFlight: null,
      lastFlushId: 0,
      failures: 0,
      ending: false,
    },
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
  room.usage = {
    ...room.usage,
    month: monthOf(now),
    monthUsedMs: grant.user?.monthUsedMs ?? 0,
    limitMs: grant.user?.limitMs ?? guestLimitSeconds * 1_000,
    ending: false,
  };
}

/** What the room keeps in its storage. */
function savedOf(room: RoomState): SavedRoom {
  return {
    version: 1,
    recordingId: room.recordingId,
    owner: room.owner,
    highSeq: room.highSeq,
    totalMs: room.usage.totalMs,
    clock: [...room.clock],
    turns: [...room.turns],
    nextSegment: room.usage.nextSegment,
    segments: [...room.usage.segments],
  };
}

/** True when the ledger is not known to hold `segment` as it is. */
export function needsWrite(segment: Segment): boolean {
  const { flushed } = segment;
  return (
    flushed === null ||
    flushed.recordedMs !== segment.recordedMs ||
    flushed.closed !== segment.closed
  );
}

/** The month that was asked for last: it is asked for with every chunk. */
let latestMonth = { from: 0, to: 0, text: "" };

/** First day of the calendar month (UTC) of `now`, `YYYY-MM-01`. */
export function monthOf(now: number): string {
  if (now < latestMonth.from || now >= latestMonth.to) {
    const day = new Date(now);
    const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
    latestMonth = {
      from: Date.UTC(year, month),
      to: Date.UTC(year, month + 1),
      text: `${day.toISOString().slice(0, 7)}-01`,
    };
  }
  return latestMonth.text;
}

export function send(work: Work, message: RelayServerMessage): void {
  const { browser } = work.room;
  if (browser) work.effects.push({ type: "send", socketId: browser.socketId, message });
}

export function persist(work: Work): void {
  work.effects.push({ type: "persist", room: savedOf(work.room) });
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
