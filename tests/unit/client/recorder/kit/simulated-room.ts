import type { Socket, SocketHandlers } from "#client/lib/socket.ts";
import type { Refusal, RelayTransport } from "#client/recognition/room/transport.ts";
import type { ErrorCode } from "#shared/errors.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import { captureSampleRate, chunkSamples } from "#shared/limits.ts";
import { decodeOpusChunk } from "#shared/opus.ts";
import {
  type AudioCodec,
  decodeAudioFrame,
  getChunkMs,
  type RelayServerMessage,
  type RelayToken,
  relayClientMessage,
  type SpeechTerm,
} from "#shared/relay.ts";
import { readFakePacket } from "./fake-packets.ts";
import type { ManualClock } from "./manual-clock.ts";

const leadInChunks = 8;
/** Chunks that the provider receives before a word is final. */
const finalAfter = 2;
const wordsPerSentence = 5;
/** From the beginning of its chunk, ms. */
const wordDelayMs = 10;
const wordLengthMs = 200;

/** Bytes between the places where PCM may hold a word: chunks of one codec can be cut into those of another. */
const wordStep = 128;

/** A chunk in which word number `word` is said, at its beginning; 0: silence. */
export function sound(word: number, samples = chunkSamples): Uint8Array<ArrayBuffer> {
  const pcm = word === 0 ? new Uint8Array(samples * 2) : speech(samples);
  new DataView(pcm.buffer).setUint32(0, word);
  return pcm;
}

/** A chunk in which somebody speaks, and the room hears no word. */
export function speech(samples = chunkSamples): Uint8Array<ArrayBuffer> {
  const pcm = new DataView(new ArrayBuffer(samples * 2));
  // Words are apart. The places where `findWord` looks for a number stay silent.
  for (let at = 0; at < samples * 0.8; at += 1)
    if ((at * 2) % wordStep >= 4) pcm.setInt16(at * 2, at % 2 === 0 ? 8_000 : -8_000, true);
  return new Uint8Array(pcm.buffer);
}

/** The word in PCM; 0: silence. */
export function findWord(pcm: Uint8Array): number {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  for (let at = 0; at + 4 <= pcm.byteLength; at += wordStep)
    if (view.getUint32(at) > 0) return view.getUint32(at);
  return 0;
}

