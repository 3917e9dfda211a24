import { availableParallelism, loadavg } from "node:os";
import { type CDPSession, chromium, type Page } from "@playwright/test";
import { chromiumArgs, chromiumPath } from "#tests/e2e/support/chromium.ts";
import { prepareBuild } from "./build.ts";
import { percentile } from "./percentiles.ts";
import { serveHarness } from "./transcript/harness.ts";
import { measureOpening } from "./transcript/opening.ts";
import type { Frames, Variant } from "./transcript/page.tsx";

/**
 * `npm run bench:transcript [directory]`: main-thread time of a token batch for short and long lectures,
 * compared with a plain React list and with the window of captions in the same run; and the time to open a lecture of three hours in the
 * build in `directory`, or in a new one.
 * `--quick`: two lengths, fewer batches. `--smoke`: takes seconds; the figures are meaningless.
 */
const smoke = process.argv.includes("--smoke");
const quick = process.argv.includes("--quick");
const lengths = smoke ? [50] : quick ? [50, 2_000] : [50, 500, 2_000, 8_000];
const slowdowns = smoke ? [1] : [1, 4];
const batchCount = smoke ? 20 : quick ? 60 : 120;
const everyMs = smoke ? 20 : 100;
const warmUp = 30;
const threeHoursRows = smoke ? 100 : 2_000;
/** With the window of captions open and closed by turns. */
const captionRows = smoke ? 50 : 2_000;
const captionRounds = smoke ? 1 : 5;
const captionWindow = { width: 460, height: 380 };
const openings = smoke ? 1 : 5;

interface Cell extends Frames {
  variant: Variant;
  rows: number;
  slowdown: number;
  /** Main-thread time per batch, ms: of tasks, and of the processor, which other programs do not delay. */
  batchMs: number;
  cpuMs: number;
}

async function readSeconds(cdp: CDPSession): Promise<{ task: number; cpu: number }> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  const read = (name: string) => {
    const found = metrics.find((metric) => metric.name === name);
    if (!found) throw new Error(`Chromium reports no ${name}`);
    return found.value;
  };
  return { task: read("TaskDuration"), cpu: read("ThreadTime") };
}

async function measure(
  page: Page,
  cdp: CDPSession,
  cell: Omit<Cell, keyof Frames | "batchMs" | "cpuMs">,
) {
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await page.evaluate(({ variant, rows }) => window.transcript.open(variant, rows), cell);
  const before = await page.evaluate(() => window.transcript.rows());
  if (before < cell.rows) throw new Error(`${before} rows on the page, not ${cell.rows}`);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: cell.slowdown });
  const run = (count: number) =>
    page.evaluate(([n, ms]) => window.transcript.run(n, ms), [count, everyMs] as const);
  const warmUpFrames = await run(warmUp);
  // What was opened before leaves much.
  await cdp.send("HeapProfiler.collectGarbage");
  const start = await readSeconds(cdp);
  const formatFrames = await run(batchCount);
  const end = await readSeconds(cdp);
  const after = await page.evaluate(() => window.transcript.rows());
  const sentences = warmUpFrames.sentences + formatFrames.sentences;
  if (sentences === 0 || after < before + sentences)
    throw new Error(`${after - before} of ${sentences} sentences were added`);
  if (formatFrames.shownMs.length < batchCount)
    throw new Error(`${formatFrames.shownMs.length} of ${batchCount} batches were painted`);
  const toBatchMs = (seconds: number) => (seconds * 1_000) / batchCount;
  const batchMs = toBatchMs(end.task - start.task);
  return { ...cell, ...formatFrames, batchMs, cpuMs: toBatchMs(end.cpu - start.cpu) };
}

