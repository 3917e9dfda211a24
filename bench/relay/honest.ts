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
 * Honest recordings in one process: each speaks the test pattern in real time, keeps to the relay's
 * window, and must get every word back, once and in order.
 */
export interface HonestPlan {
  recordings: Target[];
  /** Straight to the provider, at the same time: what the machine and the provider add by themselves. */
  direct: Target;
  /** How long words are spoken; silence follows. */
  spokenMs: number;
}

export interface Target {
  url: string;
  headers: Record<string, string>;
}

/** A stretch of time with a name begins, or the recordings end. */
type HonestOrder = { phase: string } | { phase: null };

export interface HonestReport {
  phases: Record<string, { room: Latency; direct: Latency }>;
  recordings: { spoken: number; isComplete: boolean; closedWith: number | null }[];
}

/** From the end of a chunk's sound to the first answer that covers it, ms. */
export interface Latency extends Percentiles {
  max: number;
  chunks: number;
  unanswered: number;
}

const chunkMs = (chunkSamples / captureSampleRate) * 1000;
const wordMs = 840;
/** How long a recording may take to be finalized. */
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
/** When each phase began, in order. */
const phases: { name: string | null; at: number }[] = [];

/** One connection that speaks. */
class Stream {
  readonly socket: WebSocket;
  text = "";
  closedWith: number | null = null;
  /** When the sound of each chunk was there, and when it was answered. */
  readonly times: { captured: number; answered: number | null }[] = [];
  #sent = 0;
  #acknowledged = -1;
  #unanswered = 0;
  #ended = false;
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

  /** Captures a chunk each 256 ms until the words are over and `end` was called. */
  async speak(): Promise<void> {
    const start = performance.now();
    for (let chunk = 0; chunk < chunkCount || !this.#ended; chunk++) {
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
    this.#ended = true;
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

  /** Everything up to `totalMs` of the sound is answered. */
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
  version: 1,
  audio: "binary",
  resumeFrom: 0,
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
  // Each at its own phase.
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
