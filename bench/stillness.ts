import { chromium } from "@playwright/test";
import { chromiumArgs, chromiumPath } from "#tests/e2e/support/chromium.ts";
import { percentile } from "./percentiles.ts";
import type { Stillness } from "./stillness/page.tsx";
import { stillnessLanguages } from "./stillness/translations.ts";
import { serveHarness } from "./transcript/harness.ts";

/**
 * `npm run bench:stillness [language …]`: what moves while ten recorded minutes are read, with translations that come late
 * and are shorter or longer than their preview. Fails if a finished row moves within the text, if the live
 * translation is pushed more than once in a sentence, or if the page turns too often or too far. `--smoke`: takes seconds, in one language.
 */
const smoke = process.argv.includes("--smoke");
const minutes = smoke ? 0.3 : 10;
const named = stillnessLanguages.filter((language) => process.argv.includes(language));
const languages = smoke ? ["zh-cn" as const] : named.length > 0 ? named : stillnessLanguages;
const viewports = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
const turnsPerMinuteMax = 12;
/** As a part of the page's height. */
const turnMax = 0.3;

const harness = await serveHarness("stillness");
const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs() });
const isStill = ({ shifts, turns, pushesMax }: Stillness, height: number) =>
  shifts === 0 &&
  pushesMax <= 1 &&
  turns.length <= turnsPerMinuteMax * Math.max(1, minutes) &&
  turns.every((px) => px <= turnMax * height);
let failed = false;
try {
  console.log(
    `### ${new Date().toISOString().slice(0, 10)}, Chromium ${browser.version()}, ${minutes} recorded minutes\n`,
  );
  console.log(
    "| width | language | finished rows | of them changed their height | shifts of finished rows | largest, px | page turns a minute | size, median px | size, largest px | speed, peak px/s | live translation pushed, most times in a sentence | CLS |",
  );
  console.log(`|${" --- |".repeat(12)}`);
  for (const viewport of viewports) {
    for (const language of languages) {
      const page = await browser.newPage({ viewport });
      page.on("pageerror", (error) => {
        throw error;
      });
      await page.goto(harness.url);
      await page.waitForSelector("body[data-ready=yes]");
      const result = await page.evaluate(([into, count]) => window.stillness.run(into, count), [
        language,
        minutes,
      ] as const);
      await page.close();
      if (result.rows < minutes * 5) throw new Error(`only ${result.rows} sentences were finished`);
      failed ||= !isStill(result, viewport.height);
      const { rows, grownRows, shifts, largestPx, turns, peakSpeed, pushesMax, cls } = result;
      const sizes = [percentile(turns, 0.5), percentile(turns, 1)].map((size) => size.toFixed(0));
      console.log(
        `| ${viewport.width} | ${language} | ${rows} | ${grownRows} | ${shifts} | ${largestPx.toFixed(0)} | ${(turns.length / minutes).toFixed(1)} | ${sizes.join(" | ")} | ${peakSpeed.toFixed(0)} | ${pushesMax} | ${cls.toFixed(3)} |`,
      );
    }
  }
} finally {
  await browser.close();
  await harness.close();
}
if (failed) process.exitCode = 1;
