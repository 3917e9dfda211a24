import { type Browser, chromium, type Page } from "@playwright/test";
import { readResidentMiB } from "#bench/processes.ts";
import { serveHarness } from "#bench/transcript/harness.ts";
import { chromiumArgs, chromiumPath } from "#tests/e2e/support/chromium.ts";
import { createLectureFixture } from "#tests/fixtures/lecture.ts";
import {
  createTinySpeechModel,
  type TinyModel,
} from "#tests/fixtures/speech-model/tiny-speech-model.ts";
import { createTinyTranslationModel } from "#tests/fixtures/translation-model/tiny-translation-model.ts";
import { encodeWav } from "#tests/fixtures/wav.ts";
import { measureTranslation } from "./measure-translation.ts";
import { describeFolder, type Subject } from "./model-folder.ts";
import type { Options } from "./options.ts";
import { listStreams, readStream } from "./streams.ts";
import { countWordErrors } from "./word-errors.ts";

interface SpeechSubject {
  name: string;
  model: Subject;
  /** A file that Chromium can decode. */
  sound: Uint8Array;
  /** What is said in it, of which the model must understand each word; null: it need not. */
  text: string | null;
}

const toSubject = ({ contents }: TinyModel): Subject => ({
  paths: [...contents.keys()],
  bytes: [...contents.values()].reduce((sum, { length }) => sum + length, 0),
  read: async (path) => contents.get(path) ?? null,
});

/** Real weights do not understand the test pattern, and the tiny model nothing else. */
async function createSubject({ smoke, model, speech }: Options): Promise<SpeechSubject> {
  const [stream] = smoke || speech === null ? [] : await listStreams(speech);
  if (model !== null && speech !== null && stream !== undefined) {
    const { samples } = await readStream(speech, stream);
    const sound = encodeWav(samples, 16_000);
    return { name: model, model: await describeFolder(model), sound, text: null };
  }
  const { samples, sampleRate, words } = createLectureFixture({
    to: smoke ? 8 : 60,
    sampleRate: 16_000,
  });
  return {
    name: "the tiny model",
    model: toSubject(createTinySpeechModel()),
    sound: encodeWav(samples, sampleRate),
    text: words.map(({ text }) => text).join(" "),
  };
}

/**
 * How models run in a page without the product around them: time until they are loaded, time of windows of several
 * lengths, memory, sentences that are translated. Prints it.
 *
 * @returns false if words or a translation are missing
 */
export async function measureLibraries(options: Options): Promise<boolean> {
  const subject = await createSubject(options);
  const pair =
    options.pair === null
      ? toSubject(createTinyTranslationModel())
      : await describeFolder(options.pair);
  const harness = await serveHarness("device-speech", {
    toPolicy: (policy) => policy,
    async readFile(path) {
      if (path === "sound") return subject.sound;
      const [, file] = path.split("pair/");
      return file === undefined ? subject.model.read(path) : pair.read(file);
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
    const hasWords = await measureSpeechModel(browser, page, subject, options.smoke);
    const isTranslated = await measureTranslation(page, {
      name: options.pair ?? "the tiny pair",
      pair,
      isTiny: options.pair === null,
      target: options.target,
      sentenceCount: options.smoke ? 5 : 50,
    });
    return hasWords && isTranslated;
  } finally {
    await browser.close();
    await harness.close();
  }
}

/** @returns false if words are missing */
async function measureSpeechModel(
  browser: Browser,
  page: Page,
  { name, model, text }: SpeechSubject,
  smoke: boolean,
): Promise<boolean> {
  const windowSeconds = smoke ? [5] : [2, 5, 10, 30];
  const windowsEach = smoke ? 1 : 5;
  const soundSeconds = await page.evaluate(() => window.deviceSpeech.fetchSound("/files/sound"));
  const emptyMiB = await readTabMiB(browser);
  const loadMs = await page.evaluate(
    (paths) => window.deviceSpeech.open("/files/", paths),
    model.paths,
  );
  const loadedMiB = await readTabMiB(browser);
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
  const usedMiB = await readTabMiB(browser);
  const longTasks = await page.evaluate(() => window.deviceSpeech.takeLongTasks());

  console.log(`${name}, in Chromium ${browser.version()}: ${(model.bytes / 1e6).toFixed(2)} MB\n`);
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
  console.log("\n| window, s | median, ms | of real time |\n| --- | --- | --- |");
  console.log(rows.join("\n"));
  return words.length > 0 && (text === null || countWordErrors(text, words.join(" ")).errors === 0);
}

/** Resident memory of the tab's process, in which the worker runs too, MiB. */
async function readTabMiB(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const tabs = processInfo.filter(({ type }) => type === "renderer");
  return Math.max(...tabs.map(({ id }) => readResidentMiB(id)));
}
