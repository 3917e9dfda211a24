import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { type Percentiles, toPercentiles } from "#bench/percentiles.ts";
import { receiveInput, sendToParent } from "#bench/processes.ts";
import { EchoAnswers } from "#bench/relay/answers.ts";
import type { TargetLanguage } from "#shared/languages.ts";
import { captureSampleRate, chunkSamples } from "#shared/limits.ts";
import { encodeAudioFrame } from "#shared/relay.ts";
import type { ShareServerMessage } from "#shared/share.ts";
import { sharePing, sharePingMs } from "#shared/site.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";

/** Simulates a recorder and its readers in one process, which has one clock for both. */
export interface ClassLoad {
  recorder: { url: string; headers: Record<string, string> };
  /** Where the recorder saves its rows; null: nowhere. */
  save: { url: string; lectureId: string; headers: Record<string, string> } | null;
  /** Address of the readers without their language; null: nobody reads. */
  readerUrl: string | null;
  readers: number;
  languages: TargetLanguage[];
  /** A sentence of so many words becomes a row, two seconds after it has ended. */
  wordsPerRow: number;
  openOverMs: number;
  warmUpMs: number;
  measureMs: number;
}

/** Sent in this order; times in ms. */
export type ClassProgress =
  | { at: "open" }
  | { at: "measuring" }
  | { at: "spoken" }
  | {
      at: "measured";
      /** From a chunk at the recorder to its word there. */
      recorder: Percentiles;
      /** From a word at the recorder to the same word at each reader; null without readers. */
      reader: Percentiles | null;
      /** Words that a reader did not get within two seconds. */
      missing: number;
      frames: number;
      translations: number;
      /** What is wrong with the recorder's words and acknowledgements; null: nothing. */
      fault: string | null;
      /** Translations that a reader did not get. */
      missingTranslations: number;
    };

const chunkMs = (chunkSamples / captureSampleRate) * 1_000;
const saveAfterMs = 2_000;
const drainMs = 2_000;
/** Time limits for the answer to `finalize`, and for the translations of the last row. */
const finalizeMs = 10_000;
const translationMs = 10_000;
const pcm = Uint8Array.from(
  { length: 2 * chunkSamples },
  (_, index) => (index * 2_654_435_761) >>> 24,
);

const sockets: WebSocket[] = [];
const plan = await receiveInput<ClassLoad>(() => {
  for (const socket of sockets) socket.terminate();
});
const { wordsPerRow } = plan;
const answers = new EchoAnswers();
/** When each chunk was sent, and when its word reached the recorder. */
const sentAt: number[] = [];
const heardAt: number[] = [];
let measureFrom = Number.POSITIVE_INFINITY;
let measureTo = Number.POSITIVE_INFINITY;
const recorderLatencies: number[] = [];
/** When a reader got a word; perhaps before the recorder. */
const readings: { word: number; at: number }[] = [];
let frames = 0;
let translations = 0;
const saves: Promise<void>[] = [];
const isMeasured = (at: number | undefined): at is number =>
  at !== undefined && at >= measureFrom && at < measureTo;

const recorder = await openRecorder();
if (plan.readerUrl !== null) {
  const stepMs = plan.openOverMs / plan.readers;
  await Promise.all(
    Array.from({ length: plan.readers }, async (_, index) => {
      await sleep(index * stepMs);
      await openReader(index);
    }),
  );
}
const pings = setInterval(() => {
  for (const socket of sockets) if (socket !== recorder) socket.send(sharePing);
}, sharePingMs);
sendToParent({ at: "open" } satisfies ClassProgress);
const speaking = speak();
await sleep(plan.warmUpMs);
measureFrom = performance.now();
measureTo = measureFrom + plan.measureMs;
sendToParent({ at: "measuring" } satisfies ClassProgress);
await speaking;
await sleep(drainMs);
sendToParent({ at: "spoken" } satisfies ClassProgress);
const isSaved = plan.save !== null;
if (isSaved) {
  recorder.send(JSON.stringify({ type: "finalize" }));
  await waitFor(() => answers.isComplete(), finalizeMs);
}
await Promise.all(saves);
const expectedTranslations =
  plan.readerUrl === null || !isSaved ? 0 : saves.length * countTranslatedReaders();
