import { chromium } from "@playwright/test";
import { chromiumArgs, chromiumPath } from "#tests/e2e/support/chromium.ts";
import type { Stillness } from "./stillness/page.tsx";
import { stillnessLanguages } from "./stillness/translations.ts";
import { serveHarness } from "./transcript/harness.ts";

/**
 * `npm run bench:stillness [language …]`: what moves while ten recorded minutes are read, with translations that come late
 * and are shorter or longer than their preview. Fails if a finished row moves within the text, or if the page
 * scrolls more than six times a minute. `--smoke`: takes seconds, in one language.
 */
const smoke = process.argv.includes("--smoke");
const minutes = smoke ? 0.3 : 10;
const named = stillnessLanguages.filter((language) => process.argv.includes(language));
const languages = smoke ? ["zh-cn" as const] : named.length > 0 ? named : stillnessLanguages;
const viewports = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
const movesPerMinuteMax = 6;

const harness = await serveHarness("stillness");
const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs() });
const isStill = ({ shifts, moves }: Stillness) =>
  shifts === 0 && moves <= movesPerMinuteMax * Math.max(1, minutes);
let failed = false;
try {
  console.log(
    `### ${new Date().toISOString().slice(0, 10)}, Chromium ${browser.version()}, ${minutes} recorded minutes\n`,
  );
  console.log(
    "| width | language | finished rows | of them changed their height | shifts of finished rows | largest, px | moves a minute | CLS |",
  );
  console.log("| --- | --- | --- | --- | --- | --- | --- | --- |");
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
      failed ||= !isStill(result);
      const { rows, grownRows, shifts, largestPx, moves, cls } = result;
      console.log(
        `| ${viewport.width} | ${language} | ${rows} | ${grownRows} | ${shifts} | ${largestPx.toFixed(0)} | ${(moves / minutes).toFixed(1)} | ${cls.toFixed(3)} |`,
      );
    }
  }
} finally {
  await browser.close();
  await harness.close();
}
if (failed) process.exitCode = 1;
