import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { type Percentiles, toPercentiles } from "#bench/percentiles.ts";
import { receiveInput, sendToParent } from "#bench/processes.ts";
import { captureSampleRate, chunkSamples, relaySendWindow } from "#shared/limits.ts";
import { encodeAudioFrame } from "#shared/relay.ts";
import { createLectureFixture } from "#tests/fixtures/lecture.ts";
import { encodePcm16 } from "#tests/fixtures/wav.ts";

/**
 * Honest recordings in one process: each sends the test pattern in real time, respects the relay's send
 * window, and must receive every word once and in order.
 */
export interface HonestPlan {
  recordings: Target[];
  /** A connection directly to the provider at the same time: the latency without the relay. */
  direct: Target;
  /** Duration of the spoken words; silence follows. */
  spokenMs: number;
}

export interface Target {
  url: string;
  headers: Record<string, string>;
}

/** Starts a named phase, or ends the recordings (null). */
type HonestOrder = { phase: string } | { phase: null };

export interface HonestReport {
  phases: Record<string, { room: Latency; direct: Latency }>;
  recordings: { spoken: number; isComplete: boolean; closedWith: number | null }[];
}

/** Time from the end of a chunk's audio to the first answer that covers it, ms. */
export interface Latency extends Percentiles {
  max: number;
  chunks: number;
  unanswered: number;
}

const chunkMs = (chunkSamples / captureSampleRate) * 1000;
const wordMs = 840;
/** Time limit for finalizing a recording. */
const endMs = 30_000;

const streams: Stream[] = [];
const plan = await receiveInput<HonestPlan>(() => {
  for (const { socket } of streams) socket.terminate();
});
const fixture = createLectureFixture({
  to: Math.ceil(plan.spokenMs / wordMs),
  sampleRate: captureSampleRate,
});
const pcm = encodePcm16(fixture.samples);
const chunkCount = Math.ceil(fixture.samples.length / chunkSamples);
const words = fixture.words.map(({ text }) => text).join(" ");
/** Start of each phase, in order. */
const phases: { name: string | null; at: number }[] = [];

/** One connection that sends speech. */
class Stream {
  readonly socket: WebSocket;
  text = "";
  closedWith: number | null = null;
  /** For each chunk: when it was captured, and when it was answered. */
  readonly times: { captured: number; answered: number | null }[] = [];
  #sent = 0;
  #acknowledged = -1;
  #unanswered = 0;
  #isEnded = false;
  readonly #finalized = Promise.withResolvers<void>();

  constructor(
    { url, headers }: Target,
    readonly isDirect: boolean,
  ) {
    this.socket = new WebSocket(url, { headers, perMessageDeflate: false });
    this.socket.on("close", (code) => {
      this.closedWith = code;
      this.#finalized.resolve();
    });
  }

  async open(): Promise<void> {
    await once(this.socket, "open");
    const configured = Promise.withResolvers<void>();
    this.socket.on("message", (data) => {
      const message = JSON.parse(String(data));
      if (message.type === "config_acknowledged") configured.resolve();
      else this.#receive(message);
    });
    this.socket.send(JSON.stringify(this.isDirect ? startRequest : config));
    if (!this.isDirect) await configured.promise;
  }

