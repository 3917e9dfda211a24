import { once } from "node:events";
import { WebSocket } from "ws";
import { captureSampleRate, chunkSamples } from "../src/shared/limits.ts";
import { type AudioEncoding, encodeAudioFrame } from "../src/shared/relay.ts";
import { partInput, tell } from "./processes.ts";

/** Many browsers in one process: each sends a chunk every 256 ms and waits for its answer. */
export interface LoadPlan {
  targets: { url: string; headers: Record<string, string> }[];
  /** `provider`: straight to the provider, in its own protocol. */
  encoding: AudioEncoding | "provider";
  warmUpMs: number;
  measureMs: number;
}

/** Sent in this order. */
export type LoadNews =
  | { at: "connected" }
  | { at: "measuring" }
  | { at: "measured"; latency: Percentiles; sent: number; answered: number };

/** Milliseconds. */
export interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
}

const chunkMs = (chunkSamples / captureSampleRate) * 1000;
/** Connections that are opened at the same time: a class, not a stampede. */
const openAtOnce = 20;
/** How long an answer may come after the last chunk. */
const drainMs = 2_000;

const pcm = Uint8Array.from(
  { length: 2 * chunkSamples },
  (_, index) => (index * 2_654_435_761) >>> 24,
);
const base64 = Buffer.from(pcm).toString("base64");

const startRequest = {
  model: "stt-rt-v5",
  audio_format: "pcm_s16le",
  sample_rate: captureSampleRate,
  num_channels: 1,
};

const sockets: WebSocket[] = [];
const plan = await partInput<LoadPlan>(() => {
  for (const socket of sockets) socket.terminate();
});
/** When each chunk was sent, by connection and sequence number. */
const sentAt: Float64Array[] = [];
const latencies: number[] = [];
let measureFrom = Number.POSITIVE_INFINITY;
let measureTo = Number.POSITIVE_INFINITY;
let sent = 0;

for (let from = 0; from < plan.targets.length; from += openAtOnce) {
  const batch = plan.targets.slice(from, from + openAtOnce);
  await Promise.all(batch.map((target, index) => connect(from + index, target)));
}
tell({ at: "connected" } satisfies LoadNews);
await run();
const answered = latencies.length;
latencies.sort((a, b) => a - b);
const at = (share: number) =>
  latencies[Math.min(answered - 1, Math.floor(share * answered))] ?? Number.NaN;
const latency = { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
tell({ at: "measured", latency, sent, answered } satisfies LoadNews);

async function connect(connection: number, target: LoadPlan["targets"][number]): Promise<void> {
  const socket = new WebSocket(target.url, { headers: target.headers, perMessageDeflate: false });
  sockets[connection] = socket;
  const chunks = Math.ceil((plan.warmUpMs + plan.measureMs + drainMs) / chunkMs) + 8;
  sentAt[connection] = new Float64Array(chunks).fill(Number.NaN);
  socket.on("close", (code) => {
    throw new Error(`connection ${connection} was closed with ${code}`);
  });
  await once(socket, "open");
  socket.send(JSON.stringify(plan.encoding === "provider" ? startRequest : config()));
  const acknowledged = new Promise<void>((resolve) => {
    socket.on("message", (data) => {
      const message = JSON.parse(String(data));
      if (message.type === "config_acknowledged") resolve();
      else if (message.tokens) hear(connection, message);
      else if (message.type === "error")
        throw new Error(`connection ${connection}: ${message.message}`);
    });
  });
  if (plan.encoding !== "provider") await acknowledged;
}

function hear(
  connection: number,
  message: { audio_total_proc_ms?: number; total_audio_proc_ms?: number },
): void {
  const now = performance.now();
  const totalMs = message.audio_total_proc_ms ?? message.total_audio_proc_ms ?? 0;
  const times = sentAt[connection];
  const chunk = Math.round(totalMs / chunkMs) - 1;
  const sendTime = times?.[chunk] ?? Number.NaN;
  // A room repeats its totals, with an acknowledgement for example: the first answer counts.
  if (!times || Number.isNaN(sendTime)) return;
  times[chunk] = Number.NaN;
  if (sendTime >= measureFrom && sendTime < measureTo) latencies.push(now - sendTime);
}

/** Sends from every connection at its own phase, then waits for the last answers. */
async function run(): Promise<void> {
  const start = performance.now();
  measureFrom = start + plan.warmUpMs;
  measureTo = measureFrom + plan.measureMs;
  const count = plan.targets.length;
  let announced = false;
  for (let turn = 0; ; turn++) {
    const due = start + (turn / count) * chunkMs;
    if (due >= measureTo) break;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    if (!announced && performance.now() >= measureFrom) {
      announced = true;
      tell({ at: "measuring" } satisfies LoadNews);
    }
    const connection = turn % count;
    const chunk = Math.floor(turn / count);
    const now = performance.now();
    (sentAt[connection] ?? [])[chunk] = now;
    if (now >= measureFrom && now < measureTo) sent++;
    sockets[connection]?.send(frame(chunk));
  }
  const deadline = performance.now() + drainMs;
  while (latencies.length < sent && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 10));
}

function frame(seq: number): string | Uint8Array {
  if (plan.encoding === "provider") return pcm;
  if (plan.encoding === "binary") return encodeAudioFrame(seq, pcm);
  return `{"type":"audio","seq":${seq},"data":"${base64}"}`;
}

function config() {
  return {
    type: "config",
    sampleRate: captureSampleRate,
    language: "en",
    diarization: true,
    version: 1,
    audio: plan.encoding,
    resumeFrom: 0,
  };
}
