import { type Clock, every } from "#client/lib/clock.ts";
import type { Socket } from "#client/lib/socket.ts";
import type { RelayTransport } from "#client/recognition/room/transport.ts";
import type { LectureSettings } from "#client/recognition/take-reader.ts";
import type { TakeLanguages } from "#client/sound/takes/take-languages.ts";
import { captureSampleRate, keepaliveMs } from "#shared/limits.ts";
import { decodeOpusChunk, encodeOpusChunk } from "#shared/opus.ts";
import {
  type AudioCodec,
  encodeAudioFrame,
  type RelayClientMessage,
  type RelayConfig,
  type RelayServerMessage,
  relayClientMessage,
  relayServerMessage,
  relayVersion,
  type SpeechTerm,
} from "#shared/relay.ts";
import type { Loss } from "./reconnect-decision.ts";

/** From opening the socket to `config_acknowledged`. */
const connectTimeoutMs = 10_000;
/**
 * Longer than the room needs: it asks its provider twice, 5 s each, before it reports a failure. While it waits for its
 * provider, or still sends it the sound before, it sends `tokens` meanwhile.
 */
const finalizeTimeoutMs = 15_000;
/** Audio was sent and nothing came back for this long: the connection counts as lost. */
const silenceMs = 10_000;
const checkEveryMs = 1_000;

export type RoomMessage = Exclude<RelayServerMessage, { type: "probe" }>;

interface Events {
  configure(): RelayClientMessage;
  message(message: RoomMessage): void;
  /** Called at most once. `wasOpen`: the WebSocket upgrade had succeeded. */
  lost(loss: Loss, wasOpen: boolean, path: string): void;
}

/**
 * One socket to a room: tracks what was sent, which answer is expected and when the room last answered.
 * Does not reconnect: see `TakeUploader`.
 */
export class RelayConnection {
  #socket: Socket | null = null;
  #isClosed = false;
  #wasOpen = false;
  #path = "";
  /** The codec of the chunks; null before `config_acknowledged`. */
  #codec: AudioCodec | null = null;
  #cursor = 0;
  /** The chunk before `cursor` was sent on this connection. */
  #isContinued = false;
  /** Since when an answer is expected, ms since the epoch; null: none is. */
  #awaitingSince: number | null = null;
  /** Since when an answer to `finalize` is expected, ms since the epoch; null: there is none. */
  #finalizingSince: number | null = null;
  #timers: (() => void)[] = [];
  error: Loss["error"] = null;

  constructor(
    private readonly clock: Clock,
    private readonly events: Events,
  ) {}

  /** The room has acknowledged `config`: audio may be sent. */
  get isConfigured(): boolean {
    return this.#codec !== null;
  }

  /** Number of the next chunk to send. */
  get cursor(): number {
    return this.#cursor;
  }

  get isFinalizing(): boolean {
    return this.#finalizingSince !== null;
  }

