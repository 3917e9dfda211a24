import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { type Percentiles, toPercentiles } from "#bench/percentiles.ts";
import { receiveInput, sendToParent } from "#bench/processes.ts";
import { captureSampleRate, chunkSamples } from "#shared/limits.ts";
import { encodeOpusChunk } from "#shared/opus.ts";
import { type AudioEncoding, encodeAudioFrame, getChunkMs } from "#shared/relay.ts";
import { createLectureFixture } from "#tests/fixtures/lecture.ts";
import { encodeOpusChunks } from "#tests/fixtures/opus.ts";

/** How a recording sends its audio: PCM in one of two encodings, or Opus. */
export type LoadAudio = AudioEncoding | "opus";

/** Simulates many browsers in one process: each sends a chunk when it is due and waits for its answer. */
export interface LoadPlan {
  targets: { url: string; headers: Record<string, string> }[];
  /** `provider`: PCM directly to the provider, in its own protocol. */
  audio: LoadAudio | "provider";
  /** Recordings start evenly over this time, so that periodic work of the rooms is spread too. */
  openOverMs: number;
  warmUpMs: number;
  measureMs: number;
}

/**
 * Sent in this order; times in ms. `all` covers every answer. `typical` is the median over slices of about a
 * second, so that a second in which other programs use the CPU does not change the result.
 */
export type LoadProgress =
  | { at: "connected" }
  | { at: "measuring" }
  | {
      at: "measured";
      all: Percentiles;
      typical: Percentiles;
      sent: number;
      answered: number;
      /** What the sockets have written, WebSocket frames included, bytes per recording and hour. */
      bytesPerHour: number;
    };

/** Minimum answers in a slice. */
const sliceMin = 60;
/** Time limit for answers after the last chunk. */
const drainMs = 2_000;

const pcm = Uint8Array.from(
  { length: 2 * chunkSamples },
  (_, index) => (index * 2_654_435_761) >>> 24,
);
const base64 = Buffer.from(pcm).toString("base64");
/** The test pattern as the browser encodes it; repeated. */
const opusChunks = encodeOpusChunks(
  createLectureFixture({ to: 20, sampleRate: captureSampleRate }).samples,
).map(({ packets }) => encodeOpusChunk({ packets, leadIn: [] }));

const startRequest = {
  model: "stt-rt-v5",
  audio_format: "pcm_s16le",
  sample_rate: captureSampleRate,
  num_channels: 1,
};

const sockets: WebSocket[] = [];
/** The TCP connections of the sockets. */
const connections: Socket[] = [];
const plan = await receiveInput<LoadPlan>(() => {
  for (const socket of sockets) socket.terminate();
});
const chunkMs = getChunkMs(plan.audio === "opus" ? "opus" : "pcm_s16le", captureSampleRate);
/** When each chunk was sent, by connection and sequence number; empty until the connection is ready. */
const sentAt: (number[] | undefined)[] = [];
const latencies: { sentAt: number; ms: number }[] = [];
let measureFrom = Number.POSITIVE_INFINITY;
let measureTo = Number.POSITIVE_INFINITY;
let sent = 0;

const sending = sendChunks();
await openAll();
sendToParent({ at: "connected" } satisfies LoadProgress);
await sleep(plan.warmUpMs);
measureFrom = performance.now();
measureTo = measureFrom + plan.measureMs;
const writtenBefore = countWrittenBytes();
sendToParent({ at: "measuring" } satisfies LoadProgress);
await sending;
const hours = (plan.targets.length * plan.measureMs) / 3_600_000;
const bytesPerHour = (countWrittenBytes() - writtenBefore) / hours;
const deadline = performance.now() + drainMs;
while (latencies.length < sent && performance.now() < deadline) await sleep(10);
const answered = latencies.length;
latencies.sort((one, other) => one.sentAt - other.sentAt);
const slices = toSlices(latencies.map(({ ms }) => ms)).map(toPercentiles);
const typical = {
  p50: median(slices.map(({ p50 }) => p50)),
  p95: median(slices.map(({ p95 }) => p95)),
  p99: median(slices.map(({ p99 }) => p99)),
};
const all = toPercentiles(latencies.map(({ ms }) => ms));
const counts = { sent, answered, bytesPerHour };
sendToParent({ at: "measured", all, typical, ...counts } satisfies LoadProgress);