/** The word with this number, in letters. */
function spellWord(word: number): string {
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

/** The numbers of words `from` to `to`. */
export const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** The text of words 1 to `count`. */
export function getExpectedText(count: number): string {
  return range(1, count)
    .map((word) => getWordText(word).trim())
    .join(" ");
}

function getWordText(word: number): string {
  return ` ${spellWord(word)}${word % wordsPerSentence === 0 ? "." : ""}`;
}

interface Connection {
  id: number;
  /** The room's address, without a ticket. */
  room: string;
  handlers: SocketHandlers;
  alive: boolean;
  configured: boolean;
  tab: string | null;
  take: string;
  codec: AudioCodec;
  /** Length of a chunk, ms. */
  chunkMs: number;
  /** Position of the take's chunk 0 on the lecture's clock, ms. */
  offsetMs: number;
  heldMs: number;
  /** Sound of the take, by time on the lecture's clock. */
  received: { startMs: number; word: number }[];
  delivered: number;
  expected: number;
  acked: number;
  translateInto: TranslationLanguage | null;
  /** Numbers of the sentences, from 0, whose translations are on their way, and that have been sent. */
  translating: Set<number>;
  translated: Set<number>;
}

interface RoomRecord {
  lengthMs: number;
  takes: Map<string, { offsetMs: number; high: number }>;
  /** The take that was placed last. */
  last: string | null;
}

/** A room and its provider as the relay protocol describes them; the words are a function of the audio. */
export class SimulatedRoom implements RelayTransport {
  readonly #clock: ManualClock;
  #connection: Connection | null = null;
  #connections = 0;
  /** Sockets that the client has not closed and that were not closed on it. */
  #open = 0;
  /** What each room has received: the length of its lecture's clock, and its takes. */
  readonly #rooms = new Map<string, RoomRecord>();
  #stalled = false;
  #held: (() => void)[] = [];
  latencyMs = 20;
  ackDelayMs = 0;
  refuses: ErrorCode | null = null;
  /** `finalize` gets no answer. */
  ignoresFinalize = false;
  /** The demo voice takes the service's place. */
  isDemoVoice = false;
  /** So long after its words are final, a sentence is translated in the stream, ms; null: it is not. */
  translationLagMs: number | null = null;
  /** The service sends nothing in silence. */
  mayLackWords = false;
  /** It recognises only where the person has chosen it. */
  needsDemoChoice = false;
  readonly paths: string[] = [];
  readonly configs: Extract<ReturnType<typeof relayClientMessage.parse>, { type: "config" }>[] = [];
  /** It knows the message `terms`. */
  acceptsTerms = true;
  readonly terms: SpeechTerm[][] = [];
  maxOpenCount = 0;
  maxInFlight = 0;
  readonly closes: number[] = [];

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  /** While true, messages in both directions are held back; then they arrive all at once. */
  set stalled(stalled: boolean) {
    this.#stalled = stalled;
    const held = this.#held;
    if (stalled) return;
    this.#held = [];
    for (const run of held) run();
  }

  /** Length of the clock of the room at `path`, ms. */
  getLengthMs(path: string): number {
    return this.#getRoom({ room: path.replace(/\?.*/u, "") }).lengthMs;
  }

  /** Sets the clock of the room at `path`, as if other tabs had recorded so long. */
  setLengthMs(path: string, ms: number): void {
    this.#getRoom({ room: path }).lengthMs = ms;
  }

  /** Sockets that are open now. */
  get openCount(): number {
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
      tab: new URLSearchParams(path.split("?")[1]).get("tab"),
      take: "",
      codec: "pcm_s16le",
      chunkMs: 0,
      offsetMs: 0,
      heldMs: 0,
      received: [],
      delivered: 0,
      expected: 0,
      acked: -1,
      translateInto: null,
      translating: new Set(),
      translated: new Set(),
    };
    this.#open += 1;
    this.maxOpenCount = Math.max(this.maxOpenCount, this.#open);
    if (this.refuses !== null) this.#later(connection, () => this.#end(connection, 1006));
    else if (this.#mayRecord(connection, path)) {
      const before = this.#connection;
      this.#connection = connection;
      if (before?.alive === true) this.#end(before, 4001);
      this.#later(connection, () => {
        handlers.open();
        this.#sendMessage(connection, { type: "ready" });
      });
    } else this.#later(connection, () => this.#end(connection, 4001));
    return {
      send: (data) => {
        if (connection.alive) this.#later(connection, () => this.#receive(connection, data));
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

  fetchRefusal(): Promise<Refusal | null> {
    const waitMs = this.refuses === "busy" ? 15_000 : 0;
    return Promise.resolve(this.refuses === null ? null : { code: this.refuses, waitMs });
  }

  /** The connection dies. */
  drop(code = 1006): void {
    if (this.#connection?.alive === true) this.#end(this.#connection, code);
  }

  /** The connection dies, and every other one is refused until `refuses` is null. */
  goDown(): void {
    this.refuses = "unavailable";
    this.drop();
  }

  /** The room refuses for good. */
  sayRefusal(code: ErrorCode, message = "No."): void {
    this.say({ type: "error", message, code, retryable: false });
  }

  say(message: RelayServerMessage): void {
    if (this.#connection?.alive === true) this.#sendMessage(this.#connection, message);
  }

  /** True unless another tab records and `connection` does not take over. */
  #mayRecord({ tab, room }: Connection, path: string): boolean {
    const current = this.#connection;
    const isOther = current?.alive === true && current.room === room && current.tab !== tab;
    return !isOther || path.includes("takeover=1");
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

  #sendMessage(connection: Connection, message: RelayServerMessage): void {
    this.#later(connection, () => connection.handlers.message(JSON.stringify(message)));
  }

  #receive(connection: Connection, data: string | Uint8Array<ArrayBuffer>): void {
    if (typeof data !== "string") {
      const frame = decodeAudioFrame(data.buffer);
      if (frame === null || !connection.configured) throw new Error("unexpected binary frame");
      this.#audio(connection, frame.seq, frame.chunk);
      return;
    }
    const message = relayClientMessage.parse(JSON.parse(data));
    switch (message.type) {
      case "config": {
        const { take, from, codec = "pcm_s16le", heldMs = 0, lectureEndMs = 0 } = message;
        const translateInto = this.translationLagMs === null ? null : message.translateInto;
        if (take === undefined || from === undefined) throw new Error("no take");
        if (connection.received.length > connection.delivered)
          throw new Error("words were not final");
        this.configs.push(message);
        const room = this.#getRoom(connection);
        const known = room.last === take ? room.takes.get(take) : undefined;
        const chunkMs = getChunkMs(codec, captureSampleRate);
        const aheadMs = Math.max(0, Math.ceil((lectureEndMs - room.lengthMs) / chunkMs)) * chunkMs;
        const begin = room.lengthMs + aheadMs;
        const offsetMs = known && from <= known.high + 1 ? known.offsetMs : begin - from * chunkMs;
        room.last = take;
        room.takes.set(take, { offsetMs, high: Math.max(known?.high ?? -1, from - 1) });
        const state = { configured: true, take, codec, chunkMs, offsetMs, heldMs };
        Object.assign(connection, state);
        Object.assign(connection, { received: [], delivered: 0, expected: from, acked: from - 1 });
        const sentences = { translating: new Set(), translated: new Set() };
        Object.assign(connection, { translateInto: translateInto ?? null, ...sentences });
        const acknowledged = {
          ...({ take, offsetMs, nextSeq: from } as const),
          ...(this.needsDemoChoice && ({ needsDemoChoice: true } as const)),
          ...(this.acceptsTerms && ({ acceptsTerms: true } as const)),
          ...(translateInto && ({ translates: true } as const)),
        };
        this.#sendMessage(connection, { type: "config_acknowledged", ...acknowledged });
        return;
      }
      case "audio":
        throw new Error("audio in a text frame");
      case "finalize":
        if (this.ignoresFinalize) return;
        this.#deliver(connection, connection.received.length);
        for (const sentence of listSentences(connection)) this.#translate(connection, sentence);
        this.#acknowledge(connection, connection.expected - 1);
        this.#sendMessage(connection, { type: "finalized" });
        // Some providers end their session with it, which the room reports.
        this.#deliver(connection, connection.received.length);
        return;
      case "keepalive":
      case "probe":
        return;
      case "terms":
        if (!this.acceptsTerms) throw new Error("an earlier version takes it for a wrong frame");
        this.terms.push(message.terms);
        return;
      default:
        message satisfies never;
    }
  }

  #audio(connection: Connection, seq: number, chunk: Uint8Array): void {
    if (seq < connection.expected) return;
    if (seq > connection.expected) throw new Error(`chunk ${connection.expected} is missing`);
    const isFirst = connection.received.length === 0;
    connection.expected = seq + 1;
    const room = this.#getRoom(connection);
    const startMs = connection.offsetMs + seq * connection.chunkMs;
    room.lengthMs = Math.max(room.lengthMs, startMs + connection.chunkMs);
    const take = room.takes.get(connection.take);
    if (take) take.high = Math.max(take.high, seq);
    this.maxInFlight = Math.max(this.maxInFlight, seq - connection.acked);
    const word = connection.codec === "opus" ? readOpusChunk(chunk, seq, isFirst) : findWord(chunk);
    connection.received.push({ startMs, word });
    this.#deliver(connection, connection.received.length - finalAfter);
    this.#translateLater(connection);
    this.#acknowledgeHeard(connection);
  }

  /** The sentences whose words are final. */
  #translateLater(connection: Connection): void {
    if (connection.translateInto === null) return;
    for (const sentence of listSentences(connection)) {
      const { number, isWhole } = sentence;
      if (!isWhole || connection.translating.has(number)) continue;
      connection.translating.add(number);
      this.#clock.after(this.translationLagMs ?? 0, () => {
        if (connection.alive) this.#translate(connection, sentence);
      });
    }
  }

  #translate(connection: Connection, { number, startMs, endMs, text }: HeardSentence): void {
    const { translateInto: language, translated } = connection;
    if (language === null || translated.has(number)) return;
    translated.add(number);
    const state = "final" as const;
    this.#sendMessage(connection, {
      type: "tokens",
      tokens: [],
      audio_final_proc_ms: endMs,
      audio_total_proc_ms: endMs,
      translations: [{ start_ms: startMs, end_ms: endMs, text: `«${text}»`, language, state }],
    });
  }

  /** What has its words, and its translation. */
  #acknowledgeHeard(connection: Connection): void {
    const { expected, received, translateInto, translated } = connection;
    const waiting =
      translateInto !== null &&
      listSentences(connection).find(({ number }) => !translated.has(number));
    const heard = waiting ? waiting.firstIndex : received.length - finalAfter;
    this.#acknowledge(connection, expected - received.length + heard - 1 - leadInChunks);
  }

  #getRoom({ room }: { room: string }): RoomRecord {
    const known = this.#rooms.get(room);
    if (known) return known;
    const record: RoomRecord = { lengthMs: 0, takes: new Map(), last: null };
    this.#rooms.set(room, record);
    return record;
  }

  /** Makes the first `count` of what was heard final; the rest is interim. */
  #deliver(connection: Connection, count: number): void {
    const finals = connection.received.slice(connection.delivered, Math.max(count, 0));
    connection.delivered = Math.max(connection.delivered, count);
    const rest = connection.received.slice(connection.delivered);
    const tokens = [
      ...finals.map((chunk) => wordToken(chunk, true)),
      ...rest.map((chunk) => wordToken(chunk, false)),
    ].filter((token) => token !== null);
    const news = tokens.filter(
      ({ start, end }) => (start + end) / 2 >= connection.heldMs + connection.offsetMs,
    );
    const { chunkMs } = connection;
    const endMs = (connection.received.at(-1)?.startMs ?? -chunkMs) + chunkMs;
    this.#sendMessage(connection, {
      type: "tokens",
      tokens: news.map(({ token }) => token),
      audio_final_proc_ms: endMs - rest.length * chunkMs,
      audio_total_proc_ms: endMs,
      ...(this.isDemoVoice && { isDemoVoice: true }),
    });
  }

  #acknowledge(connection: Connection, seq: number): void {
    if (seq <= connection.acked) return;
    connection.acked = seq;
    const { take } = connection;
    const ack = { type: "ack" as const, seq, take };
    const say = () =>
      this.#sendMessage(connection, this.mayLackWords ? { ...ack, mayLackWords: true } : ack);
    if (this.ackDelayMs === 0) say();
    else this.#clock.after(this.ackDelayMs, say);
  }
}

