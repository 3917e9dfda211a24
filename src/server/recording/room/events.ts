import type { LogFields } from "#server/ports.ts";
import type { PlanLevel } from "#server/recording/plan-limits.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import type { AudioCodec, RelayConfig, RelayServerMessage, SpeechTerm } from "#shared/relay.ts";
import type { Payer, RoomSnapshot, RoomSocket, Segment } from "./snapshot.ts";

/** A socket that asks to become the room's client. */
export interface ConnectRequest extends Omit<RoomSocket, "connectedAt"> {
  /** The user asked to record here, so the current client is replaced. */
  takesOver: boolean;
}

/** A client's frame after parsing. */
export type ClientMessage =
  | { type: "config"; config: RelayConfig }
  /** `seq` is null where the client sends none. */
  | { type: "audio"; seq: number | null; chunk: Uint8Array; binary: boolean }
  | { type: "keepalive" }
  | { type: "finalize" }
  | { type: "terms"; terms: readonly SpeechTerm[] }
  /** The client has read everything before the probe. */
  | { type: "probe"; probe: string }
  | { type: "malformed"; reason: string }
  | { type: "tooBig" }
  /** A frame beyond the rate limit; it was not parsed. */
  | { type: "excess" };

/** What a recogniser is told to expect. */
export interface SpeechHints {
  /** The lecture's folders and title; may be empty. */
  topic: string;
  /** Words and phrases that may be said. */
  terms: readonly SpeechTerm[];
}

/** What a provider translates in its stream: all speech into one language, or two by turns into each other. */
export type StreamTranslation =
  | { type: "one_way"; target: SpokenLanguage }
  | { type: "two_way"; languages: readonly [SpokenLanguage, SpokenLanguage] };

/** What a provider session is opened with. */
export interface ProviderStart extends SpeechHints {
  recordingId: string;
  /** Opus comes as Ogg, which describes itself. */
  codec: AudioCodec;
  /** Hz. */
  sampleRate: number;
  diarization: boolean;
  /** Silence that ends a sentence, ms. */
  endpointDelayMs: number;
  /** What is spoken: one, or several by turns; empty: the provider finds out. Unless it is one, tokens say theirs. */
  languages: readonly SpokenLanguage[];
  /** What the lecture is about, in a person's words; may be empty. */
  context: string;
  /** Null: nothing is translated. */
  translation: StreamTranslation | null;
}

export interface ProviderToken {
  text: string;
  isFinal: boolean;
  /** On the provider session's clock; null where the provider gives none. */
  startMs: number | null;
  endMs: number | null;
  speaker: string | null;
  /** Only where the provider says it, and it is one that is known. */
  language?: SpokenLanguage;
  /** Only where the provider translates: the word has a translation, or it belongs to one. */
  translation?: "original" | "translation";
  /** Of a translation: the language of what was said. */
  sourceLanguage?: SpokenLanguage;
}

export interface ProviderError {
  type: "error";
  /** As a status of HTTP. */
  code: number;
  /** The provider's name for the error, and its id of the session; null where it gives none. */
  errorType: string | null;
  requestId: string | null;
  /** Of a 429: requests a minute, or sessions at the same time; null where the provider does not say. */
  limit: "requests" | "sessions" | null;
  detail: string;
}

/**
 * What a session has recognised. Times are on the session's clock, which starts with its first audio. `finalMs`,
 * `processedMs`: up to here words are final, and audio is processed, as far as this message proves it; 0: it does not.
 */
export interface SessionProgress {
  type: "progress";
  tokens: readonly ProviderToken[];
  finalMs: number;
  processedMs: number;
  /** At the end of a session that counts what it has heard; it has no words of the sound after that. */
  heardMs?: number;
}

export type ProviderMessage =
  | SessionProgress
  /** The session goes on with the terms that it had, or without any. */
  | { type: "termsRefused"; detail: string }
  | ProviderError;

