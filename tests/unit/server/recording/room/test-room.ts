import type {
  ClientMessage,
  ProviderError,
  ProviderToken,
  RoomEffect,
  RoomEvent,
  UsageResult,
} from "#server/recording/room/events.ts";
import { providerPace } from "#server/recording/room/provider-pace.ts";
import { step } from "#server/recording/room/reducer.ts";
import type { RoomGrant, RoomSnapshot } from "#server/recording/room/snapshot.ts";
import { createRoomState, type RoomState } from "#server/recording/room/state.ts";
import { chunkSamples } from "#shared/limits.ts";
import type { RelayConfig, RelayServerMessage, RelayToken } from "#shared/relay.ts";

export const recordingId = "0190a000-0000-7000-8000-000000000001";
export const start = Date.UTC(2026, 10, 20, 12);
export const hour = 3_600_000;
/** The take of a test that needs one. */
export const takeId = "0190a000-0000-7000-8000-000000000002";

/** A user's grant with the fields of `over`; a guest's grant if `over` is null. */
export function createGrant(
  over: Partial<RoomGrant & { signInSessionId: string }> | null = {},
  guest: Partial<RoomGrant> = {},
): RoomGrant {
  const base = { recordingId, usedMs: 0, expiresAt: start + 24 * hour };
  if (over === null)
    return {
      ...base,
      user: null,
      address: "somewhere",
      level: "guest",
      limitMs: hour / 2,
      ...guest,
    };
  const { signInSessionId = "session", ...rest } = over;
  const user = { id: "user", signInSessionId };
  return { ...base, user, address: null, level: "free", limitMs: hour, ...rest };
}

export const createProviderError = (code: number): ProviderError => ({
  type: "error",
  code,
  errorType: null,
  requestId: null,
  limit: null,
  detail: "simulated failure",
});

export const silence = new Uint8Array(chunkSamples * 2);

type EffectOf<T extends RoomEffect["type"]> = Extract<RoomEffect, { type: T }>;
type SentOf<T extends RelayServerMessage["type"]> = Extract<RelayServerMessage, { type: T }>;

/** A room whose clock the test controls. It records all effects. */
export class TestRoom {
  now = start;
  state: RoomState;
  effects: RoomEffect[] = [];
  saved: RoomSnapshot | null = null;
  /** Of the sessions that open. */
  answersSilence = true;
  /** Charged audio of each segment, ms. */
  readonly #segments = new Map<number, number>();
  /** Opens the next session and answers its first flush immediately. */
  #opensImmediately = false;

  /** `pace`: of the room's provider, in times real time. */
  constructor(readonly pace = providerPace) {
    this.state = createRoomState(null, [], this.now, undefined, { pace });
  }

  step(event: RoomEvent, random = 1): RoomEffect[] {
    const { state, effects } = step(this.state, event, this.now, random);
    this.state = state;
    this.effects.push(...effects);
    this.#noteSegments();
    for (const effect of effects) {
      if (effect.type === "persist") this.saved = effect.room;
      if (effect.type === "deleteStorage") this.saved = null;
    }
    if (this.#opensImmediately && effects.some(({ type }) => type === "openProvider")) {
      this.#opensImmediately = false;
      this.usageFlushed();
      this.providerOpened();
    }
    return effects;
  }

  /** All audio that was charged, ms. */
  get chargedMs(): number {
    return [...this.#segments.values()].reduce((sum, ms) => sum + ms, 0);
  }

  /** Evicts the room from memory; `survivor` is the hibernated socket, if there is one. */
  evict(survivor: { socketId: string; grant: RoomGrant } | null = null): void {
    const saved = structuredClone(this.saved);
    const connectedAt = this.state.client?.connectedAt ?? this.now;
    const tab = this.state.client?.tab ?? null;
    this.state = createRoomState(
      saved,
      survivor ? [{ ...survivor, tab, connectedAt }] : [],
      this.now,
      undefined,
      { pace: this.pace },
    );
    this.#noteSegments();
  }

  #noteSegments(): void {
    for (const one of this.state.usage.segments) this.#segments.set(one.number, one.recordedMs);
  }

  /** Connects a client; without `from` it sends no tab id. */
  connect(
    socketId = "a",
    granted = createGrant(),
    from: { tab: string | null; takesOver: boolean } = { tab: null, takesOver: true },
  ): void {
    this.step({ type: "clientConnected", socketId, grant: granted, ...from });
  }

  browser(message: ClientMessage, socketId = "a"): RoomEffect[] {
    return this.step({ type: "clientMessage", socketId, message });
  }

  config(config: Partial<RelayConfig> = {}, socketId = "a"): RoomEffect[] {
    const whole: RelayConfig = {
      type: "config",
      sampleRate: 16_000,
      language: "en",
      version: 2,
      take: takeId,
      audio: "binary",
      ...config,
    };
    return this.browser({ type: "config", config: whole }, socketId);
  }

  audio(seq: number | null, socketId = "a", chunk: Uint8Array = silence): RoomEffect[] {
    return this.browser({ type: "audio", seq, chunk, binary: seq !== null }, socketId);
  }

  /** Chunks `from` to `to`, both included, one each 256 ms. */
  speak(from: number, to: number, socketId = "a"): this {
    for (let seq = from; seq <= to; seq += 1) {
      this.now += 256;
      this.audio(seq, socketId);
    }
    return this;
  }

  finalize(socketId = "a"): void {
    this.browser({ type: "finalize" }, socketId);
  }

  /** The client's socket has closed; 1006: the connection was lost. */
  leave(code: number, socketId = "a"): void {
    this.step({ type: "clientClosed", socketId, code });
  }

