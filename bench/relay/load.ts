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
import { EchoAnswers } from "./answers.ts";
import { EchoTranslations, echoTarget } from "./translations.ts";

/** How a recording sends its audio: PCM in one of two encodings, or Opus. */
export type LoadAudio = AudioEncoding | "opus";

/**
 * Simulates many browsers in one process: each sends a chunk when it is due and waits for its answer. Measuring begins
 * when every connection has its first answer, and so its session of the provider.
 */
export interface LoadPlan {
  targets: { url: string; headers: Record<string, string> }[];
  /** `provider`: PCM directly to the provider, in its own protocol. */
  audio: LoadAudio | "provider";
  /** The other end acknowledges chunks, and answers `finalize`. */
  acknowledges: boolean;
  /** The provider is to translate in its stream. */
  translates: boolean;
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
  | { at: "open" }
  | { at: "measuring" }
  | {
      at: "measured";
      all: Percentiles;
      typical: Percentiles;
      sent: number;
      answered: number;
      /** What the sockets have written, WebSocket frames included, bytes per recording and hour. */
      bytesPerHour: number;
    }
  /** For each connection without a word, an acknowledgement or a translation that it should have: what is wrong. */
  | { at: "checked"; faults: string[]; translatedSentences: number };

/** Minimum answers in a slice. */
const sliceMin = 60;
/** Time limit until the last connection has its first answer. */
const openMs = 60_000;
/** Time limits for answers after the last chunk, and for the answer to `finalize`. */
const drainMs = 20_000;
const finalizeMs = 10_000;

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
interface Connected {
  answers: EchoAnswers;
  translations: EchoTranslations;
  /** When each chunk was sent. */
  sentAt: number[];
}
/** The connections that are ready. */
const connected: (Connected | undefined)[] = [];
const latencies: { sentAt: number; ms: number }[] = [];
let measureFrom = Number.POSITIVE_INFINITY;
let measureTo = Number.POSITIVE_INFINITY;
let sent = 0;

const sending = sendChunks();
await openAll();
sendToParent({ at: "open" } satisfies LoadProgress);
await sleep(plan.warmUpMs);
measureFrom = performance.now();
measureTo = measureFrom + plan.measureMs;
const writtenBefore = countWrittenBytes();
sendToParent({ at: "measuring" } satisfies LoadProgress);
await sending;
const hours = (plan.targets.length * plan.measureMs) / 3_600_000;
const bytesPerHour = (countWrittenBytes() - writtenBefore) / hours;
await waitFor(({ answers }) => answers.hasAllWords(), drainMs);
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
if (plan.acknowledges) {
  for (const socket of sockets) socket.send(JSON.stringify({ type: "finalize" }));
  await waitFor(({ answers }) => answers.isComplete(), finalizeMs);
}
const faults = plan.targets.flatMap((_, connection) => {
  const fault = findFault(connected[connection]);
  return fault === null ? [] : [`connection ${connection}: ${fault}`];
});
const translatedSentences = connected.reduce(
  (sum, one) => sum + (one?.translations.countSentences() ?? 0),
  0,
);
sendToParent({ at: "checked", faults, translatedSentences } satisfies LoadProgress);

function findFault(connection: Connected | undefined): string | null {
  if (connection === undefined) return "it never opened";
  const { answers, translations } = connection;
  const fault = answers.findFault(plan.acknowledges);
  return fault === null && plan.translates ? translations.findFault(answers.sent) : fault;
}

/** Waits until all connections are so, or the time is over. */
async function waitFor(isSo: (connection: Connected) => boolean, ms: number): Promise<void> {
  const deadline = performance.now() + ms;
  const areSo = () => connected.every((one) => one !== undefined && isSo(one));
  while (!areSo() && performance.now() < deadline) await sleep(10);
}

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

/** @throws when a connection has no answer in time */
async function openAll(): Promise<void> {
  const stepMs = plan.openOverMs / plan.targets.length;
  let waiting = plan.targets.length;
  const opening = plan.targets.map(async (target, connection) => {
    await sleep(connection * stepMs);
    await connect(connection, target);
    waiting -= 1;
  });
  const expired = sleep(plan.openOverMs + openMs, undefined, { ref: false }).then(() => {
    throw new Error(`${waiting} of ${plan.targets.length} connections got no first answer`);
  });
  await Promise.race([Promise.all(opening), expired]);
}

/** Resolves with the first answer to a chunk. */
async function connect(connection: number, target: LoadPlan["targets"][number]): Promise<void> {
  const socket = new WebSocket(target.url, { headers: target.headers, perMessageDeflate: false });
  sockets[connection] = socket;
  socket.on("upgrade", (response) => connections.push(response.socket));
  let reason = "";
  socket.on("error", ({ message }) => {
    reason = message;
  });
  socket.on("close", (code) => {
    throw new Error(`connection ${connection} was closed with ${code} ${reason}`);
  });
  await once(socket, "open");
  socket.send(JSON.stringify(plan.audio === "provider" ? startRequest : createConfig()));
  const [acknowledged, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const answers = new EchoAnswers();
  const translations = new EchoTranslations();
  const sentAt: number[] = [];
  socket.on("message", (data) => {
    const now = performance.now();
    const message = JSON.parse(String(data));
    if (message.type === "config_acknowledged") acknowledged.resolve();
    if (message.type === "error") throw new Error(`connection ${connection}: ${message.message}`);
    translations.receive(message);
    for (const chunk of answers.receive(message)) {
      const at = sentAt[chunk] ?? Number.NaN;
      if (at >= measureFrom && at < measureTo) latencies.push({ sentAt: at, ms: now - at });
      answered.resolve();
    }
  });
  if (plan.audio !== "provider") await acknowledged.promise;
  connected[connection] = { answers, translations, sentAt };
  await answered.promise;
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
    const one = connected[connection];
    if (!one) continue;
    const now = performance.now();
    const chunk = one.answers.addChunk();
    one.sentAt[chunk] = now;
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
    version: 2,
    take: randomUUID(),
    from: 0,
    ...(plan.translates && { translateInto: echoTarget }),
    ...(plan.audio === "opus" ? { audio: "binary", codec: "opus" } : { audio: plan.audio }),
  };
}
