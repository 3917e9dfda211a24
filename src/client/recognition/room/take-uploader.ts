import { ApiError } from "#client/lib/call-server.ts";
import type { Clock } from "#client/lib/clock.ts";
import type { Log } from "#client/lib/log.ts";
import { RetryTimer } from "#client/lib/retry-timer.ts";
import {
  findEnd,
  getRetryDelay,
  getShortestDelay,
  type Loss,
} from "#client/recognition/room/reconnect-decision.ts";
import {
  createConfigMessage,
  RelayConnection,
  type RoomMessage,
} from "#client/recognition/room/relay-connection.ts";
import {
  isFinalRefusal,
  isRetryable,
  type RelayEnd,
  toRefusedEnd,
} from "#client/recognition/room/relay-end.ts";
import type { RelayTransport } from "#client/recognition/room/transport.ts";
import { type ConnectionState, isRoomEngine } from "#client/recognition/speech-engine.ts";
import { type HintSource, SpeechHints } from "#client/recognition/speech-hints.ts";
import type { LectureSettings, ReaderEvents } from "#client/recognition/take-reader.ts";
import { chunkMs } from "#client/sound/takes/chunk-codec.ts";
import { getRestStartMs } from "#client/sound/takes/lecture-clock.ts";
import type { Take } from "#client/sound/takes/take.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import { relaySendWindow } from "#shared/limits.ts";
import { type RelayAllowance, relayClose, type SpeechTerm } from "#shared/relay.ts";

export interface UploaderDeps {
  transport: RelayTransport;
  clock: Clock;
  log: Log;
  /** 0 inclusive to 1 exclusive. */
  random(): number;
  /**
   * Address of the room for the next connection. `takesOver`: the person records here now, so the room
   * disconnects another tab or device.
   *
   * @throws ApiError
   */
  path(takesOver: boolean): Promise<string>;
  /** The lecture's settings, for the next connection. */
  settings(): LectureSettings;
  hintSource: HintSource;
  onAllowance(message: RelayAllowance): void;
  /** The room could not use a chunk, and took silence of `ms` in its place. */
  onRefusedChunk(ms: number): void;
  /** The service does not translate in its stream as it was asked to. */
  onTranslationRefused?(language: TranslationLanguage): void;
  /** The provider has no free stream, and is tried again in about so many seconds, in steps of five; null: it has. */
  onBusy(seconds: number | null): void;
}

/**
 * Sends the takes of one lecture to its room, in order, and passes the tokens on. At most one socket is
 * open. A lost connection is retried until everything is acknowledged or the room refuses for good; it
 * resumes at the first unacknowledged chunk.
 */
export class TakeUploader {
  /** Takes that are not complete, in order. */
  #takes: Take[] = [];
  #isActive = false;
  #takesOver = false;
  #connection: RelayConnection | null = null;
  /** The take that the connection sends. */
  #take: Take | null = null;
  /** Number of the connection attempt; an address for an older attempt is ignored. */
  #attempt = 0;
  /** Its failures are lost connections since the room last acknowledged audio or sent tokens. */
  readonly #retry: RetryTimer;
  #wasLost = false;
  /** It was reported last. */
  #isBusy = false;
  readonly #hints: SpeechHints;
  /** What the connection's room was told last; null: it does not know the message. */
  #toldTerms: readonly SpeechTerm[] | null = null;
  /** What the connection's room was asked to translate into; null: nothing. `#isTranslated`: it does. */
  #translateInto: TranslationLanguage | null = null;
  #isTranslated = false;

  constructor(
    private readonly deps: UploaderDeps,
    private readonly events: ReaderEvents<RelayEnd>,
  ) {
    this.#hints = new SpeechHints(deps.clock, deps.hintSource);
    const getDelayMs = (failures: number) => getRetryDelay(failures, deps.random());
    this.#retry = new RetryTimer(deps.clock, getDelayMs, () => this.#startNextTake());
  }