/** State of the ledger and the account after a flush. */
export interface UsageResult {
  /** Recorded in the segment's period by everything on the same allowance, including this flush. */
  usedMs: number;
  limitMs: number;
  level: PlanLevel;
  /** Other active recordings on the same allowance. */
  otherRecordings: number;
  /** The total of the segment's payer has increased. */
  hasGrown: boolean;
  /**
   * Why this recording, which has started or resumed, must stop: too many on the same allowance, or no
   * free stream for its plan level. Null for a recording that was already active.
   */
  refusal: "too_many_recordings" | "busy" | null;
  /** Ms since the epoch; null when the sign-in session has ended. */
  signInExpiresAt: number | null;
  lectureExists: boolean;
}

/** A segment's total so far; repeated writes are idempotent. */
export interface UsageWrite extends Omit<Segment, "number" | "flushed"> {
  recordingId: string;
  /** As in the grant. */
  againLectureId?: string | null;
  /** Of the client; null for a guest, and where the room does not know it. */
  signInSessionId: string | null;
  segment: number;
}

/**
 * `canChangeTerms`: the session carries out the effect `changeTerms`. `answersSilence` false: it sends nothing while
 * nobody speaks.
 */
export interface ProviderAbilities {
  canChangeTerms?: boolean;
  answersSilence?: boolean;
}

/**
 * Input of the reducer. Sockets and provider sessions carry an id, so that events of an old one are
 * ignored.
 */
export type RoomEvent =
  | ({ type: "clientConnected" } & ConnectRequest)
  | { type: "clientMessage"; socketId: string; message: ClientMessage }
  | { type: "clientClosed"; socketId: string; code: number }
  | ({ type: "providerOpened"; sessionId: number } & ProviderAbilities)
  | { type: "providerMessage"; sessionId: number; message: ProviderMessage }
  | { type: "providerClosed"; sessionId: number; code: number }
  /** The connection failed, or the answer was invalid. */
  | { type: "providerFailed"; sessionId: number; detail: string }
  /**
   * The session was not opened: the payer's session budget is used up, or the site may open one for this room in
   * `waitMs` only.
   */
  | { type: "providerDeferred"; sessionId: number; waitMs: number | null }
  | { type: "usageFlushed"; flushId: number; result: UsageResult }
  /** The user is deleting the lecture. */
  | { type: "lectureDeleted"; userId: string }
  /** Sign-in sessions of the user have ended, perhaps the one of this recording. */
  | { type: "sessionsEnded"; userId: string }
  | { type: "usageFailed"; flushId: number }
  /** The id of the lecture's share was stored beside the snapshot. */
  | { type: "shareStored" }
  | { type: "alarm" };

/** Side effects for the Durable Object, in order. */
export type RoomEffect =
  | { type: "send"; socketId: string; message: RelayServerMessage }
  | { type: "closeClient"; socketId: string; code: number; reason: string }
  /** `payer` and `level` choose the session budget; `isCounted`: it has counted this opening before. */
  | {
      type: "openProvider";
      sessionId: number;
      start: ProviderStart;
      payer: Payer;
      level: PlanLevel;
      isCounted: boolean;
    }
  | { type: "sendAudio"; sessionId: number; data: Uint8Array }
  /** Acknowledged audio that nothing refers to any more. */
  | { type: "releaseAudio"; data: readonly Uint8Array[] }
  | { type: "sendControl"; sessionId: number; control: "keepalive" | "finalize" }
  | { type: "changeTerms"; sessionId: number; terms: readonly SpeechTerm[] }
  | { type: "closeProvider"; sessionId: number }
  | { type: "writeUsage"; flushId: number; write: UsageWrite }
  /** The user's open pages read the recorded time again. */
  | { type: "notifyUser"; userId: string }
  /** `confirmed`: later messages wait until the write is durable. */
  | { type: "persist"; room: RoomSnapshot; confirmed: boolean }
  /** Delete everything stored. */
  | { type: "deleteStorage" }
  /** Ms since the epoch. */
  | { type: "setAlarm"; at: number }
  | { type: "log"; level: "info" | "warn"; event: string; fields: LogFields };
