import type { LogFields } from "#server/ports.ts";
import type { PlanLevel } from "#server/recording/plan-limits.ts";
import type { RelayConfig, RelayServerMessage } from "#shared/relay.ts";
import type { Payer, RoomSnapshot } from "./snapshot.ts";

/** What the upgrade's authorisation found: who may record here, until when and how much. */
export interface RoomGrant {
  recordingId: string;
  /** Null for a guest. */
  user: {
    id: string;
    /** Hash of the session's secret, as the table holds it. */
    sessionId: string;
  } | null;
  /** Keyed hash of a guest's network address; null for a user, and where the address says nothing. */
  address: string | null;
  level: PlanLevel;
  /** Recorded in the current period (a user's month, a guest's day) before this connection, ms. */
  usedMs: number;
  limitMs: number;
  /** When the session or the guest's ticket ends, ms since the epoch. */
  expiresAt: number;
}

/** A socket that would like the room's one place for a client. */
export interface ConnectRequest {
  socketId: string;
  grant: RoomGrant;
  /** Tells the tabs of a browser apart; null for a client that names none. */
  tab: string | null;
  /** A person wants to record on it, so whoever has the place gives way. */
  takesOver: boolean;
}

/** A browser's frame after parsing. */
export type ClientMessage =
  | { type: "config"; config: RelayConfig }
  /** `seq` is null where the client sends none. */
  | { type: "audio"; seq: number | null; pcm: Uint8Array; binary: boolean }
  | { type: "keepalive" }
  | { type: "finalize" }
  | { type: "malformed"; reason: string }
  | { type: "tooBig" }
  /** More frames than a socket may send: it was not parsed. */
  | { type: "excess" };

/** The first message to the provider: its wire's names. */
export interface ProviderStart {
  model: "stt-rt-v5";
  audio_format: "pcm_s16le";
  sample_rate: number;
  num_channels: 1;
  language_hints: string[];
  enable_speaker_diarization: boolean;
  enable_endpoint_detection: true;
  max_endpoint_delay_ms: number;
  client_reference_id: string;
  context?: { text: string };
}

export interface ProviderToken {
  text: string;
  isFinal: boolean;
  /** On the provider session's clock; null where the provider gives none. */
  startMs: number | null;
  endMs: number | null;
  speaker: string | null;
}

/** A provider's answer. Times are on the session's own clock, which begins with its first audio. */
export type ProviderMessage =
  | { type: "progress"; tokens: readonly ProviderToken[]; finalMs: number; totalMs: number }
  | { type: "error"; code: number; detail: string };

/** What the ledger and the account say after a flush. */
export interface UsageResult {
  /** Recorded in the segment's period over all that shares the allowance, this flush included. */
  usedMs: number;
  limitMs: number;
  level: PlanLevel;
  /** Recordings on the same allowance that are going on, this one not counted. */
  otherRecordings: number;
  /**
   * Why this recording, which began or went on after a pause, may not go on: too many on the same
   * allowance, or no stream is left for its level. Null for one that was going on.
   */
  refusal: "too_many_recordings" | "busy" | null;
  /** Null when the session has ended. */
  sessionExpiresAt: number | null;
  lectureExists: boolean;
}

/** One segment's total so far; writing it twice counts once. */
export interface UsageWrite {
  recordingId: string;
  payer: Payer;
  /** The session that the browser came with; null for a guest's. */
  sessionId: string | null;
  segment: number;
  /** First day of the period (UTC), `YYYY-MM-DD`. */
  period: string;
  startedAt: number;
  recordedMs: number;
  closed: boolean;
}

/**
 * What happens to a room. Sockets and provider sessions carry an id, so that news of one that is no
 * longer in use is ignored. `jitter` is a random number, 0 to 1, drawn by the shell.
 */
export type RoomEvent =
  | ({ type: "clientConnected" } & ConnectRequest)
  | { type: "clientMessage"; socketId: string; message: ClientMessage }
  | { type: "clientClosed"; socketId: string; code: number }
  | { type: "providerOpened"; sessionId: number }
  | { type: "providerMessage"; sessionId: number; message: ProviderMessage; jitter: number }
  | { type: "providerClosed"; sessionId: number; code: number; jitter: number }
  /** The connection could not be made, or its answer made no sense. */
  | { type: "providerFailed"; sessionId: number; detail: string; jitter: number }
  /** The payer's budget of sessions is used up: the session was not opened. */
  | { type: "providerDeferred"; sessionId: number; jitter: number }
  | { type: "usageFlushed"; flushId: number; result: UsageResult }
  /** The user is deleting the lecture. */
  | { type: "lectureDeleted"; userId: string }
  /** Sessions of the user have ended: perhaps the one under which this is recorded. */
  | { type: "sessionsEnded"; userId: string }
  | { type: "usageFailed"; flushId: number; jitter: number }
  | { type: "alarm"; jitter: number };

/** What the shell must do, in order. */
export type RoomEffect =
  | { type: "send"; socketId: string; message: RelayServerMessage }
  | { type: "closeClient"; socketId: string; code: number; reason: string }
  /** `payer` and `level`: whose budget of sessions it counts against. */
  | {
      type: "openProvider";
      sessionId: number;
      start: ProviderStart;
      payer: Payer;
      level: PlanLevel;
    }
  | { type: "sendAudio"; sessionId: number; pcm: Uint8Array }
  | { type: "sendControl"; sessionId: number; control: "keepalive" | "finalize" }
  | { type: "closeProvider"; sessionId: number }
  | { type: "writeUsage"; flushId: number; write: UsageWrite }
  /** `confirmed`: nothing may be said to anybody before it is kept. */
  | { type: "persist"; room: RoomSnapshot; confirmed: boolean }
  /** Ms since the epoch. */
  | { type: "setAlarm"; at: number }
  | { type: "log"; level: "info" | "warn"; event: string; fields: LogFields };
