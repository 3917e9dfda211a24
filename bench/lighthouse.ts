import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "@playwright/test";
import { sampleOpening } from "#shared/sample-lecture.ts";
import { chromiumArgs, chromiumPath } from "#tests/e2e/support/chromium.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { getBuildArgument } from "./build.ts";
import { loadLighthouse, type TraceEvent } from "./lighthouse/program.ts";
import type { SitePlan, SiteReady } from "./lighthouse/site.ts";
import { startProcess } from "./processes.ts";

/**
 * `npm run bench:lighthouse [directory]`: Lighthouse scores of the build in `directory` (default: `dist`), in
 * workerd on the embedded stack. Fails below our minimum scores, and where Lighthouse has measured nothing or another page.
 * `--smoke`: one page, once, whatever its scores.
 */
const smoke = process.argv.includes("--smoke");
const buildDir = getBuildArgument() ?? "dist";
const runs = smoke ? 1 : 5;
const devices = smoke ? (["desk"] as const) : (["phone", "desk"] as const);

const minimumMarks = { performance: 96, accessibility: 100, "best-practices": 100 };
type Category = keyof typeof minimumMarks;
const categories: readonly Category[] = ["performance", "accessibility", "best-practices"];

const pages: readonly { path: string; as: "nobody" | "a guest" | "a user" | "a reader" }[] = [
  { path: "/auth", as: "nobody" },
  { path: "/record", as: "a guest" },
  { path: "/", as: "a user" },
  { path: "/record", as: "a user" },
  { path: "/live", as: "a reader" },
];

const lighthouse = await loadLighthouse().catch((failure: unknown) => {
  if (!smoke) throw failure;
  console.log("Left out: Lighthouse, which could not be installed");
  process.exit(0);
});

