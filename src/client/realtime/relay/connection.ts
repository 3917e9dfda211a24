import type {
  AudioEncoding,
  RelayClientMessage,
  RelayServerMessage,
} from "../../../shared/relay.ts";
import type { Clock, RelayTransport, Socket } from "../ports.ts";
import type { Loss } from "./reconnect-policy.ts";
import { audioFrame, parseServerFrame, textFrame } from "./wire.ts";

/** From the address to the room's answer to `config`. */
const connectTimeoutMs = 10_000;

/** The room asks its recogniser twice, 5 s each, before it gives up and says so. */
const finalizeTimeoutMs = 15_000;

interface Events {
  /** The room is ready: what to configure it with. */
  opened(): RelayClientMessage;
  message(message: RelayServerMessage): void;
  /** Called once at most. `wasOpen`: the upgrade had succeeded. */
  lost(loss: Loss, wasOpen: boolean, path: string): void;
}

/** One socket's life: what was sent on it, what is expected back, and when it was last heard of. */
export class RelayConnection {
  readonly #clock: Clock;
  readonly #events: Events;
  #socket: Socket | null = null;
  #closed = false;
  #wasOpen = false;
  #path = "";
  #encoding: AudioEncoding | null = null;
  #cursor = 0;
  /** Since when an answer is due, ms; null: nothing is. */
  #dueSince: number | null = null;
  /** Cursor at each `finalize` that has no answer yet. */
  #finalizing: number[] = [];
  #finalizedTo = -1;
  #finalizeSentAt = 0;
  #cancelTimeout: () => void = () => {};
  /** The room's last error. */
  error: Loss["error"] = null;

  constructor(clock: Clock, events: Events) {
    this.#clock = clock;
    this.#events = events;
  }

  /** The room has answered `config`: sound may be sent. */
  get acknowledged(): boolean {
    return this.#encoding !== null;
  }

  /** Number of the next chunk to send. */
  get cursor(): number {
    return this.#cursor;
  }

  /** A `finalize` has no answer yet. */
  get finalizing(): boolean {
    return this.#finalizing.length > 0;
  }

  open(transport: RelayTransport, path: string): void {
    if (this.#closed) return;
    this.#path = path;
    this.#cancelTimeout = this.#clock.after(connectTimeoutMs, () => this.#lose(1006, "timeout"));
    this.#socket = transport.connect(path, {
      open: () => {
        this.#wasOpen = true;
      },
      message: (data) => this.#message(data),
      close: (code, reason) => this.#lose(code, reason),
    });
    // A transport that failed at once has already reported it.
    if (this.#closed) this.#socket.close(1000, "");
  }

  /** Sound goes out as `encoding`, beginning with chunk `seq`. */
  begin(encoding: AudioEncoding, seq: number): void {
    this.#cancelTimeout();
    this.#encoding = encoding;
    this.#cursor = seq;
  }

  /** A `finalize` was answered, and nothing was sent since. */
  get complete(): boolean {
    return this.#finalizing.length === 0 && this.#finalizedTo === this.#cursor;
  }

  /** Chunks below `seq` need not be sent. */
  skipTo(seq: number): void {
    this.#cursor = Math.max(this.#cursor, seq);
  }

  sendAudio(pcm: Uint8Array<ArrayBuffer>): void {
    if (this.#encoding === null) return;
    this.#send(audioFrame(this.#encoding, this.#cursor, pcm));
    this.#cursor += 1;
    this.#dueSince ??= this.#clock.now();
  }

  /** Asks for the final words of all that was sent; once for the same sound. */
  sendFinalize(): void {
    const asked = this.#finalizing.at(-1) ?? this.#finalizedTo;
    if (asked === this.#cursor) return;
    this.#finalizing.push(this.#cursor);
    this.#finalizeSentAt = this.#clock.now();
    this.#send(textFrame({ type: "finalize" }));
    this.#dueSince ??= this.#clock.now();
  }

  /**
   * A `finalize` is answered, and chunks below `acknowledged` are. Returns the cursor up to which
   * that holds, or null when none was sent. A room may answer several with one message.
   */
  finalized(acknowledged: number): number | null {
    const oldest = this.#finalizing.shift();
    if (oldest === undefined) return null;
    this.#finalizedTo = oldest;
    for (let next = this.#finalizing[0]; next !== undefined; next = this.#finalizing[0]) {
      if (next > acknowledged) break;
      this.#finalizedTo = next;
      this.#finalizing.shift();
    }
    return this.#finalizedTo;
  }

  sendKeepalive(): void {
    if (this.acknowledged) this.#send(textFrame({ type: "keepalive" }));
  }

  /** True when no answer of any kind came for `ms`, or none to a `finalize` for too long. */
  silentFor(ms: number): boolean {
    const now = this.#clock.now();
    if (this.finalizing && now - this.#finalizeSentAt >= finalizeTimeoutMs) return true;
    return this.#dueSince !== null && now - this.#dueSince >= ms;
  }

  /** Closes; nothing is reported any more. */
  close(code: number, reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancelTimeout();
    this.#socket?.close(code, reason);
  }

  #send(frame: string | Uint8Array<ArrayBuffer>): void {
    if (!this.#closed) this.#socket?.send(frame);
  }

  #message(data: unknown): void {
    if (this.#closed) return;
    this.#dueSince = null;
    const message = parseServerFrame(data);
    if (message === null) return;
    if (message.type === "ready") this.#send(textFrame(this.#events.opened()));
    this.#events.message(message);
  }

  #lose(code: number, reason: string): void {
    if (this.#closed) return;
    const path = this.#path;
    const error = this.error;
    this.close(1000, "");
    this.#events.lost({ code, reason, error }, this.#wasOpen, path);
  }
}
