import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import type {
  ModelDescription,
  WeightType,
} from "#client/realtime/device-speech/model-description.ts";
import { chromiumArgs, chromiumPath } from "#tests/e2e/support/chromium.ts";
import { createLectureFixture } from "#tests/fixtures/lecture.ts";
import { createTinySpeechModel } from "#tests/fixtures/speech-model/tiny-speech-model.ts";
import { encodeWav } from "#tests/fixtures/wav.ts";
import { countWordErrors } from "./device-speech/word-errors.ts";
import { readResidentMiB } from "./processes.ts";
import { serveHarness } from "./transcript/harness.ts";

/**
 * `npm run bench:device-speech -- <folder> [<sound> <text>]`: how a Whisper model with word times runs in a page: time
 * until it is loaded, time to the words of windows of several lengths, memory, and the errors in its words. `folder`
 * has the model's files as at the hub, `sound` is a file that Chromium can decode, `text` what is said in it. Without
 * sound: the test pattern, which real models do not understand. Without a folder, or with `--smoke`: a tiny model
 * without weights, whose figures show what the libraries need. `--webgpu`: in a Chromium that may use the GPU;
 * `--webgpu=swiftshader`: as if there were one.
 */
const smoke = process.argv.includes("--smoke");
const [folder, soundFile, textFile] = smoke
  ? []
  : process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const windowSeconds = smoke ? [5] : [2, 5, 10, 30];
const windowsEach = smoke ? 1 : 5;

interface Subject {
  description: ModelDescription;
  read(path: string): Promise<Uint8Array | null>;
}

function createTiny(): Subject {
  const { description, contents } = createTinySpeechModel();
  return { description, read: async (path) => contents.get(path) ?? null };
}

const suffixes: Record<WeightType, string> = {
  q8: "_quantized",
  q4f16: "_q4f16",
  q4: "_q4",
  fp16: "_fp16",
  fp32: "",
};

/** The model in `path`, with the smallest weights that are there, in the order of `suffixes`. */
async function describeFolder(path: string): Promise<Subject> {
  const findType = (network: string): WeightType => {
    const found = (Object.keys(suffixes) as WeightType[]).find((type) =>
      existsSync(join(path, `onnx/${network}${suffixes[type]}.onnx`)),
    );
    if (found === undefined) throw new Error(`${path} has no onnx/${network}*.onnx`);
    return found;
  };
  const encoder = findType("encoder_model");
  const decoder = findType("decoder_model_merged");
  const paths = [
    "config.json",
    "generation_config.json",
    "preprocessor_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    `onnx/encoder_model${suffixes[encoder]}.onnx`,
    `onnx/decoder_model_merged${suffixes[decoder]}.onnx`,
  ];
  const files = await Promise.all(
    paths.map(async (file) => ({
      path: file,
      bytes: (await stat(join(path, file))).size,
      sha256: "",
    })),
  );
  return {
    description: {
      encoder,
      decoder,
      files,
    },
    read: (file) => (paths.includes(file) ? readFile(join(path, file)) : Promise.resolve(null)),
  };
}

function createPattern() {
  const { samples, sampleRate, words } = createLectureFixture({
    to: smoke ? 8 : 60,
    sampleRate: 16_000,
  });
  return { sound: encodeWav(samples, sampleRate), text: words.map(({ text }) => text).join(" ") };
}

function getArgs(): string[] {
  const gpu = process.argv.find((argument) => argument.startsWith("--webgpu"));
  if (gpu === undefined) return chromiumArgs();
  const [, adapter] = gpu.split("=");
  return [
    ...chromiumArgs().filter((argument) => argument !== "--disable-gpu"),
    "--enable-unsafe-webgpu",
    "--enable-features=Vulkan",
    ...(adapter === undefined ? [] : [`--use-webgpu-adapter=${adapter}`]),
  ];
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

const subject = folder === undefined ? createTiny() : await describeFolder(folder);
const { sound, text } =
  soundFile === undefined
    ? createPattern()
    : {
        sound: await readFile(soundFile),
        text: textFile === undefined ? null : await readFile(textFile, "utf8"),
      };
const harness = await serveHarness("device-speech", {
  toPolicy: (policy) => policy,
  readFile: async (path) => (path === "sound" ? sound : subject.read(path)),
});
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: getArgs(),
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
  const { device, loadMs } = await page.evaluate(
    (description) => window.deviceSpeech.open("/files/", description),
    subject.description,
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
  const usedMiB = await readTabMiB(page);
  const longTasks = await page.evaluate(() => window.deviceSpeech.takeLongTasks());

  const megabytes = subject.description.files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  console.log(
    `### ${new Date().toISOString().slice(0, 10)}, Chromium ${browser.version()}, ${availableParallelism()} cores, load average ${loadavg()[0]?.toFixed(1)} at the end\n`,
  );
  console.log(
    `${folder ?? "the tiny model"}: ${megabytes.toFixed(2)} MB, encoder ${subject.description.encoder}, decoder ${subject.description.decoder}, on ${device}\n`,
  );
  console.log("| | |\n| --- | --- |");
  console.log(`| loaded after, ms | ${loadMs.toFixed(0)} |`);
  console.log(`| words of the first 5 s after, ms | ${first.ms.toFixed(0)} |`);
  console.log(
    `| memory before, loaded, used, MiB | ${[emptyMiB, loadedMiB, usedMiB].map((mib) => mib.toFixed(0)).join(" / ")} |`,
  );
  console.log(
    `| real-time factor, ${soundSeconds.toFixed(0)} s in windows of ${stepSeconds} s | ${(busyMs / 1000 / soundSeconds).toFixed(2)} |`,
  );
  console.log(`| tasks of the page of 50 ms or more | ${longTasks} |`);
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
} finally {
  await browser.close();
  await harness.close();
}
