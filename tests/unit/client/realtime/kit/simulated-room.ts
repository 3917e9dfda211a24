import type {
  RelayTransport,
  Socket,
  SocketHandlers,
} from "../../../../../src/client/realtime/ports.ts";
import type { ErrorCode } from "../../../../../src/shared/errors.ts";
import { chunkSamples } from "../../../../../src/shared/limits.ts";
import {
  decodeAudioFrame,
  type RelayServerMessage,
  type RelayToken,
  relayClientMessage,
} from "../../../../../src/shared/relay.ts";
import type { ManualClock } from "./manual-clock.ts";

const chunkMs = 256;
const leadInChunks = 8;
/** Chunks that the recogniser hears before a word is final. */
const finalAfter = 2;
const wordsPerSentence = 5;

/** Sound in which word number `word` is said (0: silence). */
export function sound(word: number): Uint8Array<ArrayBuffer> {
  const pcm = new Uint8Array(chunkSamples * 2);
  new DataView(pcm.buffer).setUint32(0, word);
  return pcm;
}

/** The word with this number, in letters. */
function spelled(word: number): string {
  const letters = [...String(word)].map((digit) => "abcdefghij"[Number(digit)]);
  return `w${letters.join("")}`;
}

/** Numbers of the words in `text`, in its order. */
export function wordsIn(text: string): number[] {
  const letters = text.match(/\bw[a-j]+/gu) ?? [];
  return letters.map((word) =>
    Number([...word.slice(1)].map((letter) => "abcdefghij".indexOf(letter)).join("")),
  );
}

/** What a reader must find after words 1 to `count`. */
export function spoken(count: number): string {
  const words = Array.from({ length: count }, (_, index) => textOf(index + 1).trim());
  return words.join(" ");
}

function textOf(word: number): string {
  return ` ${spelled(word)}${word % wordsPerSentence === 0 ? "." : ""}`;
}

interface Connection {
  id: number;
  /** The room's address, without a ticket. */
  room: string;
  handlers: SocketHandlers;
  alive: boolean;
  configured: boolean;
  binary: boolean;
  finalMs: number;
  heard: { seq: number; word: number }[];
  delivered: number;
  expected: number;
  acked: number;
}

/** A room and its recogniser, as the protocol describes them: words are a function of the sound. */
export class SimulatedRoom implements RelayTransport {
  readonly #clock: ManualClock;
  #connection: Connection | null = null;
  #connections = 0;
  /** Sockets that the client has not closed and that were not closed on it. */
  #open = 0;
  /** Highest chunk that each room has heard. */
  readonly #high = new Map<string, number>();
  #base = -1;
  #stalled = false;
  #held: (() => void)[] = [];
  latencyMs = 20;
  ackDelayMs = 0;
  confirms: "binary" | "base64" = "binary";
  refuses: ErrorCode | null = null;
  /** Finalize gets no answer. */
  deaf = false;
  readonly paths: string[] = [];
  readonly configs: Extract<ReturnType<typeof relayClientMessage.parse>, { type: "config" }>[] = [];
  readonly frames: ("text" | "binary")[] = [];
  greatestOpen = 0;
  greatestInFlight = 0;
  readonly closes: number[] = [];

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  /** Messages are held back, both ways, as on a network that stalls; then they come all at once. */
  set stalled(stalled: boolean) {
    this.#stalled = stalled;
    const held = this.#held;
    if (stalled) return;
    this.#held = [];
    for (const run of held) run();
  }

  /** Highest chunk that any room has heard. Set: what every room has heard. */
  get highSeq(): number {
    return Math.max(this.#base, ...this.#high.values());
  }

  set highSeq(seq: number) {
    this.#high.clear();
    this.#base = seq;
  }

  /** Chunks that the room at `path` has heard. */
  heardBy(path: string): number {
    return (this.#high.get(path) ?? this.#base) + 1;
  }

  /** Sockets that are open now. */
  get openNow(): number {
    return this.#open;
  }

  get connections(): number {
    return this.#connections;
  }

  connect(path: string, handlers: SocketHandlers): Socket {
    this.paths.push(path);
    this.#connections += 1;
    const connection: Connection = {
      id: this.#connections,
      room: path.replace(/\?.*/u, ""),
      handlers,
      alive: true,
      configured: false,
      binary: false,
      finalMs: 0,
      heard: [],
      delivered: 0,
      expected: 0,
      acked: -1,
    };
    this.#open += 1;
    this.greatestOpen = Math.max(this.greatestOpen, this.#open);
    if (this.refuses !== null) this.#later(connection, () => this.#end(connection, 1006));
    else {
      this.#connection = connection;
      this.#later(connection, () => {
        handlers.open();
        this.#say(connection, { type: "ready" });
      });
    }
    return {
      send: (data) => {
        if (connection.alive) this.#later(connection, () => this.#hear(connection, data));
      },
      close: (code) => {
        this.closes.push(code);
        if (!connection.alive) return;
        connection.alive = false;
        this.#open -= 1;
        // The close event of a socket comes late, and must then be ignored.
        this.#clock.after(this.latencyMs, () => handlers.close(code, ""));
      },
    };
  }

  refusal(): Promise<ErrorCode | null> {
    return Promise.resolve(this.refuses);
  }

  /** The connection dies. */
  drop(code = 1006): void {
    if (this.#connection?.alive === true) this.#end(this.#connection, code);
  }

  say(message: RelayServerMessage): void {
    if (this.#connection?.alive === true) this.#say(this.#connection, message);
  }

  #end(connection: Connection, code: number): void {
    if (!connection.alive) return;
    connection.alive = false;
    this.#open -= 1;
    connection.handlers.close(code, "");
  }

  #later(connection: Connection, run: () => void): void {
    this.#clock.after(this.latencyMs, () => {
      const deliver = () => {
        if (connection.alive) run();
      };
      if (this.#stalled) this.#held.push(deliver);
      else deliver();
    });
  }

