import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { unplugMicrophone } from "#tests/e2e/support/microphone.ts";
import { engines, type Fault, type Recording, services } from "#tests/faults/recording.ts";

/** Sends one command of the browser's protocol about `page`. */
async function command(page: Page, ...[name, parameters]: Parameters<CdpSend>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send(name, parameters);
  await session.detach();
}
type CdpSend = Awaited<ReturnType<ReturnType<Page["context"]>["newCDPSession"]>>["send"];

/** Fills the disk, for the pages of the origin of `page`. Returns the end of that: the browser forgets it with the session. */
async function fillDisk(page: Page): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1 });
  return () => session.detach();
}

/** Opens the lecture on another page, after that which recorded it is gone. */
async function openAgain(recording: Recording, page: Page): Promise<void> {
  recording.isOver = true;
  recording.page = page;
  await page.goto(`/record?lecture=${recording.id}`);
  await recording.waitForSentence(0);
}

/** The processes of the pages of a browser. */
async function listRenderers(page: Page): Promise<number[]> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  if (!session) throw new Error("the page is in no browser");
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
}

const storageFull = ["notice.storageFull", "record.storageFull"] as const;

export const deviceFaults: readonly Fault[] = [
  {
    name: "tab killed",
    engines: services,
    words: 18,
    tells: null,
    async cause(recording) {
      const { page } = recording;
      const crashed = page.waitForEvent("crash");
      // It is not answered.
      void command(page, "Page.crash", undefined).catch(() => {});
      await crashed;
      await openAgain(recording, await page.context().newPage());
    },
  },
  {
    name: "browser killed",
    engines: services,
    words: 18,
    tells: null,
    hasOwnProfile: true,
    async cause(recording) {
      await openAgain(recording, await recording.means.killBrowser());
    },
  },
  {
    name: "disk full",
    engines,
    words: 54,
    tells: storageFull,
    async cause(recording) {
      const free = await fillDisk(recording.page);
      // Chromium counts on the space that it has found for up to half a minute.
      await recording.waitUntilTold(storageFull);
      await recording.waitForSentence(-1);
      await free();
    },
  },
  {
    name: "storage evicted",
    engines,
    words: 18,
    // What was stored is in memory as well, and the next sound is stored again.
    tells: null,
    async cause({ page }) {
      await command(page, "Storage.clearDataForOrigin", {
        origin: new URL(page.url()).origin,
        storageTypes: "indexeddb,file_systems",
      });
    },
  },
  {
    name: "microphone removed, and another one",
    engines: [...services, "device"],
    words: 90,
    tells: ["notice.microphoneReplaced"],
    hasGap: true,
    async cause(recording) {
      await unplugMicrophone(recording.page);
      await recording.waitUntilTold(["notice.microphoneReplaced"]);
      recording.isAnew = true;
    },
  },
  {
    name: "sleep of 8 s",
    engines: [...services, "device"],
    words: 18,
    tells: ["notice.soundMissing", "gap.notDelivered"],
    hasGap: true,
    async cause({ page }) {
      const renderers = await listRenderers(page);
      for (const id of renderers) process.kill(id, "SIGSTOP");
      await sleep(8_000);
      for (const id of renderers) process.kill(id, "SIGCONT");
    },
  },
  {
    name: "clock set back by an hour",
    engines,
    tells: null,
    cause: ({ page }) =>
      page.evaluate(() => {
        const RealDate = Date;
        const getNow = RealDate.now.bind(RealDate);
        const now = () => getNow() - 3_600_000;
        const LateDate = new Proxy(RealDate, {
          construct: (target, values) =>
            Reflect.construct(target, values.length === 0 ? [now()] : values),
          get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
        });
        Object.assign(globalThis, { Date: LateDate });
      }),
  },
];
