import { writeFile } from "node:fs/promises";
import { test as base, expect } from "@playwright/test";
import { type Site, startSite } from "#tests/e2e/support/site.ts";
import type { Driver } from "./driver.ts";
import { startFirefox } from "./firefox.ts";
import { type Front, startFront } from "./front.ts";
import { BrowserPage } from "./page.ts";
import { startWebKit } from "./webkit.ts";

interface TestFixtures {
  front: Front;
  /** Opens the project's browser with a fresh profile. What a page throws and nobody catches fails the test. */
  openPage: (origin: string) => Promise<BrowserPage>;
  /** A page of `front`. */
  tab: BrowserPage;
}

interface WorkerFixtures {
  site: Site;
}

/** By the projects' names. */
const starts: Record<string, () => Promise<Driver>> = {
  firefox: startFirefox,
  webkit: startWebKit,
};

export const test = base.extend<TestFixtures, WorkerFixtures>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from this pattern
    async ({}, use) => {
      const site = await startSite();
      await use(site);
      await site.close();
    },
    { scope: "worker", timeout: 120_000 },
  ],

  front: async ({ site }, use) => {
    const front = await startFront(site.url);
    await use(front);
    await front.close();
  },

  // biome-ignore lint/correctness/noEmptyPattern: see above
  openPage: async ({}, use, info) => {
    const start = starts[info.project.name];
    if (start === undefined) throw new Error(`No browser of the project ${info.project.name}`);
    const drivers: Driver[] = [];
    await use(async (origin) => {
      const driver = await start();
      drivers.push(driver);
      const page = new BrowserPage(driver, origin);
      // Any document of the site, before its first page.
      await page.goto("/robots.txt");
      await page.call(() => {
        localStorage.setItem("interfaceLanguage", "en");
        localStorage.setItem("keepSound", "false");
      });
      return page;
    });
    for (const [index, driver] of drivers.entries()) {
      if (info.status !== info.expectedStatus) {
        const path = info.outputPath(`window-${index}.png`);
        // A browser that has ended has none.
        const image = await driver.takeScreenshot().catch(() => null);
        if (image !== null) {
          await writeFile(path, image);
          await info.attach("window", { path, contentType: "image/png" });
        }
      }
      await driver.close();
    }
    expect(drivers.flatMap(({ uncaught }) => uncaught)).toEqual([]);
  },

  tab: async ({ openPage, front }, use) => use(await openPage(front.url)),
});

export { expect };