  open(transport: RelayTransport, path: string): void {
    if (this.#isClosed) return;
    this.#path = path;
    this.#timers = [
      every(this.clock, keepaliveMs, () => this.#sendKeepalive()),
      every(this.clock, checkEveryMs, () => {
        if (this.#isSilent()) this.#onLost(1006, "silent");
      }),
    ];
    this.#awaitingSince = this.clock.now();
    this.#socket = transport.connect(path, {
      open: () => {
        this.#wasOpen = true;
      },
      message: (data) => this.#onMessage(data),
      close: (code, reason) => this.#onLost(code, reason),
    });
    // The transport may have reported a failure during `connect`.
    if (this.#isClosed) this.#socket.close(1000, "");
  }

  /** The room expects chunk `seq` next, in `codec`. */
  begin(codec: AudioCodec, seq: number): void {
    this.#codec = codec;
    this.#cursor = seq;
    this.#isContinued = false;
    this.#awaitingSince = null;
  }

  /** Sends `config` for another take. */
  reconfigure(): void {
    this.#codec = null;
    this.#awaitingSince = this.clock.now();
    this.#send(toTextFrame(this.events.configure()));
  }

  skipTo(seq: number): void {
    if (seq <= this.#cursor) return;
    this.#cursor = seq;
    this.#isContinued = false;
  }

  sendAudio(data: Uint8Array<ArrayBuffer>): void {
    if (this.#codec === null) return;
    this.#send(toAudioFrame(this.#codec, this.#cursor, data, this.#isContinued));
    this.#cursor += 1;
    this.#isContinued = true;
    this.#awaitingSince ??= this.clock.now();
  }

  sendTerms(terms: readonly SpeechTerm[]): void {
    this.#send(toTextFrame({ type: "terms", terms: [...terms] }));
  }

  sendFinalize(): void {
    if (this.isFinalizing) return;
    this.#finalizingSince = this.clock.now();
    this.#send(toTextFrame({ type: "finalize" }));
    this.#awaitingSince ??= this.clock.now();
  }

  /** Handles `finalized`. True when a `finalize` was waiting for it. */
  onFinalized(): boolean {
    const wasFinalizing = this.isFinalizing;
    this.#finalizingSince = null;
    return wasFinalizing;
  }

  close(code: number, reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const cancel of this.#timers) cancel();
    this.#socket?.close(code, reason);
  }

  #sendKeepalive(): void {
    if (this.isConfigured) this.#send(toTextFrame({ type: "keepalive" }));
  }

  #isSilent(): boolean {
    const now = this.clock.now();
    if (this.#finalizingSince !== null && now - this.#finalizingSince >= finalizeTimeoutMs)
      return true;
    const limitMs = this.isConfigured ? silenceMs : connectTimeoutMs;
    // The device's clock may have been set back since.
    this.#awaitingSince &&= Math.min(this.#awaitingSince, now);
    return this.#awaitingSince !== null && now - this.#awaitingSince >= limitMs;
  }

  #send(frame: string | Uint8Array<ArrayBuffer>): void {
    if (!this.#isClosed) this.#socket?.send(frame);
  }

  #onMessage(data: unknown): void {
    if (this.#isClosed) return;
    if (this.isConfigured) this.#awaitingSince = null;
    const message = parseServerFrame(data);
    if (message === null) return;
    if (message.type === "probe") {
      this.#send(toTextFrame(message));
      return;
    }
    if (message.type === "tokens" && this.isFinalizing) this.#finalizingSince = this.clock.now();
    if (message.type === "ready") this.#send(toTextFrame(this.events.configure()));
    this.events.message(message);
  }

  #onLost(code: number, reason: string): void {
    if (this.#isClosed) return;
    const path = this.#path;
    this.close(1000, "");
    this.events.lost({ code, reason, error: this.error }, this.#wasOpen, path);
  }
}

/** The room's message in a frame; null if this version does not know it. */
export function parseServerFrame(data: unknown): RelayServerMessage | null {
  if (typeof data !== "string") return null;
  try {
    return relayServerMessage.parse(JSON.parse(data));
  } catch {
    return null;
  }
}

/** `message` as a text frame. @throws ZodError when the room would not accept it */
export function toTextFrame(message: RelayClientMessage): string {
  return JSON.stringify(relayClientMessage.parse(message));
}

/** What the recogniser is told to expect. */
interface Hints {
  topic: string;
  terms: readonly SpeechTerm[];
}

/** Announces the chunks of a take on a connection; see `RelayConfig`. */
export function createConfigMessage(
  { context, translateInto = null, ...settings }: LectureSettings,
  { topic, terms }: Hints,
  { language, secondLanguage }: TakeLanguages,
  position: Required<Pick<RelayConfig, "take" | "codec" | "from" | "heldMs">>,
): RelayClientMessage {
  return {
    type: "config",
    sampleRate: captureSampleRate,
    version: relayVersion,
    audio: "binary",
    answersProbes: true,
    ...settings,
    language,
    ...(secondLanguage !== null && { secondLanguage }),
    ...position,
    ...(context === "" ? {} : { context }),
    ...(translateInto !== null && { translateInto }),
    ...(topic === "" ? {} : { topic }),
    ...(terms.length === 0 ? {} : { terms: [...terms] }),
  };
}

/** `isContinued`: the room has the chunk before, so an Opus chunk needs no lead-in. */
function toAudioFrame(
  codec: AudioCodec,
  seq: number,
  data: Uint8Array<ArrayBuffer>,
  isContinued: boolean,
): Uint8Array<ArrayBuffer> {
  const opus = codec === "opus" && isContinued ? decodeOpusChunk(data) : null;
  return encodeAudioFrame(seq, opus === null ? data : encodeOpusChunk({ ...opus, leadIn: [] }));
}