const harness = await serveHarness("transcript");
const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs() });
const cells: Cell[] = [];
const captionCells: Cell[] = [];
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.context().on("page", (opened) => void opened.setViewportSize(captionWindow));
  page.on("pageerror", (error) => {
    throw error;
  });
  await page.goto(harness.url);
  await page.waitForSelector("body[data-ready=yes]");
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable");
  for (const slowdown of slowdowns)
    for (const rows of lengths)
      for (const variant of ["ours", "plain"] as const)
        cells.push(await measure(page, cdp, { variant, rows, slowdown }));
  for (let round = 0; round < captionRounds; round += 1)
    for (const variant of ["ours", "captions"] as const)
      captionCells.push(await measure(page, cdp, { variant, rows: captionRows, slowdown: 1 }));
} finally {
  await browser.close();
  await harness.close();
}

const getCell = (variant: Variant, rows: number, slowdown: number) => {
  const cell = cells.find(
    (some) => some.variant === variant && some.rows === rows && some.slowdown === slowdown,
  );
  if (!cell) throw new Error(`not measured: ${variant}, ${rows} rows, ${slowdown}×`);
  return cell;
};
const frames = ({ long, longestMs }: Cell) =>
  long === 0 ? "none" : `${long}, up to ${longestMs.toFixed(0)} ms`;

console.log(
  `### ${new Date().toISOString().slice(0, 10)}, Chromium ${browser.version()}, ${availableParallelism()} cores, ${batchCount} batches a row, one each ${everyMs} ms, load average ${loadavg()[0]?.toFixed(1)} at the end\n`,
);
console.log(
  "| CPU | rows | ours, ms a batch | × of 50 rows | plain list, ms a batch | ours ÷ plain | ours: long frames | plain: long frames |",
);
console.log("| --- | --- | --- | --- | --- | --- | --- | --- |");
for (const slowdown of slowdowns) {
  for (const rows of lengths) {
    const ours = getCell("ours", rows, slowdown);
    const plain = getCell("plain", rows, slowdown);
    const growth = ours.batchMs / getCell("ours", lengths[0] ?? 0, slowdown).batchMs;
    console.log(
      `| ${slowdown === 1 ? "1×" : `${slowdown}× slower`} | ${rows} | ${ours.batchMs.toFixed(2)} | ${growth.toFixed(2)} | ${plain.batchMs.toFixed(2)} | ${(ours.batchMs / plain.batchMs).toFixed(2)} | ${frames(ours)} | ${frames(plain)} |`,
    );
  }
}

console.log(`\nThe window of captions, with ${captionRows} rows, medians of ${captionRounds}:\n`);
console.log(
  "| window | text is painted after its batch, p50 / p95 ms | CPU, ms a batch | tasks, ms a batch | long frames of the page, each time |",
);
console.log("| --- | --- | --- | --- | --- |");
for (const [variant, name] of [
  ["ours", "closed"],
  ["captions", "open"],
] as const) {
  const found = captionCells.filter((cell) => cell.variant === variant);
  const median = (read: (cell: Cell) => number) => percentile(found.map(read), 0.5);
  const shownMs = found.flatMap((cell) => cell.shownMs);
  const shown = (share: number) => percentile(shownMs, share).toFixed(1);
  console.log(
    `| ${name} | ${shown(0.5)} / ${shown(0.95)} | ${median(({ cpuMs }) => cpuMs).toFixed(2)} | ${median(({ batchMs }) => batchMs).toFixed(2)} | ${found.map(frames).join("; ")} |`,
  );
}

console.log(
  `\nOpening a lecture of ${threeHoursRows} rows in the built product, ms until the last row is there and painted (medians):\n`,
);
console.log("| way | shown after | of that, the answer to `lectures.get` |");
console.log("| --- | --- | --- |");
const { buildDir, close } = await prepareBuild();
try {
  for (const { way, shownMs, fetchMs } of await measureOpening(buildDir, threeHoursRows, openings))
    console.log(`| ${way} | ${shownMs.toFixed(0)} | ${fetchMs.toFixed(0)} |`);
} finally {
  await close();
}