  /** Sends a chunk every 256 ms until all words are sent and `end` was called. */
  async speak(): Promise<void> {
    const start = performance.now();
    for (let chunk = 0; chunk < chunkCount || !this.#isEnded; chunk++) {
      const captured = start + (chunk + 1) * chunkMs;
      await sleep(captured - performance.now());
      if (this.closedWith !== null) return;
      this.times.push({ captured, answered: null });
      this.#send();
    }
    if (!this.isDirect) this.socket.send(JSON.stringify({ type: "finalize" }));
    const expired = sleep(endMs, undefined, { ref: false });
    if (!this.isDirect) await Promise.race([this.#finalized.promise, expired]);
  }

  end(): void {
    this.#isEnded = true;
  }

  #send(): void {
    const last = this.isDirect ? Number.POSITIVE_INFINITY : this.#acknowledged + relaySendWindow;
    while (this.#sent < this.times.length && this.#sent <= last) {
      const chunk = this.#sent++;
      const sound = getChunkPcm(chunk);
      this.socket.send(this.isDirect ? sound : encodeAudioFrame(chunk, sound));
    }
  }

  #receive(message: Answer): void {
    if (message.type === "ack") {
      this.#acknowledged = message.seq ?? this.#acknowledged;
      this.#send();
    } else if (message.type === "finalized") this.#finalized.resolve();
    else if (message.tokens) {
      for (const { text, is_final } of message.tokens) if (is_final) this.text += text;
      this.#answer(message.audio_total_proc_ms ?? message.total_audio_proc_ms ?? 0);
    }
  }

  /** Marks all chunks up to `totalMs` as answered. */
  #answer(totalMs: number): void {
    const now = performance.now();
    const end = Math.round(totalMs / chunkMs);
    for (; this.#unanswered < end; this.#unanswered++) {
      const time = this.times[this.#unanswered];
      if (time) time.answered = now;
    }
  }
}

interface Answer {
  type?: string;
  seq?: number;
  tokens?: { text: string; is_final: boolean }[];
  audio_total_proc_ms?: number;
  total_audio_proc_ms?: number;
}

const startRequest = {
  model: "stt-rt-v5",
  audio_format: "pcm_s16le",
  sample_rate: captureSampleRate,
  num_channels: 1,
  enable_endpoint_detection: true,
};
const config = {
  type: "config",
  sampleRate: captureSampleRate,
  language: "en",
  diarization: false,
  version: 2,
  take: crypto.randomUUID(),
  audio: "binary",
  from: 0,
};

function getChunkPcm(chunk: number): Uint8Array {
  const sound = new Uint8Array(2 * chunkSamples);
  sound.set(pcm.subarray(chunk * sound.length, (chunk + 1) * sound.length));
  return sound;
}

for (const target of plan.recordings) streams.push(new Stream(target, false));
streams.push(new Stream(plan.direct, true));
await Promise.all(streams.map((stream) => stream.open()));
const speaking = streams.map(async (stream, index) => {
  // Spread the recordings over the duration of a chunk.
  await sleep((index / streams.length) * chunkMs);
  await stream.speak();
});
process.on("message", async ({ phase }: HonestOrder) => {
  phases.push({ name: phase, at: performance.now() });
  if (phase !== null) {
    sendToParent({});
    return;
  }
  for (const stream of streams) stream.end();
  await Promise.all(speaking);
  sendToParent(createReport());
});
sendToParent({});

function createReport(): HonestReport {
  const named = phases.flatMap(({ name, at }, index) => {
    const to = phases[index + 1]?.at;
    return name === null || to === undefined ? [] : [{ name, from: at, to }];
  });
  const measured = named.map(({ name, from, to }) => {
    const latency = (isDirect: boolean) =>
      toLatency(
        streams
          .filter((stream) => stream.isDirect === isDirect)
          .flatMap(({ times }) =>
            times.filter(({ captured }) => captured >= from && captured < to),
          ),
      );
    return [name, { room: latency(false), direct: latency(true) }];
  });
  return {
    phases: Object.fromEntries(measured),
    recordings: streams
      .filter(({ isDirect }) => !isDirect)
      .map(({ text, closedWith }) => ({
        spoken: fixture.words.length,
        isComplete: text.trim() === words,
        closedWith,
      })),
  };
}

function toLatency(times: Stream["times"]): Latency {
  const answered = times.flatMap(({ captured, answered }) =>
    answered === null ? [] : [answered - captured],
  );
  return {
    ...toPercentiles(answered),
    max: Math.max(...answered),
    chunks: times.length,
    unanswered: times.length - answered.length,
  };
}
