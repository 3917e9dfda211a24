import { readFile } from "node:fs/promises";
import { prepareBuild } from "#bench/build.ts";
import { writeProof } from "./proof.ts";
import { relayGivenWords } from "./real/given-words.ts";
import { startSite } from "./real/real-site.ts";
import { findServer, installSteps, SpeechServer, serverUrl } from "./real/speech-server.ts";
import {
  countMissing,
  type Difference,
  runTrial,
  type TrialResult,
  trials,
} from "./real/speech-trials.ts";
import { readWav, type Sound } from "./sound.ts";

/**
 * `npm run rehearse -- real --sound=FILE.wav --text=FILE.txt [--codec=opus] [--only=WORDS,WORDS] [--build=FOLDER]`: records real
 * speech (16-bit mono WAV, and what is said in it) with WhisperLiveKit on this machine, through the product and directly,
 * and compares both. Says what is missing and how to install it. Takes about five minutes for each minute of sound.
 */
export async function rehearseReal(getOption: (name: string) => string | undefined) {
  const [soundFile, textFile] = [getOption("sound"), getOption("text")];
  const program = await findServer();
  if (program === null) {
    console.error(installSteps);
    return false;
  }
  if (!soundFile || !textFile) {
    console.error("Name some real speech: --sound=FILE.wav (16-bit, mono) and --text=FILE.txt");
    return false;
  }
  const codec = getOption("codec") === "opus" ? "opus" : "pcm_s16le";
  const samples = readWav(await readFile(soundFile));
  const text = (await readFile(textFile, "utf8")).replace(/\s+/g, " ").trim();
  const sound: Sound = { samples, seconds: samples.length / 16_000, source: soundFile, text };
  const folder = getOption("build");
  const build = folder ? { buildDir: folder, close: async () => {} } : await prepareBuild();
  const server = new SpeechServer(program, soundFile);
  await server.start();
  const given = await relayGivenWords(serverUrl);
  const site = await startSite(build.buildDir, given.url);
  const results: TrialResult[] = [];
  try {
    console.log(
      `WhisperLiveKit ${program.version}, tiny.en, ${codec}, ${sound.seconds.toFixed(0)} s`,
    );
    const only = getOption("only")?.split(",") ?? [""];
    for (const trial of trials.filter(({ name }) => only.some((words) => name.includes(words)))) {
      for (const result of await runTrial(trial, { site, given, server, sound, codec })) {
        results.push(result);
        console.log(describeResult(result));
        if (!isGood(result)) for (const line of result.log) console.log(`      ${line}`);
      }
    }
  } finally {
    await site.close();
    await given.close();
    await server.kill();
    await build.close();
  }
  const good = results.filter(isGood);
  await writeProof({
    part: "WhisperLiveKit",
    version: `${program.version}, tiny.en`,
    tried: `${sound.seconds.toFixed(0)} s of human speech through the product and directly, ${codec}: ${results.map(({ name }) => name).join(", ")}`,
    result: `${good.length} of ${results.length} trials are good; at most ${Math.max(...results.map(({ errors }) => errors)).toFixed(1)} % word errors`,
  });
  return good.length === results.length;
}

/** Word errors that another division of the sound into streams may cost, in per cent. */
const errorsMax = 5;

const isGood = ({ errors, directErrors, lateWords, unanswered, failure }: TrialResult) =>
  failure === null &&
  lateWords === 0 &&
  unanswered.length === 0 &&
  errors <= directErrors + errorsMax;

const describeResult = (result: TrialResult): string => {
  const { name, errors, directErrors, missing, lateWords, connections, failure, log } = result;
  const { behindSeconds, finishSeconds, busySeconds, givenMissing, unanswered, gaps } = result;
  const { text, invented } = result;
  return [
    `${isGood(result) ? "good" : "BAD"}  ${name}: ${errors.toFixed(1)} % word errors (directly ${directErrors.toFixed(1)} %)`,
    `${describeMissing(missing)} of the direct answer missing, ${describeMissing(givenMissing)} of those given to the product`,
    `${lateWords} came after their acknowledgement`,
    `${unanswered.length} words of acknowledged sound (${unanswered.join(" ")}) without words or a gap`,
    `gaps: ${gaps.map(({ startMs, endMs }) => `${toSeconds(startMs)} to ${toSeconds(endMs)}`).join(", ") || "none"}`,
    `left out as invented: ${invented.join(" ") || "nothing"}`,
    ...(isGood(result) ? [] : [`the page has: ${text}`]),
    ...(busySeconds > 0 ? [`told to wait for ${busySeconds} s`] : []),
    `held back ${behindSeconds.toFixed(0)} s, last words ${finishSeconds.toFixed(1)} s after the stop`,
    `${connections} connections, ${log.length} messages of the room${failure === null ? "" : `; ${failure}`}`,
  ].join("; ");
};

const toSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Sound that was heard a second time can have other words. */
const describeMissing = (differences: readonly Difference[]): string => {
  if (differences.length === 0) return "no words";
  const places = differences.map(({ expected, found }) => `"${expected}": "${found}"`);
  return `${countMissing(differences)} words (${places.join(", ")} on the page)`;
};
