import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, expect, type Page } from "@playwright/test";
import { captureSampleRate } from "#shared/limits.ts";
import { runSql } from "#tests/e2e/support/accounts.ts";
import { installEngines } from "#tests/e2e/support/browser-engines.ts";
import { chromiumArgs, headlessShellPath } from "#tests/e2e/support/chromium.ts";
import { signUp } from "#tests/e2e/support/journey.ts";
import { query } from "#tests/e2e/support/library.ts";
import {
  chooseMediaFiles,
  getFileCard,
  makeMediaFile,
  prepareMediaFiles,
} from "#tests/e2e/support/media-files.ts";
import { startSite } from "#tests/e2e/support/site.ts";
import { createLectureFixture } from "#tests/fixtures/lecture.ts";
import { prepareBuild } from "./build.ts";
import { readResidentMiB } from "./processes.ts";

/**
 * `npm run bench:file [-- --smoke] [directory]`: minutes of a file's sound for each second of work: reading alone, with the
 * peak of the tab's memory, and through the room to the last saved word. The files are MP4 with stereo Opus, which is
 * decoded and encoded again, and Ogg with mono Opus, which is taken as it is. Uses the build in `directory`, or a new one.
 * Fails if a file was not read to its end, or if a word is not saved.
 */
const smoke = process.argv.includes("--smoke");
const readMinutes = smoke ? 0.5 : 90;
/** Recognition takes longer than reading. */
const recognizedMinutes = smoke ? 0.5 : 9;
const sampleMs = 250;
const peakMaxMiB = 300;
/** For each minute: a repetition is padded to whole seconds. */
const lengthToleranceSeconds = 2;

const { buildDir, close } = await prepareBuild();
const site = await startSite({ buildDir });
const browser = await chromium.launch({
  executablePath: headlessShellPath(),
  args: chromiumArgs(),
});
const folder = await mkdtemp(join(tmpdir(), "dualect-file-"));
try {
  await measure();
} finally {
  await browser.close();
  await site.close();
  await rm(folder, { recursive: true });
  await close();
}

/** Writes a file of `minutes`, in which the numbered words begin again every `partMinutes`. */
async function writeFiles(minutes: number, partMinutes: number) {
  const page = await openPage(browser);
  await page.goto("/");
  await prepareMediaFiles(page);
  const words = Math.floor((partMinutes * 60) / 0.75);
  const speech = createLectureFixture({ to: words, sampleRate: captureSampleRate });
  const repeat = Math.ceil(minutes / partMinutes);
  const kinds = [
    { name: "stereo.mp4", format: "Mp4OutputFormat", channels: 2, bitrate: 96_000 },
    { name: "mono.ogg", format: "OggOutputFormat", channels: 1, bitrate: 32_000 },
  ] as const;
  const files: { path: string; minutes: number; words: string }[] = [];
  const text = speech.words.map((word) => word.text).join(" ");
  for (const { name, ...kind } of kinds) {
    const { buffer } = await makeMediaFile(page, name, speech, { ...kind, codec: "opus", repeat });
    const path = join(folder, `${minutes} ${name}`);
    await writeFile(path, buffer);
    files.push({
      path,
      minutes: (speech.durationMs * repeat) / 60_000,
      words: Array<string>(repeat).fill(text).join(" "),
    });
  }
  await page.context().close();
  return files;
}

async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ baseURL: site.url, serviceWorkers: "block" });
  await context.addInitScript(() => {
    localStorage.setItem("selectedLanguage", "none");
    localStorage.setItem("interfaceLanguage", "en");
  });
  await installEngines(context, {});
  return context.newPage();
}

/** Highest resident memory of a tab until `stop`, MiB. */
async function watchMemory(): Promise<{ stop(): number; first: number }> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const tabs = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
  const read = () => Math.max(...tabs.map((id) => readResidentMiB(id)));
  const first = read();
  let peak = first;
  const timer = setInterval(() => {
    peak = Math.max(peak, read());
  }, sampleMs);
  return {
    first,
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
}

async function measure(): Promise<void> {
  await runSql(site, "update plans set hours_per_month = $1 where tier = 'free'", ["1000"]);
  const long = await writeFiles(readMinutes, smoke ? 0.5 : 9);
  const short = smoke ? long : await writeFiles(recognizedMinutes, recognizedMinutes);
  console.log(
    `### ${new Date().toISOString().slice(0, 10)}, Chromium ${browser.version()}, ` +
      `${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}\n`,
  );
  console.log("| file | minutes | min/s | memory before → peak, MiB |\n| --- | --- | --- | --- |");
  let peakMax = 0;
  const report = (what: string, minutes: number, seconds: number, memory: string) =>
    console.log(
      `| ${what} | ${minutes.toFixed(1)} | ${(minutes / seconds).toFixed(2)} | ${memory} |`,
    );
  for (const [index, { path, minutes }] of long.entries()) {
    const page = await openPage(browser);
    await signUp(page);
    const card = await chooseFile(page, path);
    const memory = await watchMemory();
    const since = performance.now();
    await startReading(page);
    const state = card.getByText(/^Recognized/);
    await state.waitFor({ timeout: 600_000 });
    const seconds = (performance.now() - since) / 1_000;
    const peak = memory.stop();
    expectLength(await state.innerText(), minutes);
    peakMax = Math.max(peakMax, peak - memory.first);
    const what = index === 0 ? "MP4, decoded and encoded" : "Ogg, taken as it is";
    report(`${what}: read`, minutes, seconds, `${memory.first.toFixed(0)} → ${peak.toFixed(0)}`);
    await page.context().close();
  }
  const [{ path, minutes, words } = { path: "", minutes: 0, words: "" }] = short;
  const page = await openPage(browser);
  await signUp(page);
  const card = await chooseFile(page, path);
  const since = performance.now();
  await startReading(page);
  await card.getByText("Recognized and saved").waitFor({ timeout: 900_000 });
  report("MP4: read and through the room", minutes, (performance.now() - since) / 1_000, "");
  const { items } = await query(page, "lectures.list", { limit: 1 });
  const { entries } = await query(page, "lectures.get", { id: items[0]?.id });
  const saved = entries.map(({ original }: { original: string }) => original).join(" ");
  if (saved !== words) throw new Error(`not every word was saved once and in order: ${saved}`);
  if (peakMax > peakMaxMiB) throw new Error(`reading needs ${peakMax.toFixed(0)} MiB`);
}

/** @throws when `state`, what the card says of a file, names another length than `minutes` */
function expectLength(state: string, minutes: number): void {
  const total = / of ([\d:]+)$/.exec(state)?.[1];
  // A short file may be saved already; its words are compared.
  if (total === undefined && state === "Recognized and saved") return;
  const seconds = (total ?? "").split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  if (!(Math.abs(seconds - minutes * 60) <= lengthToleranceSeconds * Math.max(1, minutes)))
    throw new Error(`the file has ${minutes.toFixed(1)} min, and the card says: ${state}`);
}

async function chooseFile(page: Page, path: string) {
  const dialog = await chooseMediaFiles(page, path);
  await expect(dialog.getByRole("button", { name: /^Start/ })).toBeEnabled({ timeout: 60_000 });
  return getFileCard(page);
}

async function startReading(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Start/ }).click();
}
