import { setTimeout as delay } from "node:timers/promises";
import { WebSocket } from "ws";
import { TakeSpeech } from "#client/recognition/take-speech.ts";
import { addStretch, type SpeechStretch } from "#client/sound/takes/take-gaps.ts";
import { captureSampleRate, relaySendWindow } from "#shared/limits.ts";
import {
  encodeAudioFrame,
  type RelayConfig,
  type RelayServerMessage,
  type RelayToken,
  type RelayTokens,
  relayServerMessage,
} from "#shared/relay.ts";
import {
  addTokens,
  createPending,
  endSentence,
  joinText,
  type Segmented,
} from "#shared/segmentation.ts";

/** A page that records through a room in real time: it keeps what is not acknowledged, and connects again. */

export interface PageSound {
  codec: "pcm_s16le" | "opus";
  /** As the page sends them. */
  chunks: readonly Uint8Array[];
  chunkMs: number;
  /** Of the chunks; see `measureLevel`. */
  levels: readonly number[];
}

export interface Recorded {
  /** Sentences that the page shows. */
  text: string;
  /** Those that it leaves out, because the server has invented them. */
  invented: readonly string[];
  words: readonly RelayToken[];
  /** Acknowledged speech without words, as the page shows it; ms. */
  gaps: readonly SpeechStretch[];
  /** Final words that came after the chunk that holds them had been acknowledged. */
  lateWords: number;
  /** Longest time in which sound waited to be sent, s. */
  behindSeconds: number;
  /** From the end of the sound until all its words were there, s. */
  finishSeconds: number;
  connections: number;
  /** Wait that the page was told of, because another recording uses the server, s; 0: none. */
  busySeconds: number;
  /** The room refused for good, or has not finished within `finishMaxMs`. */
  failure: string | null;
}

/** Nothing waits longer for its last words. */
const finishMaxMs = 180_000;
const reconnectMs = 1_000;

export class Recording {
  readonly #take = crypto.randomUUID();
  #socket: WebSocket | null = null;
  #isConfigured = false;
  #captured = 0;
  #sent = 0;
  #acknowledged = 0;
  #offsetMs = 0;
  #heldMs = 0;
  #finals: RelayToken[] = [];
  #pending = createPending(0, "en");
  readonly #sentences: string[] = [];
  readonly #invented: string[] = [];
  readonly #speech: TakeSpeech;
  #gaps: readonly SpeechStretch[] = [];
  #connections = 0;
  #busySeconds = 0;
  /** Of the next connection. */
  #waitSeconds = 0;
  #behindSince: number | null = null;
  #behindMs = 0;
  #lateWords = 0;
  #isStopped = false;
  #failure: string | null = null;
  readonly #finished = Promise.withResolvers<void>();

  /** `url`: of the room. */
  constructor(
    private readonly url: string,
    private readonly headers: Record<string, string>,
    private readonly sound: PageSound,
  ) {
    this.#speech = new TakeSpeech(sound.chunkMs);
  }

