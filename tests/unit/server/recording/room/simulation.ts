import type { RoomEffect, RoomEvent } from "#server/recording/room/events.ts";
import { relaySendWindow } from "#shared/limits.ts";
import type { AudioCodec, RelayConfig, RelayServerMessage } from "#shared/relay.ts";
import { type CodecSounds, codecSounds } from "./codec-sounds.ts";
import { ProviderModel } from "./provider-model.ts";
import { createGrant, createProviderError, hour, TestRoom } from "./test-room.ts";

/** A short one, and the browser's for a server that is silent until it is full. */
const getSendWindow = (answersSilence: boolean) => (answersSilence ? 40 : relaySendWindow);

type Down = { socketId: string; message: RelayServerMessage } | { socketId: string; close: number };
type Up = { socketId: string; event: Extract<RoomEvent, { type: "clientMessage" }> };

const createTakeId = (first: number) =>
  `00000000-0000-4000-8000-${String(first).padStart(12, "0")}`;

/**
 * Simulates a browser, a room, a provider and a ledger. The network between them delivers messages in
 * order, late or never. The browser follows the relay's protocol and does nothing else.
 */
export class Simulation extends TestRoom {
  ledger = new Map<number, number>();
  providers = new Map<number, ProviderModel>();
  violations: string[] = [];

  readonly #sounds: CodecSounds;
  /** First chunks of all takes. */
  readonly #takeBegins = new Set([0]);
  /** The next chunk is the first after a `config`. */
  #sendsLeadIn = false;
  captured = 0;
  /** First chunk of the take that is being captured. */
  takeFrom = 0;
  /** Audio that the room received again, ms. */
  resentMs = 0;
  spoolFrom = 0;
  cursor = 0;
  words: number[] = [];
  finalMs = 0;
  socketId: string | null = null;
  configured = false;
  finalized = false;
  #sockets = 0;
  /** Sessions end without having heard all of their sound. */
  isDeaf = false;
  #openedAt: number[] = [];
  readonly #released = new Set<Uint8Array>();
  #up: Up[] = [];
  #down: Down[] = [];

  constructor(codec: AudioCodec = "pcm_s16le", answersSilence = true) {
    super();
    this.answersSilence = answersSilence;
    this.#sounds = codecSounds[codec];
  }

  get chunkMs(): number {
    return this.#sounds.chunkMs;
  }

  /** Number of open provider sessions; more than one is a fault. */
  get openSessions(): number {
    return [...this.providers.values()].filter((one) => one.open).length;
  }

  /** Highest number of sessions that were opened within one minute. */
  get sessionsInAMinute(): number {
    const after = (from: number) => this.#openedAt.filter((at) => at >= from && at < from + 60_000);
    return Math.max(0, ...this.#openedAt.map((from) => after(from).length));
  }

  get recordedMs(): number {
    return [...this.ledger.values()].reduce((sum, ms) => sum + ms, 0);
  }

  override step(event: RoomEvent): RoomEffect[] {
    const effects = super.step(event, 0.5);
    for (const effect of effects) this.#run(effect);
    if (this.openSessions > 1) this.violations.push("two provider sessions at once");
    return this.take();
  }

  #run(effect: RoomEffect): void {
    switch (effect.type) {
      case "send":
        this.#down.push({ socketId: effect.socketId, message: effect.message });
        return;
      case "closeClient":
        this.#down.push({ socketId: effect.socketId, close: effect.code });
        return;
      case "openProvider":
        this.providers.set(
          effect.sessionId,
          new ProviderModel(this.#sounds, this.#takeBegins, this.answersSilence),
        );
        this.#openedAt.push(this.now);
        return;
      case "sendAudio": {
        if (this.#released.has(effect.data)) this.violations.push("released audio was sent");
        const fault = this.providers.get(effect.sessionId)?.receive(effect.data, this.now);
        if (fault) this.violations.push(fault);
        return;
      }
      case "releaseAudio":
        for (const data of effect.data) this.#released.add(data);
        return;
      case "sendControl":
        if (effect.control === "finalize") this.providers.get(effect.sessionId)?.finalize();
        return;
      case "closeProvider":
        this.providers.get(effect.sessionId)?.close();
        return;
      case "writeUsage": {
        const { segment, recordedMs } = effect.write;
        const before = this.ledger.get(segment) ?? 0;
        this.ledger.set(segment, Math.max(before, recordedMs));
        return;
      }
      case "changeTerms":
      case "persist":
      case "deleteStorage":
      case "notifyUser":
      case "setAlarm":
      case "log":
        return;
      default:
        effect satisfies never;
    }
  }

  override connect(): void {
    if (this.socketId !== null) this.drop();
    this.#sockets += 1;
    this.socketId = `socket ${this.#sockets}`;
    this.configured = false;
    this.finalized = false;
    super.connect(this.socketId);
    this.#configure();
  }

  #configure(): void {
    const { spoolFrom, finalMs, takeFrom } = this;
    const config: RelayConfig = {
      type: "config",
      sampleRate: 16_000,
      language: "en",
      version: 2,
      take: createTakeId(takeFrom),
      codec: this.#sounds.codec,
      audio: "binary",
      from: spoolFrom - takeFrom,
      heldMs: Math.max(0, finalMs - takeFrom * this.chunkMs),
      lectureEndMs: finalMs,
    };
    this.configured = false;
    this.#send({ type: "config", config });
  }

  /** The microphone stops and starts, which begins a new take, on the same socket if it is still open. */
  #beginTake(): void {
    this.takeFrom = this.captured;
    this.#takeBegins.add(this.takeFrom);
    if (this.socketId !== null) this.#configure();
  }

