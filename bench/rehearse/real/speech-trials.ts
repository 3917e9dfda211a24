import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { countWordErrors } from "#bench/device-speech/word-errors.ts";
import type { Sound } from "#bench/rehearse/sound.ts";
import { chunkSound } from "#bench/rehearse/sound.ts";
import { readWords } from "#bench/rehearse/speech-facts.ts";
import { Stream } from "#bench/rehearse/stream.ts";
import { toDeepgramUrl } from "#worker/adapters/deepgram-address.ts";
import { parseDeepgramFrame } from "#worker/adapters/deepgram-messages.ts";
import type { startSite } from "./real-site.ts";
import { type PageSound, type Recorded, Recording } from "./recording.ts";
import { addPause, toPageSound } from "./sounds.ts";
import { type SpeechServer, serverUrl } from "./speech-server.ts";

/** What the product makes of a real speech server, beside the same server asked directly in one stream. */

type Site = Awaited<ReturnType<typeof startSite>>;

/** A busy server works on much sound at once without a message. */
const busyAnswerMs = 180_000;

export interface Trial {
  name: string;
  /** Silence in the middle, s. */
  pauseSeconds: number;
  /** What happens to the server meanwhile. `lengthMs`: of the sound. */
  disturb?(server: SpeechServer, lengthMs: number): Promise<void>;
  /** Both cores do other work, also while the server is asked directly. */
  isBusy?: true;
}

export const trials: readonly Trial[] = [
  ...[0, 5, 20, 30, 75].map((pauseSeconds) => ({
    name: `pause of ${pauseSeconds} s`,
    pauseSeconds,
  })),
  {
    name: "killed, and back after 15 s",
    pauseSeconds: 5,
    async disturb(server, lengthMs) {
      await delay(lengthMs / 2);
      await server.kill();
      await delay(15_000);
      await server.start();
    },
  },
  { name: "both cores busy", pauseSeconds: 5, isBusy: true },
  {
    name: "stop while it is 20 s behind",
    pauseSeconds: 5,
    async disturb(server, lengthMs) {
      await delay(lengthMs - 20_000);
      server.signal("SIGSTOP");
      await delay(21_000);
      server.signal("SIGCONT");
    },
  },
];

export interface TrialResult extends Recorded {
  name: string;
  /** Word errors of the server asked directly, and of the page, in per cent of what is said. */
  directErrors: number;
  errors: number;
  /** Words of the direct answer that the page does not have in their order. */
  missing: number;
  log: string[];
}

export async function runTrial(
  trial: Trial,
  {
    site,
    server,
    sound,
    codec,
  }: {
    site: Site;
    server: SpeechServer;
    sound: Sound;
    codec: PageSound["codec"];
  },
): Promise<TrialResult> {
  const samples = addPause(sound.samples, trial.pauseSeconds);
  const endWork = trial.isBusy ? keepBusy() : async () => {};
  try {
    const direct = await askDirectly({ ...sound, samples });
    site.takeLog();
    const { url, headers } = site.openRoom();
    const page = toPageSound(samples, codec);
    const disturbed = trial.disturb?.(server, page.chunks.length * page.chunkMs);
    const recorded = await new Recording(url, headers, page).run();
    await disturbed;
    const said = sound.text ?? "";
    return {
      ...recorded,
      name: trial.name,
      directErrors: toPercent(countWordErrors(said, direct)),
      errors: toPercent(countWordErrors(said, recorded.text)),
      missing: countMissing(direct, recorded.text),
      log: site.takeLog(),
    };
  } finally {
    await endWork();
  }
}

const toPercent = ({ errors, total }: { errors: number; total: number }) => (100 * errors) / total;

async function askDirectly(sound: Sound): Promise<string> {
  const about = { languages: ["en"] as const, context: "", terms: [], diarization: false };
  const start = { codec: "pcm_s16le" as const, sampleRate: 16_000, ...about };
  const stream = new Stream(toDeepgramUrl({ url: serverUrl, model: "nova-3" }, start), {});
  await stream.open();
  const { chunks, chunkMs } = chunkSound(sound, "pcm_s16le");
  await stream.sendSound(chunks, chunkMs, 1);
  stream.send({ type: "CloseStream" });
  await stream.closed(busyAnswerMs);
  return readWords(stream, (body) => parseDeepgramFrame(JSON.stringify(body))).text;
}

const listWords = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}'’-]+/gu) ?? [];

/** Words of `expected` outside a longest common subsequence with `found`. */
export function countMissing(expected: string, found: string): number {
  const words = listWords(found);
  let row = Array<number>(words.length + 1).fill(0);
  const all = listWords(expected);
  for (const word of all) {
    const next = [0];
    for (const [at, other] of words.entries())
      next.push(word === other ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    row = next;
  }
  return all.length - (row.at(-1) ?? 0);
}

/** Both cores work until the returned function is called. */
function keepBusy(): () => Promise<void> {
  const workers = [1, 2].map(() => new Worker("for (;;) {}", { eval: true }));
  return async () => {
    await Promise.all(workers.map((worker) => worker.terminate()));
  };
}