// A visitor's device does not run the servers: here they get what its browser leaves of the processors.
const plan: SitePlan = { buildDir };
const site = await startProcess<SiteReady>("lighthouse/site.ts", plan, true);
const { url } = site.ready;
try {
  console.log(
    "| page | as | device | performance | accessibility | best practices | FCP s | LCP s | blocked ms | of it busy ms |",
  );
  console.log("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
  for (const page of smoke ? pages.slice(0, 1) : pages)
    for (const device of devices) await reportPage(page, device);
} finally {
  await site.stop();
}

/** Measures in several fresh browsers and prints the run with the median performance score. */
async function reportPage({ path, as }: (typeof pages)[number], device: "phone" | "desk") {
  const results = [];
  for (let run = 0; run < runs; run += 1) {
    const result = (await measure(path, as, device)) ?? (await measure(path, as, device));
    if (!result) throw new Error(`${path}: no trace was recorded, twice`);
    results.push(result);
  }
  results.sort((a, b) => a.marks.performance - b.marks.performance);
  const median = results[Math.floor(runs / 2)];
  if (!median) return;
  const { marks, seconds, blockedMs, busyMs, remarks } = median;
  console.log(
    `| ${path} | ${as} | ${device} | ${categories.map((name) => marks[name]).join(" | ")} | ${seconds.join(" | ")} | ${blockedMs} | ${busyMs} |`,
  );
  for (const remark of remarks) console.log(`  - ${remark}`);
  if (!smoke && categories.some((name) => marks[name] < minimumMarks[name])) process.exitCode = 1;
}

/** Null where Chromium has recorded no trace: nothing is measured then, and Lighthouse asks to be run again. */
async function measure(path: string, as: (typeof pages)[number]["as"], device: "phone" | "desk") {
  const profile = mkdtempSync(join(tmpdir(), "dualect-lighthouse-"));
  const port = await findFreePort();
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath(),
    args: [...chromiumArgs(), `--remote-debugging-port=${port}`],
    baseURL: url,
    serviceWorkers: "block",
  });
  try {
    const address = await prepareVisitor(browser, as, path);
    const flags = {
      port,
      output: "json" as const,
      logLevel: "error" as const,
      onlyCategories: [...categories],
      // Cookies and local storage stay: they hold the session or the guest mode.
      clearStorageTypes: ["file_systems", "shader_cache", "service_workers", "cache_storage"],
    };
    const config = device === "desk" ? lighthouse.desktopConfig : undefined;
    const result = await lighthouse.default(`${url}${address}`, flags, config);
    if (!result) throw new Error("Lighthouse returned nothing");
    const { audits, categories: judged, runtimeError, finalDisplayedUrl } = result.lhr;
    if (runtimeError?.code === "NO_NAVSTART") return null;
    if (runtimeError) throw new Error(`${path}: ${runtimeError.message}`);
    const shownPath = new URL(finalDisplayedUrl).pathname;
    const isShown = path === "/" ? shownPath === path : shownPath.startsWith(path);
    if (!isShown) throw new Error(`${path} led to ${shownPath}`);
    const isScored = categories.every((name) => typeof judged[name]?.score === "number");
    if (!isScored) throw new Error(`${path}: Lighthouse gave no score`);
    const toMark = (name: Category) => Math.round((judged[name]?.score ?? 0) * 100);
    const value = (id: string) => audits[id]?.numericValue ?? Number.NaN;
    return {
      marks: {
        performance: toMark("performance"),
        accessibility: toMark("accessibility"),
        "best-practices": toMark("best-practices"),
      },
      seconds: ["first-contentful-paint", "largest-contentful-paint"].map((id) =>
        (value(id) / 1_000).toFixed(2),
      ),
      blockedMs: Math.round(value("total-blocking-time")),
      busyMs: Math.round(sumBusyTime(result.artifacts.Trace.traceEvents, device)),
      remarks: (["accessibility", "best-practices"] as const).flatMap((name) =>
        (judged[name]?.auditRefs ?? []).flatMap(({ id, weight }) => {
          const audit = audits[id];
          return weight > 0 && audit?.score !== null && (audit?.score ?? 1) < 1
            ? [`${id}: ${audit?.title}`]
            : [];
        }),
      ),
    };
  } finally {
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

/**
 * By how much the tasks of the page's main thread after the first paint are longer than 50 ms, ms, by the time that they
 * had a processor. Lighthouse's blocked time counts also how long they waited for one, which depends on what else the
 * machine does.
 */
function sumBusyTime(events: readonly TraceEvent[], device: "phone" | "desk"): number {
  const slowdown = device === "phone" ? 4 : 1;
  const start = events.find(
    ({ name, args }) => name === "navigationStart" && args.data?.documentLoaderURL?.startsWith(url),
  );
  const paint = events.find(
    ({ name, pid, ts }) =>
      name === "firstContentfulPaint" && pid === start?.pid && ts > (start?.ts ?? 0),
  );
  // Lighthouse, too, gives nothing then.
  if (!start || !paint) return Number.NaN;
  let sum = 0;
  for (const { name, pid, tid, ts, tdur } of events)
    if (pid === start.pid && tid === start.tid && /RunTask$/.test(name) && ts > paint.ts)
      sum += Math.max(0, ((tdur ?? 0) / 1_000) * slowdown - 50);
  return sum;
}

async function prepareVisitor(
  browser: BrowserContext,
  as: (typeof pages)[number]["as"],
  path: string,
): Promise<string> {
  const page = await browser.newPage();
  await page.goto("/auth");
  if (as === "a guest") await page.evaluate(() => localStorage.setItem("guestMode", "true"));
  const call = async (procedure: string, data: object) => {
    const headers = { origin: url };
    const answer = await page.request.post(`/trpc/${procedure}`, { data, headers });
    if (!answer.ok()) throw new Error(await answer.text());
    return (await answer.json()).result.data;
  };
  let address = path;
  const email = `${randomUUID()}@example.edu`;
  if (as === "a user" || as === "a reader")
    await call("auth.signUp", { email, password: "correct horse battery" });
  if (as === "a reader") {
    const lectureId = randomUUID();
    const targetLanguage = "zh-cn";
    await call("lectures.create", { id: lectureId, title: "Entropy", targetLanguage });
    const entries = sampleOpening.map(({ original, translations }, ordinal) =>
      createEntry(original, ordinal * 5_000, {
        ordinal,
        translated: translations[targetLanguage],
        translatedInto: targetLanguage,
        endMs: ordinal * 5_000 + 4_900,
      }),
    );
    await call("lectures.saveRows", { lectureId, entries, deleted: [] });
    const { code } = await call("shares.create", {
      lectureId,
      mode: "until_revoked",
      mayCopy: true,
    });
    address = `/live/${code}`;
    // A reader comes without an account.
    await browser.clearCookies();
    await page.evaluate(() => localStorage.setItem("readerLanguage", "zh-cn"));
  }
  // As on a visit before: the document knows who was here.
  if (as === "a user")
    await page.evaluate((email) => {
      const user = { id: "", email, emailVerified: false };
      localStorage.setItem("signedIn", JSON.stringify(user));
    }, email);
  // Lighthouse must be the only user of the site.
  await page.goto("about:blank");
  return address;
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === "object"
          ? resolve(address.port)
          : reject(new Error("The system gave no port")),
      );
    });
  });
}