  /** Closes the connection with `code`. Messages that were not delivered yet are lost. */
  drop(tellRoom = true, code = 1006): void {
    const { socketId } = this;
    this.socketId = null;
    this.configured = false;
    this.#up = this.#up.filter((one) => one.socketId !== socketId);
    this.#down = this.#down.filter((one) => one.socketId !== socketId);
    if (socketId && tellRoom) this.step({ type: "clientClosed", socketId, code });
  }

  capture(count = 1): void {
    for (let at = 0; at < count; at += 1) {
      this.now += this.chunkMs;
      this.captured += 1;
      this.#pump();
    }
  }

  #pump(): void {
    if (!this.configured) return;
    const window = getSendWindow(this.answersSilence);
    while (this.cursor < this.captured && this.cursor - this.spoolFrom < window) {
      const seq = this.cursor;
      this.cursor += 1;
      const number = seq - this.takeFrom;
      const chunk = this.#sounds.create(seq, this.#sendsLeadIn && number > 0);
      this.#sendsLeadIn = false;
      this.#send({ type: "audio", seq: number, chunk, binary: true });
    }
  }

  /** Other terms may be said from now on; `count` of them. */
  changeTerms(count: number): void {
    if (!this.configured) return;
    const terms = Array.from({ length: count }, (_, n) => ({ term: `term ${n} of ${count}` }));
    this.#send({ type: "terms", terms });
  }

  /** Stops, if this moment is between two words. */
  stop(): void {
    if (ProviderModel.isSilentAt(this.captured * this.chunkMs)) this.#finalize();
  }

  /** Stops; after the last words have arrived, the next take begins on a new connection, or on the same one. */
  pause({ onSameSocket }: { onSameSocket: boolean }): void {
    this.finalized = false;
    this.stop();
    this.up(100);
    this.provider(0);
    this.provider(0);
    this.down(1_000);
    if (!this.finalized || this.spoolFrom !== this.captured) return;
    if (!onSameSocket) this.drop(true, 1_000);
    this.#beginTake();
  }

  #finalize(): void {
    if (this.configured && this.cursor === this.captured) this.#send({ type: "finalize" });
  }

  #send(message: Extract<RoomEvent, { type: "clientMessage" }>["message"]): void {
    const { socketId } = this;
    if (socketId === null) return;
    this.#up.push({ socketId, event: { type: "clientMessage", socketId, message } });
  }

  /** Delivers up to `count` of the browser's messages to the room. */
  up(count: number): void {
    for (const { event } of this.#up.splice(0, count)) {
      const { message } = event;
      const seq = message.type === "audio" ? message.seq : null;
      if (seq !== null && seq + this.takeFrom <= this.state.highSeq) this.resentMs += this.chunkMs;
      this.step(event);
    }
  }

  /** Delivers up to `count` of the room's messages to the browser. */
  down(count: number): void {
    for (const one of this.#down.splice(0, count)) {
      if (one.socketId !== this.socketId) continue;
      if ("close" in one) this.drop(false);
      else this.#receive(one.message);
    }
  }

  #receive(message: RelayServerMessage): void {
    switch (message.type) {
      case "config_acknowledged":
        if (message.take !== createTakeId(this.takeFrom)) return;
        if (message.nextSeq !== this.spoolFrom - this.takeFrom)
          this.violations.push("the room continues at another chunk");
        if (message.offsetMs !== this.takeFrom * this.chunkMs)
          this.violations.push("the room placed the take at another time");
        this.configured = true;
        this.#sendsLeadIn = true;
        this.cursor = this.spoolFrom;
        this.#pump();
        return;
      case "tokens":
        for (const token of message.tokens) {
          if (!token.is_final) continue;
          this.words.push(Number(token.text));
          this.finalMs = Math.max(this.finalMs, token.end_ms ?? 0);
        }
        return;
      case "ack":
        this.#onAcknowledged(message.seq + this.takeFrom);
        return;
      case "finalized":
        this.finalized = true;
        return;
      case "error":
        if (message.retryable !== true) this.violations.push(`${message.code}: ${message.message}`);
        return;
      case "ready":
      case "translation_refused":
      case "timer":
      case "allowance_low":
      case "probe":
      case "disconnected":
        return;
      default:
        message satisfies never;
    }
  }

  #onAcknowledged(seq: number): void {
    const last = this.words.at(-1) ?? -1;
    const missing = ProviderModel.listWords(0, (seq + 1) * this.chunkMs).find(
      (word) => word > last,
    );
    if (missing !== undefined)
      this.violations.push(`chunk ${seq} acknowledged before word ${missing}`);
    this.spoolFrom = Math.max(this.spoolFrom, seq + 1);
    this.#pump();
  }

  /** Opens the newest session, or answers its audio except for the last `lagMs`. */
  provider(lagMs: number): void {
    const sessionId = this.state.lastSessionId;
    const model = this.providers.get(sessionId);
    if (!model?.open) return;
    if (!model.ready) {
      model.readySince = this.now;
      const { answersSilence } = this;
      this.step({ type: "providerOpened", sessionId, answersSilence });
      return;
    }
    const message = model.answer(lagMs, this.isDeaf);
    if (!message) return;
    // Only the end of such a stream answers a finalize.
    const isEnd =
      !this.answersSilence &&
      message.type === "progress" &&
      message.tokens.some(({ text }) => text === "<fin>");
    if (isEnd) model.close();
    this.step({ type: "providerMessage", sessionId, message });
    if (isEnd) this.step({ type: "providerClosed", sessionId, code: 1000 });
  }

  /** Sends messages of a session that is no longer in use. */
  answerFromOldSession(): void {
    const sessionId = this.state.lastSessionId - 1;
    const message = this.providers.get(sessionId)?.answer(0);
    if (message) this.step({ type: "providerMessage", sessionId, message });
    this.step({ type: "providerClosed", sessionId, code: 1000 });
  }

  failProvider(code: number): void {
    const sessionId = this.state.lastSessionId;
    const model = this.providers.get(sessionId);
    if (!model?.open) return;
    model.close();
    const detail = "simulated failure";
    if (code >= 1000) this.step({ type: "providerClosed", sessionId, code });
    else if (!model.ready) this.step({ type: "providerFailed", sessionId, detail });
    else {
      const message = createProviderError(code);
      this.step({ type: "providerMessage", sessionId, message });
    }
  }

  answerFlush(ok: boolean): void {
    if (ok) this.usageFlushed({ usedMs: this.recordedMs, limitMs: hour, level: "free" });
    else this.usageFailed();
  }

  /** Evicts the room from memory. With `hibernated` the browser's socket stays open. */
  loseMemory(hibernated: boolean): void {
    for (const model of this.providers.values()) model.close();
    const { client, lastSessionId } = this.state;
    const { socketId } = this;
    const stays = hibernated && socketId !== null && socketId === client?.socketId;
    this.evict(stays ? { socketId, grant: createGrant() } : null);
    // The simulation has one list of sessions for all restarts of the room.
    this.state = { ...this.state, lastSessionId };
    if (!stays) this.drop(false);
  }

  alarm(afterMs: number): void {
    this.now += afterMs;
    this.step({ type: "alarm" });
  }

  /** Finishes without further failures: the browser connects, sends the rest, finalizes and leaves. */
  finish(): void {
    this.isDeaf = false;
    for (let round = 0; round < 400; round += 1) {
      if (this.socketId === null) this.connect();
      this.up(100);
      this.provider(0);
      this.provider(0);
      this.answerFlush(true);
      this.down(1_000);
      // The room may have closed the socket in the meantime.
      if (this.socketId !== null && this.finalized && this.spoolFrom === this.captured) break;
      if (this.configured && this.cursor === this.captured && this.state.finalize === null) {
        this.finalized = false;
        this.#finalize();
      }
      const { provider } = this.state;
      this.alarm(provider.kind === "waiting" ? Math.max(300, provider.until - this.now) : 300);
    }
    if (this.socketId === null || this.spoolFrom !== this.captured)
      this.violations.push("not finished");
    else this.step({ type: "clientClosed", socketId: this.socketId, code: 1000 });
    for (let round = 0; round < 10; round += 1) {
      this.answerFlush(true);
      this.alarm(1_000);
    }
  }
}
