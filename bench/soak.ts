import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, expect, type Page } from "@playwright/test";
import { captureSampleRate } from "#shared/limits.ts";
import { runSql } from "#tests/e2e/support/accounts.ts";
import { installEngines } from "#tests/e2e/support/browser-engines.ts";
import { chromiumArgs, headlessShellPath } from "#tests/e2e/support/chromium.ts";
import {
  expectSaved,
  record,
  signUp,
  startNewLecture,
  stopRecording,
} from "#tests/e2e/support/journey.ts";
import { query } from "#tests/e2e/support/library.ts";
import { startSite } from "#tests/e2e/support/site.ts";
import { createLectureFixture } from "#tests/fixtures/lecture.ts";
import { encodePcm16 } from "#tests/fixtures/wav.ts";
import { prepareBuild } from "./build.ts";
import { toPercentiles } from "./percentiles.ts";
import { findChild, readResidentMiB } from "./processes.ts";
import { installFastMicrophone } from "./soak/fast-microphone.ts";

/**
 * `npm run bench:soak [-- --pcm] [--smoke] [directory]`: three recorded hours at 20 times real time through
 * one page and its rooms; prints the memory of both after each lecture, the bytes sent and the time of the
 * main thread. Fails if memory grows, or if words are missing, doubled or out of order. Uses the build in
 * `directory`, or a new one. `--pcm`: without Opus.
 *
 * The hours are lectures of five minutes, to see the memory after each.
 */
const has = (option: string) => process.argv.includes(`--${option}`);
const smoke = has("smoke");
const codec = has("pcm") ? "PCM" : "Opus";
const chunkMs = codec === "Opus" ? 260 : 256;
const speed = 20;
const minutesPerLecture = smoke ? 0.5 : 5;
const lectures = smoke ? 1 : 36;
/**
 * Words of a lecture that may be missing: a page that cannot keep up with this speed takes that for a gap in the sound, and
 * begins another take within a word.
 */
const lostMax = 2;
const growthMaxMiB = { page: 2, workerd: 12 };
const mebibyte = 1024 * 1024;

/** Longer than a lecture. */
const speech = createLectureFixture({ to: 600, sampleRate: captureSampleRate });

interface Sample {
  /** Heap after a garbage collection, with the memory of buffers, MiB. */
  page: number;
  workerd: number;
}

const { buildDir, close } = await prepareBuild();
// In memory, the storage of the rooms would count as theirs.
const persistDir = await mkdtemp(join(tmpdir(), "dualect-soak-"));
const site = await startSite({ buildDir, persistDir });
const browser = await chromium.launch({
  executablePath: headlessShellPath(),
  args: chromiumArgs(),
});
try {
  await measure();
} finally {
  await browser.close();
  await site.close();
  await rm(persistDir, { recursive: true });
  await close();
}

async function measure(): Promise<void> {
  const workerdPid = findChild(process.pid, "workerd");
  const context = await browser.newContext({ baseURL: site.url, serviceWorkers: "block" });
  await installFastMicrophone(context, Buffer.from(encodePcm16(speech.samples)), speed);
  await context.addInitScript((withoutOpus) => {
    // Translations would come at 20 times their rate, which has a limit.
    localStorage.setItem("selectedLanguage", "none");
    localStorage.setItem("interfaceLanguage", "en");
    if (withoutOpus) Reflect.deleteProperty(window, "AudioEncoder");
  }, codec === "PCM");
  await installEngines(context, {});
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await Promise.all([cdp.send("Network.enable"), cdp.send("Performance.enable")]);
  let sentBytes = 0;
  cdp.on("Network.webSocketFrameSent", ({ response: { opcode, payloadData } }) => {
    sentBytes += opcode === 1 ? payloadData.length : Buffer.byteLength(payloadData, "base64");
  });
  const sample = async (): Promise<Sample> => {
    await cdp.send("HeapProfiler.collectGarbage");
    const heap = await cdp.send("Runtime.getHeapUsage");
    const bytes = heap.usedSize + heap.embedderHeapUsedSize + heap.backingStorageSize;
    return { page: bytes / mebibyte, workerd: readResidentMiB(workerdPid) };
  };
  const readTaskSeconds = async () => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  };

  await runSql(site, "update plans set hours_per_month = $1 where tier = 'free'", ["1000"]);
  await signUp(page, "/record");
  console.log(
    `### ${new Date().toISOString().slice(0, 10)}, Chromium ${browser.version()}, ${codec}, ` +
      `${(lectures * minutesPerLecture) / 60} recorded hours\n`,
  );
  console.log("| lecture | recorded min | page, MiB | workerd, MiB | sent, MB | words |");
  console.log("| --- | --- | --- | --- | --- | --- |");
  const history: Sample[] = [];
  const delays: number[] = [];
  let recordedMs = 0;
  let totalBytes = 0;
  const taskSecondsBefore = await readTaskSeconds();
  for (let number = 1; number <= lectures; number += 1) {
    sentBytes = 0;
    const { words, ...lecture } = await recordLecture(page);
    delays.push(...lecture.sent);
    recordedMs += lecture.delivered * chunkMs;
    totalBytes += sentBytes;
    const now = await sample();
    history.push(now);
    console.log(
      `| ${number} | ${(recordedMs / 60_000).toFixed(1)} | ${now.page.toFixed(1)} | ${now.workerd.toFixed(0)} | ` +
        `${(sentBytes / 1e6).toFixed(2)} | ${words} |`,
    );
  }
  const taskSeconds = (await readTaskSeconds()) - taskSecondsBefore;
  console.log(
    `\nsent: ${((totalBytes / recordedMs) * 3.6).toFixed(1)} MB an hour; main thread: ` +
      `${((taskSeconds / recordedMs) * 6e7).toFixed(0)} ms a recorded minute`,
  );
  const { p50, p95 } = toPercentiles(delays);
  console.log(`from the worklet to the socket: ${p50.toFixed(1)} ms (p95 ${p95.toFixed(1)} ms)`);
  if (!smoke) checkFlat(history);
}