  /** Records the whole sound, stops, and waits for its words. */
  async run(): Promise<Recorded> {
    const { chunks, chunkMs, levels } = this.sound;
    this.#connect();
    const since = performance.now();
    for (const index of chunks.keys()) {
      await delay(Math.max(0, since + (index + 1) * chunkMs - performance.now()));
      this.#captured = index + 1;
      this.#speech.add(levels[index] ?? 0);
      this.#sendChunks();
    }
    const stoppedAt = performance.now();
    this.#isStopped = true;
    this.#sendChunks();
    const limit = delay(finishMaxMs, "limit", { ref: false });
    if ((await Promise.race([this.#finished.promise, limit])) === "limit")
      this.#failure = "it did not finish";
    this.#isStopped = false;
    this.#socket?.close(1000);
    this.#addSentences(endSentence(this.#pending));
    return {
      text: this.#sentences.join(" "),
      invented: this.#invented,
      words: this.#finals,
      gaps: this.#gaps,
      lateWords: this.#lateWords,
      behindSeconds: this.#behindMs / 1_000,
      finishSeconds: (performance.now() - stoppedAt) / 1_000,
      connections: this.#connections,
      busySeconds: this.#busySeconds,
      failure: this.#failure,
    };
  }

  #connect(): void {
    const socket = new WebSocket(this.url, { headers: this.headers, perMessageDeflate: false });
    this.#socket = socket;
    this.#isConfigured = false;
    this.#connections += 1;
    socket.on("message", (data) => this.#receive(relayServerMessage.parse(JSON.parse(`${data}`))));
    socket.on("error", () => {});
    socket.on("unexpected-response", (_, response) => {
      this.#noteWait(Number(response.headers["retry-after"] ?? 0));
      socket.terminate();
    });
    socket.on("close", (code) => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      if (code === 1000) return;
      setTimeout(() => this.#connect(), Math.max(reconnectMs, this.#waitSeconds * 1_000));
      this.#waitSeconds = 0;
    });
  }

  #configure(): void {
    const config: RelayConfig = {
      type: "config",
      version: 2,
      sampleRate: captureSampleRate,
      language: "en",
      take: this.#take,
      codec: this.sound.codec,
      audio: "binary",
      diarization: false,
      from: this.#acknowledged,
      heldMs: Math.max(0, this.#heldMs - this.#offsetMs),
    };
    this.#socket?.send(JSON.stringify(config));
  }

  #sendChunks(): void {
    const socket = this.#socket;
    if (socket === null || !this.#isConfigured) return;
    while (this.#sent < this.#captured && this.#sent - this.#acknowledged < relaySendWindow) {
      const chunk = this.sound.chunks[this.#sent];
      if (chunk) socket.send(encodeAudioFrame(this.#sent, chunk));
      this.#sent += 1;
    }
    this.#measureBehind();
    if (this.#isStopped && this.#sent === this.sound.chunks.length) {
      this.#isStopped = false;
      socket.send(JSON.stringify({ type: "finalize" }));
    }
  }

  #measureBehind(): void {
    if (this.#sent === this.#captured) this.#behindSince = null;
    else this.#behindSince ??= performance.now();
    if (this.#behindSince === null) return;
    this.#behindMs = Math.max(this.#behindMs, performance.now() - this.#behindSince);
  }

  #receive(message: RelayServerMessage): void {
    switch (message.type) {
      case "ready":
        this.#configure();
        return;
      case "config_acknowledged":
        this.#isConfigured = true;
        this.#offsetMs = message.offsetMs ?? 0;
        this.#sent = this.#acknowledged;
        if (this.#captured === this.sound.chunks.length) this.#isStopped = true;
        this.#sendChunks();
        return;
      case "tokens":
        for (const token of message.tokens) if (token.is_final) this.#addWord(token);
        this.#speech.addWords(message.tokens, this.#offsetMs);
        this.#segment(message);
        return;
      case "ack":
        this.#addGaps(message);
        this.#acknowledged = Math.max(this.#acknowledged, message.seq + 1);
        this.#sendChunks();
        return;
      case "finalized":
        this.#finished.resolve();
        return;
      case "error":
        if (message.retryable) {
          this.#noteWait(message.retryAfterSeconds ?? 0);
          this.#socket?.close(3000);
        } else this.#fail(message.message);
        return;
      case "probe":
        this.#socket?.send(JSON.stringify(message));
        return;
      default:
        return;
    }
  }

  #addGaps({ seq, mayLackWords }: Extract<RelayServerMessage, { type: "ack" }>): void {
    if (!mayLackWords) return;
    const { chunks, chunkMs } = this.sound;
    const isEnd = seq + 1 === chunks.length;
    const fromMs = this.#acknowledged * chunkMs;
    for (const gap of this.#speech.findWordless(fromMs, (seq + 1) * chunkMs, isEnd))
      this.#gaps = addStretch(this.#gaps, gap);
  }

  #segment({ tokens, audio_final_proc_ms: finalMs, endpoint = false }: RelayTokens): void {
    const finals = tokens.filter(({ is_final }) => is_final);
    const interim = joinText(tokens.filter(({ is_final }) => !is_final));
    const about = { finalMs, endpoint, diarization: false, interim };
    this.#addSentences(addTokens(this.#pending, finals, about));
  }

  #addSentences({ pending, sentences }: Segmented): void {
    this.#pending = pending;
    for (const { original, startMs, endMs } of sentences) {
      const [from, to] = [startMs - this.#offsetMs, endMs - this.#offsetMs];
      const isInvented = this.#speech.isInvented(original, from, to);
      (isInvented ? this.#invented : this.#sentences).push(original);
    }
  }

  #noteWait(seconds: number): void {
    this.#waitSeconds = seconds;
    this.#busySeconds = Math.max(this.#busySeconds, seconds);
  }

  #addWord(token: RelayToken): void {
    const acknowledgedMs = this.#offsetMs + this.#acknowledged * this.sound.chunkMs;
    if ((token.end_ms ?? acknowledgedMs) < acknowledgedMs) this.#lateWords += 1;
    this.#heldMs = Math.max(this.#heldMs, token.end_ms ?? 0);
    this.#finals.push(token);
  }

  #fail(reason: string): void {
    this.#failure = reason;
    this.#finished.resolve();
  }
}
