import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "#tests/e2e/support/test.ts";
import { engines, type Fault, services } from "#tests/faults/recording.ts";
import type { FaultSite } from "#tests/faults/site.ts";

const isAlive = ({ url }: FaultSite) =>
  fetch(`${url}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Waits until workerd runs again, which a busy machine takes some seconds for. */
const waitForWorker = (site: FaultSite) =>
  expect.poll(() => isAlive(site), { timeout: 60_000 }).toBe(true);

const unsaved = [
  ...(["record.save.retrying", "record.save.unsaved", "notice.saveFailed"] as const),
  // Said in their place while the device keeps the sound of what is recorded.
  "record.save.device",
] as const;

const createAbsentDatabase = (seconds: number): Fault => ({
  name: `database that cannot be reached for ${seconds} s`,
  engines: seconds > 60 ? services : engines,
  words: 9 + seconds,
  isLong: seconds > 60,
  tells: unsaved,
  async cause({ site }) {
    site.back.set({ isCut: true }, "database");
    await sleep(seconds * 1_000);
    site.back.repair();
  },
});

export const siteFaults: readonly Fault[] = [
  {
    name: "room killed",
    engines: services,
    // The page has another room within a second.
    tells: null,
    async cause({ site, id }) {
      await site.killRoom(id);
    },
  },
  {
    name: "worker killed",
    engines,
    words: 18,
    tells: null,
    async cause({ site }) {
      site.killEdge();
      await waitForWorker(site);
    },
  },
  {
    name: "new version deployed",
    engines,
    words: 18,
    tells: ["bar.version"],
    async cause({ site, page }) {
      await site.deploy();
      await waitForWorker(site);
      // As when a part of the page cannot be loaded; the page would otherwise look within half an hour.
      await page.evaluate(() => window.dispatchEvent(new Event("vite:preloadError")));
    },
  },
  {
    name: "database that answers 3 s late, also at Stop",
    engines,
    tells: null,
    async cause({ site }) {
      site.back.set({ delayMs: 1_500 }, "database");
    },
  },
  {
    // The page says so of what has waited for 15 s.
    name: "database that holds its answers for 30 s",
    engines,
    words: 42,
    tells: unsaved,
    async cause({ site }) {
      site.back.set({ isHeld: true }, "database");
      await sleep(30_000);
      site.back.repair();
    },
  },
  createAbsentDatabase(20),
  createAbsentDatabase(300),
];