/** Records one lecture and opens a new one. `sent`: how long chunks took to the socket, ms. */
async function recordLecture(
  page: Page,
): Promise<{ sent: number[]; delivered: number; words: number }> {
  const minutes = Math.floor(minutesPerLecture);
  const seconds = (minutesPerLecture - minutes) * 60;
  await record(page);
  const time = page.getByTitle("Recorded time");
  const readSeconds = async () => {
    const [, m = 0, s = 0] = (/(\d+):(\d+)/.exec(await time.innerText()) ?? []).map(Number);
    return m * 60 + s;
  };
  const timeout = (minutesPerLecture * 60_000 * 3) / speed + 60_000;
  await expect.poll(readSeconds, { timeout }).toBeGreaterThanOrEqual(minutes * 60 + seconds);
  await stopRecording(page);
  const { delays, delivered } = await page.evaluate(
    (): { delays: (number | null)[]; delivered: number } => Reflect.get(window, "readSoakDelays")(),
  );
  await expectSaved(page);
  // A busy machine may say "Paused" while the last sound is still on its way.
  let words = 0;
  await expect(async () => {
    words = await countSavedWords(page, delivered * chunkMs);
  }).toPass({ timeout: 60_000 });
  await startNewLecture(page);
  await expect(page.getByText("Ready", { exact: true }).first()).toBeVisible({ timeout: 60_000 });
  const sent = delays.filter((delay) => delay !== null && delay !== undefined);
  return { sent, delivered, words };
}

/** @throws when words of the first `soundMs` are missing, doubled or out of order in what is saved */
async function countSavedWords(page: Page, soundMs: number): Promise<number> {
  const { items } = await query(page, "lectures.list", { limit: 1 });
  const { entries } = await query(page, "lectures.get", { id: items[0]?.id });
  const text = entries.map(({ original }: { original: string }) => original).join(" ");
  const saved = text.replaceAll(".", "").split(" ");
  const spoken = speech.words.filter(({ endMs }) => endMs <= soundMs);
  const numbers = saved.map((word: string) =>
    speech.words.findIndex((one) => one.text.replace(".", "") === word),
  );
  const isInOrder = numbers.every((number: number, at: number) => number > (numbers[at - 1] ?? -1));
  if (!isInOrder || saved.length < spoken.length - lostMax || saved.length > spoken.length + 1)
    throw new Error(`${spoken.length} words were spoken, and saved: ${text}`);
  return saved.length;
}

/**
 * Compares the medians of the third and the last quarter: code is compiled, caches fill and workerd's heap grows to its
 * first large collection before that.
 */
function checkFlat(history: readonly Sample[]): void {
  const quarter = history.length / 4;
  for (const part of ["page", "workerd"] as const) {
    const values = history.map((sample) => sample[part]);
    const before = toPercentiles(values.slice(-2 * quarter, -quarter)).p50;
    const growth = toPercentiles(values.slice(-quarter)).p50 - before;
    console.log(`${part}: ${growth.toFixed(1)} MiB more in the last quarter than in the third`);
    if (growth > growthMaxMiB[part]) process.exitCode = 1;
  }
}
