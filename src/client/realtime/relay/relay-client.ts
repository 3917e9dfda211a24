import type { ErrorCode } from "../../../shared/errors.ts";
import { relaySendWindow } from "../../../shared/limits.ts";
import {
  type AudioEncoding,
  type RelayAllowance,
  type RelayServerMessage,
  type RelayTokens,
  relayClose,
} from "../../../shared/relay.ts";
import type { ConnectionState } from "../contract.ts";
import type { Clock, Log, RelayTransport } from "../ports.ts";
import { ApiError } from "../session-api.ts";
import type { Spool } from "../spool/spool.ts";
import { Comeback } from "./comeback.ts";
import { RelayConnection } from "./connection.ts";
import { Numbering } from "./numbering.ts";
import { isFinal, type Loss, passes, type RelayEnd, refused } from "./reconnect-policy.ts";
import { watch } from "./watch.ts";
import { configMessage } from "./wire.ts";

export interface RelayDeps {
  transport: RelayTransport;
  clock: Clock;
  log: Log;
  random(): number;
  spool: Spool;
  encoding: AudioEncoding;
  /** Address of the room for the next connection. @throws ApiError */
  path(): Promise<string>;
  /** What the next connection is to know. `finalMs`: end of the last final word held, ms. */
  config(): { diarization: boolean; finalMs: number; context: string };
  /** `finalMs` as it was told to this connection. */
  onTokens(batch: RelayTokens, resumedAtMs: number): void;
  onAllowance(message: RelayAllowance): void;
  /** The room refuses for now with `code`; it is tried again. */
  onHeldUp(code: ErrorCode): void;
  /** The spool or the connection changed. */
  onProgress(): void;
  /** Every word of the sound so far is in, and the connection is closed. */
  onDrained(): void;
  /** The connection is gone for good. */
  onEnd(end: RelayEnd): void;
}

type Goal = "off" | "stream" | "drain";

/**
 * Brings the spool's sound to the room and its words back. At most one socket is alive; whatever an
 * abandoned one still says is ignored. A lost connection comes back by itself, for as long as there
 * is a goal, and goes on at the first chunk that was not acknowledged.
 */
export class RelayClient {
  readonly #deps: RelayDeps;
  #goal: Goal = "off";
  #connection: RelayConnection | null = null;
  /** Asking for the address. Counts up, so that an answer that comes too late is known. */
  #attempt = 0;
  #stopWatch: (() => void) | null = null;
  readonly #comeback: Comeback;
  readonly #numbering: Numbering;

  /** `provisional`: the spool's numbers are a guess; `held`: it began with chunks of an earlier page. */
  constructor(deps: RelayDeps, origin: { provisional: boolean; held: boolean }) {
    this.#deps = deps;
    this.#comeback = new Comeback(deps, () => this.#connect());
    this.#numbering = new Numbering(deps.spool, origin);
  }