  /** Connects a browser on another socket. */
  reconnect(config: Partial<RelayConfig>, socketId = "b", granted = createGrant()): void {
    this.connect(socketId, granted);
    this.config(config, socketId);
  }

  /** Connects and configures a browser; a provider session opens with its first audio. */
  ready(config: Partial<RelayConfig> = { from: 0 }, granted = createGrant()): this {
    this.connect("a", granted);
    this.config(config);
    this.#opensImmediately = true;
    return this;
  }

  /** Connects and configures a browser, whose first chunk asks for a session. */
  opening(granted = createGrant()): this {
    this.reconnect({ from: 0 }, "a", granted);
    this.audio(0);
    return this;
  }

  get session(): number {
    return this.state.lastSessionId;
  }

  /** The session fails, and another one is open after `ms`. */
  replaceSession(ms: number): void {
    this.providerFailed(503);
    this.pass(ms);
    this.providerOpened();
  }

  providerOpened(): RoomEffect[] {
    const { answersSilence, session: sessionId } = this;
    return this.step({ type: "providerOpened", sessionId, answersSilence });
  }

  transcribe(
    tokens: readonly ProviderToken[],
    finalMs: number,
    processedMs = finalMs,
    sessionId = this.session,
  ): RoomEffect[] {
    const message = { type: "progress", tokens, finalMs, processedMs } as const;
    return this.step({ type: "providerMessage", sessionId, message });
  }

  /** The provider answers a finalize of the audio up to `atMs`. */
  answerFinalize(atMs: number, words: readonly ProviderToken[] = [], processedMs = atMs): void {
    this.transcribe([...words, createMark("<fin>", atMs)], atMs, processedMs);
  }

  /** A session that was asked to end has heard `heardMs` of sound; its close follows. */
  answerEnd(heardMs: number, words: readonly ProviderToken[] = []): void {
    const { session: sessionId } = this;
    const tokens = [...words, createMark("<fin>", heardMs)];
    const until = { finalMs: heardMs, processedMs: heardMs, heardMs };
    this.step({
      type: "providerMessage",
      sessionId,
      message: { type: "progress", tokens, ...until },
    });
    this.step({ type: "providerClosed", sessionId, code: 1000 });
  }

  providerFailed(code: number, fields: Partial<ProviderError> = {}): RoomEffect[] {
    const { session: sessionId } = this;
    const message = { ...createProviderError(code), ...fields };
    return this.step({ type: "providerMessage", sessionId, message });
  }

  usageFlushed(result: Partial<UsageResult> = {}): RoomEffect[] {
    const { inFlight } = this.state.usage;
    if (!inFlight) return [];
    return this.step({
      type: "usageFlushed",
      flushId: inFlight.id,
      result: {
        usedMs: inFlight.recordedMs,
        limitMs: this.state.usage.limitMs,
        level: this.state.level,
        otherRecordings: 0,
        hasGrown: true,
        refusal: null,
        signInExpiresAt: start + 24 * hour,
        lectureExists: true,
        ...result,
      },
    });
  }

  usageFailed(flushId = this.state.usage.inFlight?.id): RoomEffect[] {
    return flushId === undefined ? [] : this.step({ type: "usageFailed", flushId });
  }

  /** Lets `ms` pass and runs the alarms that are due. */
  pass(ms: number): void {
    const until = this.now + ms;
    for (;;) {
      const at = this.state.alarmAt;
      if (at === null || at > until) break;
      this.now = Math.max(this.now, at);
      this.step({ type: "alarm" });
    }
    this.now = until;
  }

  /** The errors that were sent and the codes of closed sockets, in order: `conflict retryable 1012`. */
  get refusals(): string {
    const parts = this.effects.flatMap<string | number>((effect) => {
      if (effect.type === "closeClient") return [effect.code];
      if (effect.type !== "send" || effect.message.type !== "error") return [];
      const { code, retryable } = effect.message;
      return retryable ? [String(code), "retryable"] : [String(code)];
    });
    return parts.join(" ");
  }

  /** The tokens of the latest message. */
  get tokens(): RelayToken[] {
    return this.listSent("tokens").at(-1)?.tokens ?? [];
  }

  /** What was written to the ledger: segment, ms, whether it is closed. */
  get writes(): [number, number, boolean][] {
    const list = this.listEffects("writeUsage");
    return list.map(({ write }) => [write.segment, write.recordedMs, write.closed]);
  }

  /** Types of the messages that were sent. */
  get sentTypes(): string[] {
    return this.listEffects("send").map(({ message }) => message.type);
  }

  /** The effects since the last call. */
  take(): RoomEffect[] {
    const { effects } = this;
    this.effects = [];
    return effects;
  }

  listEffects<T extends RoomEffect["type"]>(type: T): EffectOf<T>[] {
    return this.effects.filter((effect): effect is EffectOf<T> => effect.type === type);
  }

  listSent<T extends RelayServerMessage["type"]>(type: T): SentOf<T>[] {
    return this.listEffects("send")
      .map((effect) => effect.message)
      .filter((message): message is SentOf<T> => message.type === type);
  }
}

/** A word of a session, from `startMs` to `endMs` on its clock. */
export function createWord(
  text: string,
  startMs: number,
  endMs: number,
  more: Partial<ProviderToken> = {},
): ProviderToken {
  return { text: ` ${text}`, isFinal: true, startMs, endMs, speaker: null, ...more };
}

export function createMark(text: "<end>" | "<fin>", atMs: number): ProviderToken {
  return { text, isFinal: true, startMs: atMs, endMs: atMs, speaker: null };
}