  get state(): ConnectionState {
    if (!this.#isActive) return "idle";
    if (this.#takes.every((take) => take.hasEnded)) return "draining";
    if (this.#connection?.isConfigured === true) return "live";
    return this.#wasLost ? "reconnecting" : "connecting";
  }

  add(take: Take): void {
    this.#takes.push(take);
  }

  /** Connects, unless it is connected, and sends. `takesOver`: see `UploaderDeps.path`. */
  start(takesOver: boolean): void {
    // The address of a connection that is being opened says that it does not take over.
    if (takesOver && !this.#takesOver && this.#connection?.isConfigured === false)
      this.#disconnect();
    this.#takesOver ||= takesOver;
    this.#isActive = true;
    this.sendChunks();
    this.events.onProgress();
  }

  /** Sends chunks as far as the send window allows. Call it after each appended chunk. */
  sendChunks(): void {
    const connection = this.#connection;
    const take = this.#take;
    if (!this.#isActive) return;
    if (connection?.isConfigured !== true || take === null) {
      if (connection === null && !this.#retry.isRunning) this.#startNextTake();
      return;
    }
    this.#tellTerms(connection, take);
    const { translateInto = null } = this.deps.settings();
    if (!take.hasEnded && translateInto !== this.#translateInto) {
      connection.reconfigure();
      return;
    }
    connection.skipTo(take.firstUnsent);
    while (connection.cursor < take.nextSeq) {
      if (connection.cursor - take.firstUnsent >= relaySendWindow) return;
      const data = take.getChunk(connection.cursor);
      // It is being read from the storage; `onLoaded` calls this again.
      if (data === undefined) return;
      connection.sendAudio(data);
    }
    if (!take.hasEnded) return;
    if (take.isComplete && !connection.isFinalizing) this.#startNextTake();
    else connection.sendFinalize();
  }

  #tellTerms(connection: RelayConnection, take: Take): void {
    if (this.#toldTerms === null || take.hasEnded) return;
    const terms = this.#hints.getTerms(take.languages);
    if (terms === this.#toldTerms) return;
    this.#toldTerms = terms;
    connection.sendTerms(terms);
  }

  /** Runs a pending retry immediately. */
  retryNow(): void {
    this.#retry.runNow();
  }

  close(): void {
    this.#isActive = false;
    this.#takesOver = false;
    this.#attempt += 1;
    this.#retry.cancel();
    this.#disconnect();
    this.events.onProgress();
  }

  /** Continues with the first incomplete take, or closes when there is none. */
  #startNextTake(): void {
    this.#takes = this.#takes.filter((take) => !take.isComplete && isRoomEngine(take.engine));
    const [next] = this.#takes;
    if (next === undefined) {
      this.close();
      this.#retry.reset();
      this.#wasLost = false;
      this.events.onComplete();
      return;
    }
    if (next === this.#take && this.#connection !== null) return;
    this.#take = next;
    if (this.#connection === null) this.#connect();
    else this.#connection.reconfigure();
  }

  #connect(): void {
    this.#attempt += 1;
    const attempt = this.#attempt;
    const { clock, transport, path } = this.deps;
    const connection = new RelayConnection(clock, {
      configure: () => this.#createConfig(),
      message: (message) => {
        if (this.#connection === connection) this.#onMessage(connection, message);
      },
      lost: (loss, wasOpen, lostPath) => {
        if (this.#connection === connection) this.#onLost(loss, wasOpen, lostPath);
      },
    });
    this.#connection = connection;
    path(this.#takesOver).then(
      (address) => {
        if (attempt === this.#attempt) connection.open(transport, address);
      },
      (error: unknown) => {
        if (attempt !== this.#attempt) return;
        if (error instanceof ApiError && !error.retryable) this.#end(toRefusedEnd(error.code));
        else this.#onLost({ code: 1006, reason: "no address", error: null }, true, "");
      },
    );
  }

  #createConfig() {
    const take = this.#take;
    if (take === null) throw new Error("A connection is configured for a take");
    const { relayId, codec, firstUnsent, heldMs, languages } = take;
    const position = { take: relayId, codec, from: firstUnsent, heldMs };
    const settings = this.deps.settings();
    const lectureEndMs = getRestStartMs(take, settings.lectureEndMs);
    const terms = this.#hints.getTerms(languages);
    const hints = { topic: this.#hints.topic, terms };
    this.#toldTerms = terms;
    this.#translateInto = settings.translateInto ?? null;
    this.#isTranslated = false;
    return createConfigMessage({ ...settings, lectureEndMs }, hints, languages, position);
  }

  #onMessage(connection: RelayConnection, message: RoomMessage): void {
    const take = this.#take;
    switch (message.type) {
      case "ready":
        return;
      case "config_acknowledged": {
        if (take === null || message.take !== take.relayId) return;
        if (message.needsDemoChoice && take.engine !== "demo") {
          this.#end({ kind: "notRecognized", reason: "demoOnly" });
          return;
        }
        this.#reportBusy(null);
        take.place(message.offsetMs ?? 0);
        this.#takesOver = false;
        connection.begin(take.codec, take.firstUnsent);
        if (!message.acceptsTerms) this.#toldTerms = null;
        this.#isTranslated = message.translates === true;
        break;
      }
      case "tokens":
        this.#retry.reset();
        // Before the room knows the take, this is of the take before, all of whose words have come.
        if (take !== null && connection.isConfigured)
          this.events.onTokens(message, take, this.#isTranslated);
        this.#reportBusy(message.waitMs ?? null);
        return;
      case "ack":
        this.#retry.reset();
        if (take !== null && message.take === take.relayId) this.#onAcknowledged(take, message);
        break;
      case "finalized":
        if (!connection.onFinalized() || take === null) return;
        take.acknowledge(connection.cursor - 1);
        break;
      case "translation_refused":
        if (this.#translateInto !== null) this.deps.onTranslationRefused?.(this.#translateInto);
        this.#translateInto = null;
        this.#isTranslated = false;
        return;
      case "timer":
      case "allowance_low":
        this.deps.onAllowance(message);
        return;
      case "error":
        this.#onError(connection, message);
        return;
      case "disconnected":
        // Sent before the room closes this socket because another one has taken over; the close is handled.
        this.deps.log.warn("provider disconnected", { code: message.code });
        return;
      default:
        message satisfies never;
    }
    this.sendChunks();
    this.events.onProgress();
  }

  #onAcknowledged(take: Take, { seq, mayLackWords }: Extract<RoomMessage, { type: "ack" }>): void {
    const fromMs = take.firstUnsent * take.chunkMs;
    take.acknowledge(seq);
    if (mayLackWords) this.events.onUnproven?.(take, fromMs);
  }

  #onError(
    connection: RelayConnection,
    {
      code = "transcription_failed",
      message,
      seq,
      retryAfterSeconds = 0,
      ...error
    }: Extract<RoomMessage, { type: "error" }>,
  ): void {
    if (seq !== undefined && this.#take !== null) {
      this.deps.log.warn("chunk refused", { code, seq });
      if (this.#take.refuse(seq)) this.deps.onRefusedChunk(chunkMs[this.#take.codec]);
      return;
    }
    const retryable = error.retryable ?? isRetryable(code);
    this.deps.log.warn("relay error", { code, retryable });
    connection.error = { code, message, retryable, waitMs: retryAfterSeconds * 1_000 };
    if (code === "language_not_recognized")
      this.#end({ kind: "notRecognized", reason: "noLanguage" });
    else if (!retryable) this.#end({ kind: "refused", code, message });
    // The room could not finalize: reconnect and resume at the first unacknowledged chunk.
    else if (connection.isFinalizing)
      this.#onLost({ code: 1006, reason: "not finalized", error: connection.error }, true, "");
  }

  #onLost(loss: Loss, wasOpen: boolean, path: string): void {
    this.#disconnect();
    this.events.onLost?.();
    if (!this.#isActive) return;
    this.deps.log.warn("relay connection lost", {
      code: loss.code,
      failures: this.#retry.failures,
    });
    const end = findEnd(loss);
    if (end !== null) {
      this.#end(end);
      return;
    }
    this.#wasLost = true;
    const waitMs = getShortestDelay(loss);
    this.#retry.schedule((delayMs) => Math.max(delayMs, waitMs));
    if (loss.error?.code === "busy") this.#reportBusy(waitMs);
    this.events.onProgress();
    // Browsers hide why a WebSocket upgrade was refused, so the reason is fetched over HTTP.
    if (!wasOpen) void this.#fetchRefusal(path);
  }

  async #fetchRefusal(path: string): Promise<void> {
    const refusal = await this.deps.transport.fetchRefusal(path);
    if (refusal === null || !this.#isActive || this.#connection?.isConfigured === true) return;
    const { code, waitMs } = refusal;
    if (isFinalRefusal(code)) {
      this.#end(toRefusedEnd(code));
      return;
    }
    // Not all at once where many wait for one line.
    const delayMs = waitMs * (1 + this.deps.random() / 5);
    if (this.#retry.isRunning && waitMs > 0) this.#retry.postpone(delayMs);
    this.#reportBusy(code === "busy" ? delayMs : null);
  }

  /** `waitMs`: until the provider is tried again; null: it is not at its limit. */
  #reportBusy(waitMs: number | null): void {
    if (waitMs === null && !this.#isBusy) return;
    this.#isBusy = waitMs !== null;
    this.deps.onBusy(waitMs === null ? null : Math.max(5, 5 * Math.ceil(waitMs / 5_000)));
  }

  #end(end: RelayEnd): void {
    this.close();
    this.events.onEnd(end);
  }

  #disconnect(): void {
    const connection = this.#connection;
    this.#connection = null;
    this.#take = null;
    connection?.close(relayClose.normal, "");
  }
}