  get state(): ConnectionState {
    if (this.#goal === "off") return "idle";
    if (this.#goal === "drain") return "draining";
    if (this.#connection?.acknowledged === true) return "live";
    return this.#comeback.lostBefore ? "reconnecting" : "connecting";
  }

  /** Connects, when it is not, and streams what the spool holds and gets. */
  stream(): void {
    this.#goal = "stream";
    if (!this.#alive) this.#connect();
    this.#pump();
    this.#deps.onProgress();
  }

  /** Sends what is left, has it finalised and closes; reports `onDrained`. */
  drain(): void {
    if (this.#goal === "drain") return;
    this.#goal = "drain";
    const { spool } = this.#deps;
    const asks = this.#connection?.acknowledged === true && !this.#connection.complete;
    if (!asks && spool.firstSeq === spool.nextSeq) {
      // All that was said is answered, and there is nothing to finalise.
      this.#finish();
      return;
    }
    if (!this.#alive) this.#connect();
    this.#pump();
    this.#deps.onProgress();
  }

  /** Closes without waiting. */
  close(): void {
    this.#goal = "off";
    this.#attempt += 1;
    this.#comeback.cancel();
    this.#drop(relayClose.normal, "");
    this.#deps.onProgress();
  }

  /** The spool has a chunk that it had not before. */
  chunkAdded(): void {
    this.#pump();
  }

  /** The network may be back: a waiting retry happens now. */
  wake(): void {
    this.#comeback.now();
  }

  get #alive(): boolean {
    return this.#connection !== null || this.#comeback.waits;
  }

  #connect(): void {
    this.#attempt += 1;
    const attempt = this.#attempt;
    this.#drop(relayClose.normal, "");
    const { spool, clock, transport, encoding } = this.#deps;
    const told = this.#deps.config();
    const { finalMs } = told;
    const connection = new RelayConnection(clock, {
      opened: () => {
        const resumeFrom = this.#numbering.provisional ? null : spool.firstSeq;
        return configMessage(encoding, { ...told, resumeFrom });
      },
      message: (message) => this.#message(connection, message, finalMs),
      lost: (loss, wasOpen, path) => {
        if (this.#connection === connection) this.#lost(loss, wasOpen, path);
      },
    });
    this.#connection = connection;
    this.#watch();
    this.#deps.path().then(
      (path) => {
        if (attempt === this.#attempt) connection.open(transport, path);
      },
      (error: unknown) => {
        if (attempt !== this.#attempt) return;
        if (error instanceof ApiError && !error.retryable) this.#end(refused(error.code));
        else this.#lost({ code: 1006, reason: "no address", error: null }, true, "");
      },
    );
  }

  #message(connection: RelayConnection, message: RelayServerMessage, resumedAtMs: number): void {
    if (this.#connection !== connection) return;
    switch (message.type) {
      case "ready":
        return;
      case "config_acknowledged":
        this.#acknowledged(connection, message.audio ?? "base64", message.nextSeq);
        break;
      case "tokens":
        this.#comeback.answered();
        this.#deps.onTokens(message, resumedAtMs);
        return;
      case "ack":
        this.#comeback.answered();
        this.#deps.spool.acknowledge(message.seq);
        break;
      case "finalized":
        this.#finalized(connection);
        return;
      case "timer":
      case "allowance_low":
        this.#deps.onAllowance(message);
        return;
      case "error": {
        const code = message.code ?? "transcription_failed";
        const retryable = message.retryable ?? passes(code);
        this.#deps.log.warn("relay error", { code, retryable });
        connection.error = { code, message: message.message, retryable };
        if (!retryable) this.#end({ kind: "refused", code, message: message.message });
        // The room gave up on finalising: a new connection begins at the first unanswered chunk.
        else if (connection.finalizing) {
          this.#lost({ code: 1006, reason: "not finalised", error: connection.error }, true, "");
        }
        return;
      }
      case "disconnected":
        // The room gets itself another recogniser, or closes; the socket's close decides.
        this.#deps.log.warn("recogniser disconnected", { code: message.code });
        return;
      default:
        message satisfies never;
    }
    this.#pump();
    this.#deps.onProgress();
  }

  #acknowledged(connection: RelayConnection, encoding: AudioEncoding, nextSeq?: number): void {
    this.#numbering.settle(nextSeq);
    connection.begin(encoding, this.#deps.spool.firstSeq);
  }

  #finalized(connection: RelayConnection): void {
    const { spool } = this.#deps;
    const upTo = connection.finalized(spool.firstSeq);
    if (upTo === null) return;
    spool.acknowledge(upTo - 1);
    if (this.#goal === "drain" && spool.firstSeq === spool.nextSeq && !connection.finalizing) {
      this.#finish();
      return;
    }
    this.#pump();
    this.#deps.onProgress();
  }

  #pump(): void {
    const connection = this.#connection;
    if (connection === null || !connection.acknowledged) return;
    const { spool } = this.#deps;
    connection.skipTo(spool.firstSeq);
    while (connection.cursor < spool.nextSeq) {
      const seq = connection.cursor;
      if (seq - spool.firstSeq >= relaySendWindow) return;
      const pcm = spool.chunk(seq);
      // It comes back from the storage first; then this goes on.
      if (pcm === undefined) return;
      this.#numbering.sent(seq);
      connection.sendAudio(pcm);
    }
    if (this.#goal === "drain") connection.sendFinalize();
  }

  #watch(): void {
    this.#stopWatch?.();
    this.#stopWatch = watch(
      this.#deps.clock,
      () => this.#connection,
      () => this.#lost({ code: 1006, reason: "silent", error: null }, true, ""),
    );
  }

  #lost(loss: Loss, wasOpen: boolean, path: string): void {
    this.#drop(relayClose.normal, "");
    if (this.#goal === "off") return;
    const end = this.#comeback.after(loss);
    if (end !== null) {
      this.#end(end);
      return;
    }
    this.#deps.onProgress();
    // A page is not told why an upgrade was refused; asking over HTTP tells.
    if (!wasOpen) void this.#askWhy(path);
  }

  async #askWhy(path: string): Promise<void> {
    const code = await this.#deps.transport.refusal(path);
    if (code === null || this.#goal === "off" || this.#connection?.acknowledged === true) return;
    if (isFinal(code)) this.#end(refused(code));
    else this.#deps.onHeldUp(code);
  }

  #end(end: RelayEnd): void {
    this.close();
    this.#deps.onEnd(end);
  }

  #finish(): void {
    this.close();
    this.#comeback.finished();
    this.#numbering.finished();
    this.#deps.onDrained();
  }

  #drop(code: number, reason: string): void {
    this.#stopWatch?.();
    this.#stopWatch = null;
    const connection = this.#connection;
    this.#connection = null;
    connection?.close(code, reason);
  }
}
