import { readFile } from "node:fs/promises";
import { availableParallelism, loadavg } from "node:os";
import { chromium, type Page } from "@playwright/test";
import { chromiumArgs, chromiumPath } from "#tests/e2e/support/chromium.ts";
import { createLectureFixture } from "#tests/fixtures/lecture.ts";
import {
  createTinySpeechModel,
  type TinyModel,
} from "#tests/fixtures/speech-model/tiny-speech-model.ts";
import { createTinyTranslationModel } from "#tests/fixtures/translation-model/tiny-translation-model.ts";
import { encodeWav } from "#tests/fixtures/wav.ts";
import { measureTranslation } from "./device-speech/measure-translation.ts";
import { describeFolder, type Subject } from "./device-speech/model-folder.ts";
import { countWordErrors } from "./device-speech/word-errors.ts";
import { readResidentMiB } from "./processes.ts";
import { serveHarness } from "./transcript/harness.ts";

/**
 * `npm run bench:device-speech -- <folder> [<sound> <text>]`: how a Whisper model with word times runs in a page: time
 * until it is loaded, time to the words of windows of several lengths, memory, and the errors in its words. `folder`
 * has the model's files as at the hub, `sound` is a file that Chromium can decode, `text` what is said in it. Without
 * sound: the test pattern, which real models do not understand. Without a folder, or with `--smoke`: a tiny model
 * without weights, whose figures show what the libraries need. `--pair=<folder>`: a model that translates, or else a
 * tiny one, and `--target=<token>` its language where it has several.
 */
const smoke = process.argv.includes("--smoke");
const [folder, soundFile, textFile] = smoke
  ? []
  : process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const windowSeconds = smoke ? [5] : [2, 5, 10, 30];
const windowsEach = smoke ? 1 : 5;

const getOption = (name: string) =>
  smoke
    ? undefined
    : process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const pairFolder = getOption("pair");

const toSubject = ({ contents }: TinyModel): Subject => ({
  paths: [...contents.keys()],
  bytes: [...contents.values()].reduce((sum, { length }) => sum + length, 0),
  read: async (path) => contents.get(path) ?? null,
});

function createPattern() {
  const { samples, sampleRate, words } = createLectureFixture({
    to: smoke ? 8 : 60,
    sampleRate: 16_000,
  });
  return { sound: encodeWav(samples, sampleRate), text: words.map(({ text }) => text).join(" ") };
}

/** Resident memory of the tab's process, in which the worker runs too, MiB. */
async function readTabMiB(page: Page): Promise<number> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  if (!session) throw new Error("Chromium has no session");
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const tabs = processInfo.filter(({ type }) => type === "renderer");
  return Math.max(...tabs.map(({ id }) => readResidentMiB(id)));
}

const subject =
  folder === undefined ? toSubject(createTinySpeechModel()) : await describeFolder(folder);
const pair =
  pairFolder === undefined
    ? toSubject(createTinyTranslationModel())
    : await describeFolder(pairFolder);
const { sound, text } =
  soundFile === undefined
    ? createPattern()
    : {
        sound: await readFile(soundFile),
        text: textFile === undefined ? null : await readFile(textFile, "utf8"),
      };
const harness = await serveHarness("device-speech", {
  toPolicy: (policy) => policy,
  async readFile(path) {
    if (path === "sound") return sound;
    const [, file] = path.split("pair/");
    return file === undefined ? subject.read(path) : pair.read(file);
  },
});
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: chromiumArgs(),
});
try {
  const page = await browser.newPage();
  page.on("pageerror", (error) => {
    throw error;
  });
  await page.goto(harness.url);
  await page.waitForSelector("body[data-ready=yes]");
  const soundSeconds = await page.evaluate(() => window.deviceSpeech.fetchSound("/files/sound"));
  const emptyMiB = await readTabMiB(page);
  const loadMs = await page.evaluate(
    (paths) => window.deviceSpeech.open("/files/", paths),
    subject.paths,
  );
  const loadedMiB = await readTabMiB(page);
  await page.evaluate(() => window.deviceSpeech.takeLongTasks());
  const recognise = (from: number, to: number) =>
    page.evaluate(([a, b]) => window.deviceSpeech.recognise(a, b), [from, to] as const);

  const first = await recognise(0, Math.min(5, soundSeconds));
  const rows: string[] = [];
  for (const seconds of windowSeconds) {
    const times: number[] = [];
    for (let index = 0; index < windowsEach; index++) {
      const from = (index * seconds) % Math.max(seconds, soundSeconds - seconds);
      times.push((await recognise(from, Math.min(from + seconds, soundSeconds))).ms);
    }
    const middle = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
    rows.push(`| ${seconds} | ${middle.toFixed(0)} | ${(middle / 1000 / seconds).toFixed(2)} |`);
  }
  const words: string[] = [];
  let busyMs = 0;
  const stepSeconds = 28;
  for (let from = 0; from < soundSeconds; from += stepSeconds) {
    const result = await recognise(from, Math.min(from + stepSeconds, soundSeconds));
    busyMs += result.ms;
    words.push(...result.words.map((word) => word.text));
  }
  const detected = await page.evaluate(() => window.deviceSpeech.detect());
  const usedMiB = await readTabMiB(page);
  const longTasks = await page.evaluate(() => window.deviceSpeech.takeLongTasks());

  console.log(
    `### ${new Date().toISOString().slice(0, 10)}, Chromium ${browser.version()}, ${availableParallelism()} cores, load average ${loadavg()[0]?.toFixed(1)} at the end\n`,
  );
  console.log(`${folder ?? "the tiny model"}: ${(subject.bytes / 1e6).toFixed(2)} MB\n`);
  console.log("| | |\n| --- | --- |");
  console.log(`| loaded after, ms | ${loadMs.toFixed(0)} |`);
  console.log(`| words of the first 5 s after, ms | ${first.ms.toFixed(0)} |`);
  console.log(
    `| memory before, loaded, used, MiB | ${[emptyMiB, loadedMiB, usedMiB].map((mib) => mib.toFixed(0)).join(" / ")} |`,
  );
  console.log(
    `| real-time factor, ${soundSeconds.toFixed(0)} s in windows of ${stepSeconds} s | ${(busyMs / 1000 / soundSeconds).toFixed(2)} |`,
  );
  const frameMs = detected.ms / detected.probabilities.length;
  console.log(`| a frame of 32 ms in the voice detector, ms | ${frameMs.toFixed(2)} |`);
  console.log(`| tasks of the page of 50 ms or more | ${longTasks} |`);
  // Real models do not understand the pattern.
  if (words.length === 0 && (folder === undefined || soundFile !== undefined)) process.exitCode = 1;
  if (text !== null) {
    const { errors, total } = countWordErrors(text, words.join(" "));
    console.log(
      `| word errors | ${errors} of ${total}, ${((100 * errors) / Math.max(1, total)).toFixed(1)} % |`,
    );
    // Nothing but the tiny model is sure to understand the pattern, and all of it.
    if (folder === undefined && errors > 0) process.exitCode = 1;
  }
  console.log("\n| window, s | median, ms | of real time |\n| --- | --- | --- |");
  console.log(rows.join("\n"));
  const isRight = await measureTranslation(page, {
    ...{ name: pairFolder ?? "the tiny pair", pair, isTiny: pairFolder === undefined },
    ...{ target: getOption("target") ?? null, sentenceCount: smoke ? 5 : 50 },
  });
  if (!isRight) process.exitCode = 1;
} finally {
  await browser.close();
  await harness.close();
}
