import { randomUUID } from "node:crypto";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { rowsPerCallMax } from "#shared/limits.ts";
import { chromiumArgs, chromiumPath } from "#tests/e2e/support/chromium.ts";
import { openLectures, signUp } from "#tests/e2e/support/journey.ts";
import { startSite } from "#tests/e2e/support/site.ts";
import { createEntries } from "./speech.ts";

export interface Opening {
  way: string;
  /** Time from the click or the start of the navigation until the last row is painted. */
  shownMs: number;
  /** Part of that time: the answer to `lectures.get`. */
  fetchMs: number;
}

const title = "Three hours";

declare global {
  interface Window {
    /** `performance.now()` when all rows were painted; 0 before. */
    shownAt: number;
  }
}

/** Opens a lecture of `rows` sentences `repeats` times in three ways; returns the medians. */
export async function measureOpening(
  buildDir: string,
  rows: number,
  repeats: number,
): Promise<Opening[]> {
  const site = await startSite({ buildDir });
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArgs() });
  const options = { baseURL: site.url, viewport: { width: 1440, height: 900 } };
  try {
    const first = await browser.newContext(options);
    await first.addInitScript(() => localStorage.setItem("interfaceLanguage", "en"));
    const page = await first.newPage();
    await signUp(page);
    const path = `/record?lecture=${await storeLecture(page, rows)}`;
    const storageState = await first.storageState();
    const visits = {
      firstVisit: [] as Opening[],
      reloads: [] as Opening[],
      click: [] as Opening[],
    };
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const context = await browser.newContext({ ...options, storageState });
      await recordShownAt(context, rows);
      const visitor = await context.newPage();
      await visitor.goto(path);
      visits.firstVisit.push(await waitUntilShown(visitor, "first visit, nothing in the cache", 0));
      await visitor.reload();
      visits.reloads.push(await waitUntilShown(visitor, "reload", 0));
      await visitor.goto("/record");
      await openLectures(visitor);
      const row = visitor.getByRole("complementary").getByText(title, { exact: true });
      await row.waitFor();
      await visitor.waitForLoadState("networkidle");
      await visitor.evaluate(() => performance.clearResourceTimings());
      const clicked = await visitor.evaluate(() => performance.now());
      await row.click();
      visits.click.push(await waitUntilShown(visitor, "click in the sidebar", clicked));
      await context.close();
    }
    return Object.values(visits).map(toMedian);
  } finally {
    await browser.close();
    await site.close();
  }
}

async function storeLecture(page: Page, rows: number): Promise<string> {
  const id = randomUUID();
  const call = (procedure: string, input: object) =>
    page.evaluate(
      async ([name, body]) => {
        const answer = await fetch(`/trpc/${name}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        if (!answer.ok)
          throw new Error(`${name} answered ${answer.status}: ${await answer.text()}`);
      },
      [procedure, input] as const,
    );
  await call("lectures.create", { id, title, targetLanguage: "zh-cn" });
  const all = createEntries(rows);
  for (let from = 0; from < rows; from += rowsPerCallMax)
    await call("lectures.saveRows", {
      lectureId: id,
      entries: all.slice(from, from + rowsPerCallMax),
      deleted: [],
    });
  return id;
}

async function recordShownAt(context: BrowserContext, rows: number): Promise<void> {
  await context.addInitScript((count) => {
    window.shownAt = 0;
    const timer = setInterval(() => {
      if (document.querySelectorAll('p[lang="en"]').length < count) return;
      clearInterval(timer);
      requestAnimationFrame(() => {
        window.shownAt = performance.now();
      });
    }, 5);
  }, rows);
}

async function waitUntilShown(page: Page, way: string, sinceMs: number): Promise<Opening> {
  await page.waitForFunction(() => window.shownAt > 0, undefined, { timeout: 60_000 });
  const [shownAt, fetchMs] = await page.evaluate(() => {
    const answers = performance
      .getEntriesByType("resource")
      .filter(({ name }) => name.includes("lectures.get"));
    return [window.shownAt, answers.at(-1)?.duration ?? null] as const;
  });
  if (fetchMs === null) throw new Error(`${way}: the lecture was not asked for`);
  return { way, shownMs: shownAt - sinceMs, fetchMs };
}

function toMedian(visits: readonly Opening[]): Opening {
  const middle = (of: (visit: Opening) => number) =>
    visits.map(of).sort((a, b) => a - b)[Math.floor(visits.length / 2)] ?? 0;
  return {
    way: visits[0]?.way ?? "",
    shownMs: middle((visit) => visit.shownMs),
    fetchMs: middle((visit) => visit.fetchMs),
  };
}
