import { writeFile } from "node:fs/promises";
import {
  type Browser,
  type BrowserContext,
  test as base,
  chromium,
  expect,
  type Page,
} from "@playwright/test";
import type { AudioCodec } from "#shared/relay.ts";
import { encodeWav as wavFile } from "#tests/fixtures/wav.ts";
import { type FakeEngines, installEngines } from "./browser-engines.ts";
import { chromiumArgs, chromiumPath, headlessShellPath } from "./chromium.ts";
import type { Language } from "./look.ts";
import { traceRelay } from "./relay-trace.ts";
import { type Site, startSite } from "./site.ts";

interface Visit {
  /** WAV file that the fake microphone plays once; undefined: no microphone. */
  wav?: string;
  language?: Language;
  viewport?: { width: number; height: number };
  /** The browser's own engines; `none` unless told otherwise, so that the site's stand-ins are used. */
  engines?: "none" | "real" | FakeEngines;
  userAgent?: string;
  /** Codec of recordings; Opus unless told otherwise, which Chromium encodes. */
  codec?: AudioCodec;
  /** Shows animations. Most tests only wait for them. */
  motion?: boolean;
  /** Instead of the site that a worker's tests share. */
  site?: Site;
  /** Hosts that the browser finds at a port of this machine, whatever their certificate is. */
  hosts?: { names: readonly string[]; port: number };
  /** Title of the tab that is shared when a page asks for one, with its sound. */
  sharedTab?: string;
  /** Allows the service worker, whose responses `page.route()` does not see. */
  serviceWorker?: boolean;
}

interface TestFixtures {
  /** Opens a page in a fresh browser profile. Console errors and exceptions fail the test. */
  visit: (visit?: Visit) => Promise<Page>;
  /** Allows console errors that match, which the test causes on purpose. */
  expectConsoleErrors: (pattern: RegExp) => void;
}

interface WorkerFixtures {
  site: Site;
  /** The browser without a microphone, started on first use. Its profiles share a process. */
  silentBrowser: () => Promise<Browser>;
}

/** The headless shell has the interfaces of speech recognition and crashes when they are called. */
const launch = (
  microphone: Parameters<typeof chromiumArgs>[0],
  { engines, hosts, sharedTab }: Pick<Visit, "engines" | "hosts" | "sharedTab"> = {},
) =>
  chromium.launch({
    // The headless shell cannot share tabs either.
    executablePath: engines === "real" || sharedTab ? chromiumPath() : headlessShellPath(),
    // A muted browser shares silence.
    ...(sharedTab && { ignoreDefaultArgs: ["--mute-audio"] }),
    args: [
      ...chromiumArgs(microphone),
      ...(sharedTab ? [`--auto-select-tab-capture-source-by-title=${sharedTab}`] : []),
      ...(hosts
        ? [
            `--host-resolver-rules=${hosts.names.map((name) => `MAP ${name} 127.0.0.1:${hosts.port}`)}`,
          ]
        : []),
    ],
  });

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

  silentBrowser: [
    // biome-ignore lint/correctness/noEmptyPattern: see above
    async ({}, use) => {
      let browser: Promise<Browser> | undefined;
      await use(() => {
        browser ??= launch("none");
        return browser;
      });
      await (await browser)?.close();
    },
    { scope: "worker" },
  ],

  expectConsoleErrors: [
    // biome-ignore lint/correctness/noEmptyPattern: see above
    async ({}, use, info) => {
      const patterns: RegExp[] = [];
      allowedErrors.set(info.testId, patterns);
      await use((pattern) => patterns.push(pattern));
      allowedErrors.delete(info.testId);
    },
    { auto: true },
  ],

  visit: async ({ site, silentBrowser }, use, info) => {
    const closers: (() => Promise<void>)[] = [];
    const errors: string[] = [];
    const traces: ReturnType<typeof traceRelay>[] = [];
    await use(async (wanted = {}) => {
      const {
        wav,
        language = "en",
        viewport = { width: 1440, height: 900 },
        engines = "none",
      } = wanted;
      const { url } = wanted.site ?? site;
      // The file of the fake microphone is a command-line argument, so each one needs a browser.
      const ownBrowser =
        wav !== undefined ||
        engines === "real" ||
        wanted.hosts !== undefined ||
        wanted.sharedTab !== undefined;
      const browser = await (ownBrowser ? launch(wav ? { wav } : "none", wanted) : silentBrowser());
      const context = await browser.newContext({
        baseURL: url,
        viewport,
        ...(wanted.userAgent && { userAgent: wanted.userAgent }),
        reducedMotion: wanted.motion ? "no-preference" : "reduce",
        serviceWorkers: wanted.serviceWorker ? "allow" : "block",
        permissions: wav ? ["microphone"] : [],
        ignoreHTTPSErrors: wanted.hosts !== undefined,
        storageState: {
          cookies: [],
          origins: [
            {
              origin: url,
              localStorage: [
                { name: "interfaceLanguage", value: language },
                // Whoever signs out with kept sound is asked what becomes of it.
                { name: "keepSound", value: "false" },
                // As for a person: the site's default is the demo voice, for the journeys without engines.
                ...(engines === "none" ? [] : [{ name: "speechEngine", value: "browser" }]),
              ],
            },
          ],
        },
      });
      closers.push(() => (ownBrowser ? browser.close() : context.close()));
      if (engines !== "real") await installEngines(context, engines === "none" ? {} : engines);
      // `CODEC=pcm_s16le` runs all journeys without Opus.
      if ((wanted.codec ?? process.env.CODEC) === "pcm_s16le")
        await context.addInitScript(() => Reflect.deleteProperty(window, "AudioEncoder"));
      collectErrors(context, errors);
      traces.push(traceRelay(context));
      return context.newPage();
    });
    for (const close of closers) await close();
    if (info.status !== info.expectedStatus)
      for (const trace of traces) {
        const path = info.outputPath(`relay-${traces.indexOf(trace)}.txt`);
        await writeFile(path, await trace.report());
        await info.attach("relay", { path, contentType: "text/plain" });
        const sound = info.outputPath(`relay-${traces.indexOf(trace)}.wav`);
        await writeFile(sound, wavFile(await trace.sound(), trace.sampleRate));
        await info.attach("sound", { path: sound, contentType: "audio/wav" });
      }
    const patterns = allowedErrors.get(info.testId) ?? [];
    expect(errors.filter((line) => !patterns.some((pattern) => pattern.test(line)))).toEqual([]);
  },
});

const allowedErrors = new Map<string, RegExp[]>();

function collectErrors(context: BrowserContext, errors: string[]): void {
  context.on("console", (message) => {
    if (message.type() === "error") errors.push(`${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => errors.push(error.error().stack ?? error.error().message));
}

export { expect };