function countWrittenBytes(): number {
  return connections.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0);
}

/** Slices of about a second each, with enough answers for a 95th percentile. */
function toSlices(values: number[]): number[][] {
  const count = Math.max(
    1,
    Math.min(Math.round(plan.measureMs / 1000), Math.floor(values.length / sliceMin)),
  );
  return Array.from({ length: count }, (_, index) =>
    values.slice((index * values.length) / count, ((index + 1) * values.length) / count),
  );
}

function median(values: readonly number[]): number {
  return toPercentiles(values).p50;
}

async function openAll(): Promise<void> {
  const stepMs = plan.openOverMs / plan.targets.length;
  await Promise.all(
    plan.targets.map(async (target, connection) => {
      await sleep(connection * stepMs);
      await connect(connection, target);
    }),
  );
}

async function connect(connection: number, target: LoadPlan["targets"][number]): Promise<void> {
  const socket = new WebSocket(target.url, { headers: target.headers, perMessageDeflate: false });
  sockets[connection] = socket;
  socket.on("upgrade", (response) => connections.push(response.socket));
  socket.on("close", (code) => {
    throw new Error(`connection ${connection} was closed with ${code}`);
  });
  await once(socket, "open");
  socket.send(JSON.stringify(plan.audio === "provider" ? startRequest : createConfig()));
  const acknowledged = new Promise<void>((resolve) => {
    socket.on("message", (data) => {
      const message = JSON.parse(String(data));
      if (message.type === "config_acknowledged") resolve();
      else if (message.tokens) recordAnswer(connection, message);
      else if (message.type === "error")
        throw new Error(`connection ${connection}: ${message.message}`);
    });
  });
  if (plan.audio !== "provider") await acknowledged;
  sentAt[connection] = [];
}

function recordAnswer(
  connection: number,
  message: { audio_total_proc_ms?: number; total_audio_proc_ms?: number },
): void {
  const now = performance.now();
  const totalMs = message.audio_total_proc_ms ?? message.total_audio_proc_ms ?? 0;
  const times = sentAt[connection];
  const chunk = Math.round(totalMs / chunkMs) - 1;
  const sendTime = times?.[chunk] ?? Number.NaN;
  // A room repeats its totals, for example with an acknowledgement: only the first answer counts.
  if (!times || Number.isNaN(sendTime)) return;
  times[chunk] = Number.NaN;
  if (sendTime >= measureFrom && sendTime < measureTo)
    latencies.push({ sentAt: sendTime, ms: now - sendTime });
}

/** Sends from every ready connection, evenly spread over a chunk's duration, until the measurement ends. */
async function sendChunks(): Promise<void> {
  const start = performance.now();
  const count = plan.targets.length;
  for (let turn = 0; ; turn++) {
    const due = start + (turn / count) * chunkMs;
    if (due >= measureTo) return;
    const wait = due - performance.now();
    if (wait > 0) await sleep(wait);
    const connection = turn % count;
    const times = sentAt[connection];
    if (!times) continue;
    const now = performance.now();
    const chunk = times.push(now) - 1;
    if (now >= measureFrom && now < measureTo) sent++;
    sockets[connection]?.send(createFrame(chunk));
  }
}

function createFrame(seq: number): string | Uint8Array {
  if (plan.audio === "provider") return pcm;
  if (plan.audio === "binary") return encodeAudioFrame(seq, pcm);
  if (plan.audio === "opus")
    return encodeAudioFrame(seq, opusChunks[seq % opusChunks.length] ?? new Uint8Array());
  return `{"type":"audio","seq":${seq},"data":"${base64}"}`;
}

function createConfig() {
  return {
    type: "config",
    sampleRate: captureSampleRate,
    language: "en",
    diarization: true,
    ...{ version: 2, take: randomUUID(), from: 0 },
    ...(plan.audio === "opus" ? { audio: "binary", codec: "opus" } : { audio: plan.audio }),
  };
}
