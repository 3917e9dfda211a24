import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";

const failedMails = 'dualect_provider_errors_total{provider="mail",kind="failed"}';

/** An object of its own, with nothing stored. */
const createMetrics = () => env.SITE_METRICS.getByName(crypto.randomUUID());
type Metrics = ReturnType<typeof createMetrics>;

const scrape = async (metrics: Metrics) => {
  const { counts, startedAt } = await metrics.read([]);
  return { failed: counts[failedMails] ?? 0, startedAt };
};

/** What is on disk. */
const readStored = (metrics: Metrics) =>
  runInDurableObject(metrics, async (_, { storage }) => {
    const sums = await storage.get<{ counts: Record<string, number> }>("sums");
    return sums?.counts[failedMails] ?? 0;
  });

afterEach(() => vi.restoreAllMocks());

describe("the sums of the site", () => {
  it("are there in the next scrape, although the object was dropped meanwhile", async () => {
    const metrics = createMetrics();
    const before = await scrape(metrics);
    expect(before.failed).toBe(0);
    await metrics.add([[failedMails, 12]]);
    await evictDurableObject(metrics);
    expect(await scrape(metrics)).toEqual({ ...before, failed: 12 });
    await evictDurableObject(metrics);
    expect(await scrape(metrics)).toEqual({ ...before, failed: 12 });
  });

  it("never go back: what a scrape has shown is there after the object was dropped", async () => {
    const metrics = createMetrics();
    for (const failed of [1, 2, 3]) {
      await metrics.add([[failedMails, 1]]);
      expect((await scrape(metrics)).failed).toBe(failed);
      await evictDurableObject(metrics);
    }
    expect((await scrape(metrics)).failed).toBe(3);
  });

  it("are written once in ten seconds, and then all of them", async () => {
    const metrics = createMetrics();
    const setTimer = vi.spyOn(globalThis, "setTimeout");
    for (let n = 0; n < 5; n += 1) await metrics.add([[failedMails, 1]]);
    expect(await readStored(metrics)).toBe(1);
    const timers = setTimer.mock.calls.filter(([, ms = 0]) => ms > 9_000 && ms <= 10_000);
    expect(timers).toHaveLength(1);
    await runInDurableObject(metrics, () => timers[0]?.[0]());
    expect(await readStored(metrics)).toBe(5);
  });
});

it("the queue of openings is there in the next scrape, although its object was dropped", async () => {
  const openings = env.SPEECH_OPENINGS.getByName(crypto.randomUUID());
  for (const room of ["first", "second", "third"]) await openings.reserve(room, 1);
  await evictDurableObject(openings);
  const { waiting, longestWaitMs } = await openings.readQueue();
  expect(waiting).toBe(2);
  expect(longestWaitMs).toBeGreaterThan(100_000);
  // The pace goes on too.
  expect(await openings.reserve("fourth", 1)).toBeGreaterThan(longestWaitMs);
});
