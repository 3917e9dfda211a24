import { chromium } from "@playwright/test";
import { chromiumArgs, chromiumPath } from "#tests/e2e/support/chromium.ts";
import { percentile } from "./percentiles.ts";
import type { Stillness } from "./stillness/page.tsx";
import { stillnessLanguages } from "./stillness/translations.ts";
import { serveHarness } from "./transcript/harness.ts";

/**
 * `npm run bench:stillness [language …]`: what moves while ten recorded minutes are read, with translations that come late
 * and are shorter or longer than their preview. Fails if a finished text is cut, if anything in the window moves down, if
 * the live line leaves its place, or if what is read moves while the page is scrolled back. `--smoke`: takes seconds, in one
 * language.
 */
const smoke = process.argv.includes("--smoke");
const minutes = smoke ? 2 : 10;
const named = stillnessLanguages.filter((language) => process.argv.includes(language));
const languages = smoke ? ["zh-cn" as const] : named.length > 0 ? named : stillnessLanguages;
const viewports = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
/** Empty space below the live line, after words were taken back; as a part of the page's height. */
const edgeMax = 0.35;

const harness = await serveHarness("stillness");
const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs() });
const isStill = ({ cutTexts, falls, edgePx, readPx }: Stillness, height: number) =>
  cutTexts === 0 && falls === 0 && edgePx <= edgeMax * height && readPx < 1;
let failed = false;
try {
  console.log(
    `### ${new Date().toISOString().slice(0, 10)}, Chromium ${browser.version()}, ${minutes} recorded minutes\n`,
  );
  console.log(
    "| width | language | finished rows | texts that are cut | something moved down, largest px | live line off its place, px | moves up a minute | size, median px | size, largest px | scrolled back: what is read moved, px | rows that grew meanwhile |",
  );
  console.log(`|${" --- |".repeat(11)}`);
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
      const { rows, cutTexts, falls, largestFallPx, edgePx, moves, readPx, grownRows } = result;
      const sizes = [percentile(moves, 0.5), percentile(moves, 1)].map((size) => size.toFixed(0));
      const cells = [
        `${viewport.width}`,
        language,
        `${rows}`,
        `${cutTexts}`,
        `${falls}, ${largestFallPx.toFixed(0)}`,
        edgePx.toFixed(0),
        (moves.length / (0.8 * minutes)).toFixed(1),
        ...sizes,
        readPx.toFixed(1),
        `${grownRows}`,
      ];
      console.log(`| ${cells.join(" | ")} |`);
    }
  }
} finally {
  await browser.close();
  await harness.close();
}
if (failed) process.exitCode = 1;