await waitFor(() => translations >= expectedTranslations, translationMs);
clearInterval(pings);
const readerLatencies = readings.flatMap(({ word, at }) => {
  const heard = heardAt[word];
  return isMeasured(heard) ? [at - heard] : [];
});
const words = heardAt.filter(isMeasured).length;
const expected = plan.readerUrl === null ? 0 : words * plan.readers;
sendToParent({
  at: "measured",
  recorder: toPercentiles(recorderLatencies),
  reader: plan.readerUrl === null ? null : toPercentiles(readerLatencies),
  missing: expected - readerLatencies.length,
  frames,
  translations,
  fault: answers.findFault(isSaved),
  missingTranslations: expectedTranslations - translations,
} satisfies ClassProgress);

async function waitFor(isSo: () => boolean, ms: number): Promise<void> {
  const deadline = performance.now() + ms;
  while (!isSo() && performance.now() < deadline) await sleep(10);
}

function countTranslatedReaders(): number {
  return Array.from({ length: plan.readers }, (_, index) => getLanguage(index)).filter(
    (language) => language !== "none",
  ).length;
}

function getLanguage(reader: number): TargetLanguage {
  return plan.languages[reader % plan.languages.length] ?? "none";
}

async function open(
  url: string,
  headers: Record<string, string>,
  onMessage: (text: string, socket: WebSocket) => void,
): Promise<WebSocket> {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  sockets.push(socket);
  // The first message may come with the upgrade.
  socket.on("message", (data) => onMessage(String(data), socket));
  socket.on("close", (code) => {
    throw new Error(`a connection was closed with ${code}`);
  });
  await once(socket, "open");
  return socket;
}

async function openRecorder(): Promise<WebSocket> {
  const acknowledged = Promise.withResolvers<void>();
  const socket = await open(plan.recorder.url, plan.recorder.headers, (text) => {
    const now = performance.now();
    const message = JSON.parse(text);
    if (message.type === "config_acknowledged") acknowledged.resolve();
    if (message.type === "error") throw new Error(`the recorder: ${message.message}`);
    for (const word of answers.receive(message)) {
      heardAt[word] = now;
      const sent = sentAt[word];
      if (isMeasured(sent)) recorderLatencies.push(now - sent);
      saveRow(word + 1);
    }
  });
  const config = { type: "config", sampleRate: captureSampleRate, language: "en", version: 2 };
  socket.send(JSON.stringify({ ...config, audio: "binary", take: crypto.randomUUID() }));
  await acknowledged.promise;
  return socket;
}

async function openReader(index: number): Promise<void> {
  const language = getLanguage(index);
  let known = 0;
  const hasText = Promise.withResolvers<void>();
  await open(`${plan.readerUrl}&language=${language}`, {}, (text, socket) => {
    const now = performance.now();
    if (text === "pong") return;
    const message: ShareServerMessage = JSON.parse(text);
    if (message.type === "probe") {
      socket.send(text);
      return;
    }
    if (now >= measureFrom && now < measureTo) frames += 1;
    if (message.type === "closed") throw new Error(`a reader was closed: ${message.reason}`);
    if (message.type !== "snapshot" && message.type !== "delta") return;
    translations += message.translations?.length ?? 0;
    // The words are the numbers of their chunks.
    const last = /(\d+)\D*$/.exec(message.live?.finalText ?? "")?.[1];
    for (const end = last === undefined ? 0 : Number(last) + 1; known < end; known += 1)
      readings.push({ word: known, at: now });
    hasText.resolve();
  });
  await hasText.promise;
}

async function speak(): Promise<void> {
  const start = performance.now();
  for (let chunk = 0; ; chunk += 1) {
    const due = start + chunk * chunkMs;
    if (due >= measureTo) return;
    await sleep(Math.max(0, due - performance.now()));
    answers.addChunk();
    sentAt[chunk] = performance.now();
    recorder.send(encodeAudioFrame(chunk, pcm));
  }
}

/** Saves the last sentence as the recorder's page does. */
function saveRow(count: number): void {
  const { save } = plan;
  if (save === null || count % wordsPerRow !== 0) return;
  const first = count - wordsPerRow;
  const original = Array.from({ length: wordsPerRow }, (_, index) => `word ${first + index + 1}`);
  const entry = createEntry(`${original.join(" ")}.`, Math.round(first * chunkMs), {
    ordinal: count / wordsPerRow - 1,
    endMs: Math.round(count * chunkMs),
  });
  const body = JSON.stringify({ lectureId: save.lectureId, entries: [entry], deleted: [] });
  const saving = sleep(saveAfterMs).then(async () => {
    const headers = { "content-type": "application/json", ...save.headers };
    const response = await fetch(`${save.url}/trpc/lectures.saveRows`, {
      method: "POST",
      headers,
      body,
    });
    if (!response.ok) throw new Error(`a row was refused: ${await response.text()}`);
  });
  saves.push(saving);
}