interface HeardSentence {
  /** From 0. */
  number: number;
  /** Of its first chunk in what was received. */
  firstIndex: number;
  startMs: number;
  endMs: number;
  text: string;
  /** All its words are final. */
  isWhole: boolean;
}

/** Those that a connection has heard from their first word on. */
function listSentences({ received, delivered }: Connection): HeardSentence[] {
  return received.flatMap(({ word }, firstIndex) => {
    if (word === 0 || word % wordsPerSentence !== 1) return [];
    const number = Math.floor(word / wordsPerSentence);
    const words = received.flatMap((chunk, index) =>
      Math.floor((chunk.word - 1) / wordsPerSentence) === number ? [{ ...chunk, index }] : [],
    );
    const last = words.at(-1);
    const isWhole = words.length === wordsPerSentence && (last?.index ?? 0) < delivered;
    const startMs = (words[0]?.startMs ?? 0) + wordDelayMs;
    const endMs = (last?.startMs ?? 0) + wordDelayMs + wordLengthMs;
    const text = words.map((chunk) => getWordText(chunk.word)).join("");
    return [{ number, firstIndex, startMs, endMs, text: text.trim(), isWhole }];
  });
}

/** The word in chunk `seq` of Opus. Its lead-in must be there if the chunk is the first, and only then. */
function readOpusChunk(data: Uint8Array, seq: number, isFirst: boolean): number {
  const chunk = decodeOpusChunk(data);
  if (chunk === null) throw new Error(`chunk ${seq} is not Opus`);
  const packets = chunk.packets.map(readFakePacket);
  // Silence in place of audio that could not be read.
  if (packets.every((packet) => packet === null)) return 0;
  const numbers = chunk.leadIn.map((packet) => readFakePacket(packet)?.chunk);
  const expected = isFirst && seq > 0 ? [seq - 1, seq - 1] : [];
  if (String(numbers) !== String(expected)) throw new Error(`lead-in [${numbers}] of chunk ${seq}`);
  if (packets.some((packet) => packet?.chunk !== seq)) throw new Error(`wrong packets in ${seq}`);
  return packets[0]?.word ?? 0;
}

function wordToken(chunk: { startMs: number; word: number }, final: boolean) {
  if (chunk.word === 0) return null;
  const start = chunk.startMs + wordDelayMs;
  const end = start + wordLengthMs;
  const speaker = String(1 + (Math.floor((chunk.word - 1) / wordsPerSentence) % 2));
  const token: RelayToken = {
    text: getWordText(chunk.word),
    is_final: final,
    speaker,
    start_ms: start,
    end_ms: end,
  };
  return { token, start, end };
}
