import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { countWordErrors } from "#bench/device-speech/word-errors.ts";
import type { Sound } from "#bench/rehearse/sound.ts";
import { chunkSound } from "#bench/rehearse/sound.ts";
import { readWords } from "#bench/rehearse/speech-facts.ts";
import { Stream } from "#bench/rehearse/stream.ts";
import type { ProviderToken } from "#server/recording/room/events.ts";
import { toDeepgramUrl } from "#worker/adapters/deepgram-address.ts";
import { parseDeepgramMessage } from "#worker/adapters/deepgram-messages.ts";
import type { GivenWords } from "./given-words.ts";
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
  /** A second recording begins some seconds after the first one. */
  isTwice?: true;
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
  { name: "two recordings at once", pauseSeconds: 5, isTwice: true },
];

const secondAfterMs = 5_000;

export interface TrialResult extends Recorded {
  name: string;
  /** Word errors of the server asked directly, and of the page, in per cent of what is said. */
  directErrors: number;
  errors: number;
  /** Words of the direct answer that the page does not have in their order. */
  missing: readonly Difference[];
  /** The same of the final words that the server gave to the product, stream by stream. */
  givenMissing: readonly Difference[];
  /** Words of the direct answer in acknowledged sound for which the page has neither words nor a gap. */
  unanswered: readonly string[];
  log: string[];
}

export async function runTrial(
  trial: Trial,
  {
    site,
    given,
    server,
    sound,
    codec,
  }: {
    site: Site;
    given: GivenWords;
    server: SpeechServer;
    sound: Sound;
    codec: PageSound["codec"];
  },
): Promise<TrialResult[]> {
  const samples = addPause(sound.samples, trial.pauseSeconds);
  const endWork = trial.isBusy ? keepBusy() : async () => {};
  try {
    const direct = await askDirectly({ ...sound, samples });
    site.takeLog();
    given.take();
    const page = toPageSound(samples, codec);
    const record = async (afterMs: number) => {
      await delay(afterMs);
      const { url, headers } = site.openRoom();
      return new Recording(url, headers, page).run();
    };
    const disturbed = trial.disturb?.(server, page.chunks.length * page.chunkMs);
    const recordings = trial.isTwice ? [record(0), record(secondAfterMs)] : [record(0)];
    const recorded = await Promise.all(recordings);
    await disturbed;
    const said = sound.text ?? "";
    const streams = given.take();
    const log = site.takeLog();
    // A stream belongs to the recording that has most of its words: both are of the same sound.
    const givenMissing = streams.flatMap(
      (text) =>
        recorded
          .map((one) => listMissing(text, one.text))
          .sort((a, b) => countMissing(a) - countMissing(b))[0] ?? [],
    );
    return recorded.map((one, index) => ({
      ...one,
      name: index === 0 ? trial.name : `${trial.name}, the second`,
      directErrors: toPercent(countWordErrors(said, direct.text)),
      errors: toPercent(countWordErrors(said, one.text)),
      missing: listMissing(direct.text, one.text),
      givenMissing,
      unanswered: listUnanswered(direct.words, one, page),
      log,
      failure:
        index > 0 && one.busySeconds === 0 ? "it was not told of the first one" : one.failure,
    }));
  } finally {
    await endWork();
  }
}

const toPercent = ({ errors, total }: { errors: number; total: number }) => (100 * errors) / total;

async function askDirectly(sound: Sound) {
  const about = { languages: ["en"] as const, context: "", terms: [], diarization: false };
  const start = { codec: "pcm_s16le" as const, sampleRate: 16_000, ...about };
  const stream = new Stream(toDeepgramUrl({ url: serverUrl, model: "nova-3" }, start), {});
  await stream.open();
  const { chunks, chunkMs } = chunkSound(sound, "pcm_s16le");
  await stream.sendSound(chunks, chunkMs, 1);
  stream.send({ type: "CloseStream" });
  await stream.closed(busyAnswerMs);
  return readWords(stream, parseDeepgramMessage);
}

/** Times of a word may be so far from its sound, in each of two answers. */
const reachMs = 1_000;

/**
 * The `words` that the same server has found where a page has nothing: neither words nor a gap. Models invent some in
 * silence, which a page leaves out: they do not count.
 */
export function listUnanswered(
  words: readonly ProviderToken[],
  page: Pick<Recorded, "words" | "gaps">,
  { levels, chunkMs }: Pick<PageSound, "levels" | "chunkMs">,
): string[] {
  const isSilent = (atMs: number) =>
    levels
      .slice(Math.max(0, Math.floor((atMs - reachMs) / chunkMs)), (atMs + reachMs) / chunkMs)
      .every((level) => level === 0);
  const heard = page.words.map((word) => [word.start_ms ?? 0, word.end_ms ?? 0] as const);
  const gaps = page.gaps.map((gap) => [gap.startMs, gap.endMs] as const);
  return words
    .filter(({ startMs, endMs }) => {
      const atMs = ((startMs ?? 0) + (endMs ?? 0)) / 2;
      const isAnswered = [...heard, ...gaps].some(
        ([from, to]) => atMs >= from - 2 * reachMs && atMs <= to + 2 * reachMs,
      );
      return !isAnswered && !isSilent(atMs);
    })
    .map(({ text }) => text.trim());
}

/** How many words are missing; without what stands in their place. */
export const countMissing = (differences: readonly Difference[]): number =>
  differences.reduce((sum, { expected }) => sum + expected.split(" ").length, 0);

const listWords = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}'’-]+/gu) ?? [];

/** Words that one text has and another one does not in their order, and what that one has in their place. */
export interface Difference {
  expected: string;
  found: string;
}

/** Where `found` lacks words of `expected`, by a longest common subsequence. Takes memory for each pair of words. */
export function listMissing(expected: string, found: string): Difference[] {
  const all = listWords(expected);
  const others = listWords(found);
  // Length of the longest common subsequence of what follows a word of each.
  const lengths = Array.from({ length: all.length + 1 }, () => new Uint16Array(others.length + 1));
  const getLength = (row: number, column: number) => lengths[row]?.[column] ?? 0;
  for (let row = all.length - 1; row >= 0; row -= 1)
    for (let column = others.length - 1; column >= 0; column -= 1) {
      const isSame = all[row] === others[column];
      const length = isSame
        ? getLength(row + 1, column + 1) + 1
        : Math.max(getLength(row + 1, column), getLength(row, column + 1));
      lengths[row]?.fill(length, column, column + 1);
    }
  const differences: Difference[] = [];
  let missing: string[] = [];
  let instead: string[] = [];
  const endDifference = () => {
    if (missing.length > 0)
      differences.push({ expected: missing.join(" "), found: instead.join(" ") });
    missing = [];
    instead = [];
  };
  let row = 0;
  let column = 0;
  while (row < all.length) {
    const word = all[row] ?? "";
    const other = others[column];
    if (word === other) {
      endDifference();
      row += 1;
      column += 1;
    } else if (other !== undefined && getLength(row, column) === getLength(row, column + 1)) {
      instead.push(other);
      column += 1;
    } else {
      missing.push(word);
      row += 1;
    }
  }
  endDifference();
  return differences;
}

/** Both cores work until the returned function is called. */
function keepBusy(): () => Promise<void> {
  const workers = [1, 2].map(() => new Worker("for (;;) {}", { eval: true }));
  return async () => {
    await Promise.all(workers.map((worker) => worker.terminate()));
  };
}