  #say(connection: Connection, message: RelayServerMessage): void {
    this.#later(connection, () => connection.handlers.message(JSON.stringify(message)));
  }

  #hear(connection: Connection, data: string | Uint8Array<ArrayBuffer>): void {
    if (typeof data !== "string") {
      this.frames.push("binary");
      const frame = decodeAudioFrame(data.buffer);
      if (frame === null || !connection.binary) throw new Error("unexpected binary frame");
      this.#audio(connection, frame.seq, frame.pcm);
      return;
    }
    const message = relayClientMessage.parse(JSON.parse(data));
    switch (message.type) {
      case "config": {
        if (connection.configured) throw new Error("configured twice");
        this.configs.push(message);
        connection.configured = true;
        // Behind everything that was recorded, or read, before.
        connection.expected =
          message.resumeFrom ??
          Math.max(this.#highOf(connection) + 1, Math.ceil((message.finalMs ?? 0) / chunkMs));
        connection.acked = connection.expected - 1;
        connection.finalMs = message.finalMs ?? 0;
        connection.binary = message.audio === "binary" && this.confirms === "binary";
        const audio = connection.binary ? "binary" : "base64";
        this.#say(connection, { type: "config_acknowledged", audio, nextSeq: connection.expected });
        return;
      }
      case "audio":
        this.frames.push("text");
        this.#audio(connection, message.seq ?? -1, Buffer.from(message.data, "base64"));
        return;
      case "finalize":
        if (this.deaf) return;
        this.#deliver(connection, connection.heard.length);
        this.#acknowledge(connection, connection.expected - 1);
        this.#say(connection, { type: "finalized" });
        return;
      case "keepalive":
        return;
      default:
        message satisfies never;
    }
  }

  #audio(connection: Connection, seq: number, pcm: Uint8Array): void {
    if (seq < connection.expected) return;
    if (seq > connection.expected) throw new Error(`chunk ${connection.expected} is missing`);
    connection.expected = seq + 1;
    this.#high.set(connection.room, Math.max(this.#highOf(connection), seq));
    this.greatestInFlight = Math.max(this.greatestInFlight, seq - connection.acked);
    const word = new DataView(pcm.buffer, pcm.byteOffset).getUint32(0);
    connection.heard.push({ seq, word });
    this.#deliver(connection, connection.heard.length - finalAfter);
    this.#acknowledge(connection, seq - finalAfter - leadInChunks);
  }

  #highOf({ room }: Connection): number {
    return this.#high.get(room) ?? this.#base;
  }

  /** Makes the first `count` of what was heard final; the rest is interim. */
  #deliver(connection: Connection, count: number): void {
    const finals = connection.heard.slice(connection.delivered, Math.max(count, 0));
    connection.delivered = Math.max(connection.delivered, count);
    const rest = connection.heard.slice(connection.delivered);
    const tokens = [
      ...finals.map((chunk) => wordToken(chunk, true)),
      ...rest.map((chunk) => wordToken(chunk, false)),
    ].filter((token) => token !== null);
    const news = tokens.filter(({ start, end }) => (start + end) / 2 >= connection.finalMs);
    const end = (connection.heard.at(-1)?.seq ?? -1) + 1;
    this.#say(connection, {
      type: "tokens",
      tokens: news.map(({ token }) => token),
      audio_final_proc_ms: (end - rest.length) * chunkMs,
      audio_total_proc_ms: end * chunkMs,
    });
  }

  #acknowledge(connection: Connection, seq: number): void {
    if (seq <= connection.acked) return;
    connection.acked = seq;
    const say = () => this.#say(connection, { type: "ack", seq });
    if (this.ackDelayMs === 0) say();
    else this.#clock.after(this.ackDelayMs, say);
  }
}

function wordToken(chunk: { seq: number; word: number }, final: boolean) {
  if (chunk.word === 0) return null;
  const start = chunk.seq * chunkMs + 10;
  const end = start + 200;
  const speaker = String(1 + (Math.floor((chunk.word - 1) / wordsPerSentence) % 2));
  const token: RelayToken = {
    text: textOf(chunk.word),
    is_final: final,
    speaker,
    start_ms: start,
    end_ms: end,
  };
  return { token, start, end };
}
