import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { getStatusWarning } from "#client/features/recording/status.ts";
import { audioCodecs } from "#shared/relay.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { type Page, sayWords, startRecording } from "./kit/harness.ts";
import { getExpectedText } from "./kit/simulated-room.ts";

describe.each(audioCodecs)("a connection of %s", (codec) => {
  test.each([1006, 1001, 1011, 1012])("loses nothing after a close with %i", async (code) => {
    const { world, page } = await sayWords(8, { codec });
    world.room.drop(code);
    expect(page.view.connection).toBe("reconnecting");
    await page.say(9, 30);
    expect(page.view.connection).toBe("live");
    await page.stop();
    expect(page.text()).toBe(getExpectedText(30));
    expect(world.room.connections).toBe(2);
    expect(world.room.maxOpenCount).toBe(1);
    expect(page.kinds).not.toContain("providerDisconnected");
  });

  test("reconnects within 10 s after the network stalls, without loss", async () => {
    const { world, page } = await sayWords(6, { codec });
    world.room.stalled = true;
    await page.say(7, 52);
    expect(page.view.connection).toBe("reconnecting");
    expect(page.view.unsentSeconds).toBeGreaterThan(10);
    world.room.stalled = false;
    await page.say(53, 120);
    expect(page.view.unsentSeconds).toBeLessThan(5);
    await page.stop();
    expect(page.text()).toBe(getExpectedText(120));
    expect(world.room.maxOpenCount).toBe(1);
  });

  test("catches up after a long outage within the send window", async () => {
    const { world, page } = await sayWords(3, { codec });
    world.room.goDown();
    await page.say(4, 400);
    expect(page.view.status).toBe("recording");
    world.room.refuses = null;
    for (const wake of page.wake) wake();
    await page.say(401, 420);
    await page.stop();
    expect(page.text()).toBe(getExpectedText(420));
    expect(world.room.maxInFlight).toBeLessThanOrEqual(128);
  });
});

describe("sound that waits to be sent", () => {
  const isShown = (page: Page) => getStatusWarning(page.view)?.key === "record.waiting";

  /** Says words up to `last`, and how often the page began to show that sound waits. */
  async function countAppearances(page: Page, first: number, last: number): Promise<number> {
    let count = 0;
    let before = isShown(page);
    const unsubscribe = page.session.view.subscribe(() => {
      const now = isShown(page);
      if (now && !before) count += 1;
      before = now;
    });
    await page.say(first, last);
    unsubscribe();
    return count;
  }

  test("is not told of on a healthy line, however late its acknowledgements are", async () => {
    const latency = fc.integer({ min: 5, max: 600 });
    const ackDelay = fc.integer({ min: 0, max: 5_000 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...audioCodecs),
        latency,
        ackDelay,
        async (codec, ms, ackMs) => {
          const { world, page } = await startRecording({ codec });
          world.room.latencyMs = ms;
          world.room.ackDelayMs = ackMs;
          expect(await countAppearances(page, 1, 120)).toBe(0);
          expect(getStatusWarning(page.view)).toBeNull();
        },
      ),
      { numRuns: countRuns(50) },
    );
  });

  test("is not told of at a stop on a healthy line, whose acknowledgements come later", async () => {
    const { world, page } = await startRecording({ codec: "opus" });
    world.room.ackDelayMs = 4_000;
    await page.say(1, 40);
    const states = new Set([page.view.isBehind]);
    page.session.view.subscribe(() => states.add(page.view.isBehind));
    await page.stop();
    await world.clock.until(() => page.view.connection === "idle");
    expect([...states]).toEqual([false]);
  });

  test("is told of within 10 s of a stall, once, until the line has caught up", async () => {
    const { world, page } = await sayWords(20);
    world.room.ackDelayMs = 4_000;
    await page.say(21, 40);
    world.room.stalled = true;
    expect(await countAppearances(page, 41, 76)).toBe(1);
    expect(isShown(page)).toBe(true);
    world.room.stalled = false;
    expect(await countAppearances(page, 77, 140)).toBe(0);
    expect(getStatusWarning(page.view)).toBeNull();
    expect(page.view.unsentSeconds).toBeGreaterThan(3);
  });
});

describe("the connection", () => {
  test.each([
    ["allowance_exhausted", "monthlyLimitReached"],
    ["unauthenticated", "sessionExpired"],
    ["not_found", "lectureDeletedElsewhere"],
    ["transcription_failed", "providerError"],
  ] as const)("pauses, keeps the words and reports %s", async (code, kind) => {
    const { world, page } = await sayWords(9);
    world.room.say({ type: "timer", usedSeconds: 3600, limitSeconds: 7200 });
    world.room.sayRefusal(code);
    await world.clock.until(() => page.view.status === "paused");
    expect(page.notices.filter((notice) => notice.kind === kind)).toHaveLength(1);
    if (kind === "monthlyLimitReached") {
      expect(page.notices).toContainEqual({ kind, limitHours: 2 });
    }
    expect(page.microphone.open).toBeNull();
    expect(page.text()).toBe(getExpectedText(9));
    expect(page.view).toMatchObject({ connection: "idle", usage: { usedSeconds: 3600 } });
    expect(world.room.connections).toBe(1);
  });

  test("stops without an alert after a clean close by the room", async () => {
    const { world, page } = await sayWords(4);
    world.room.drop(1000);
    await world.clock.until(() => page.view.status === "paused");
    expect(page.microphone.open).toBeNull();
    expect(page.kinds).toContain("recordingPaused");
    expect(page.kinds).not.toContain("providerDisconnected");
    expect(world.room.connections).toBe(1);

    await page.recordWords(5, 8);
    expect(page.text()).toBe(getExpectedText(8));
  });

  test("sends the spoken language to the room", async () => {
    const { world, page } = await sayWords(2);
    expect(world.room.configs.map((config) => config.language)).toEqual(["en"]);
    await page.stop();
  });

  test("pauses when another device takes over", async () => {
    const { world, page } = await sayWords(4);
    world.room.drop(4001);
    await world.clock.until(() => page.view.status === "paused");
    expect(page.kinds).toContain("recordingTakenOver");
    expect(world.room.connections).toBe(1);
  });

  test("does not delay Stop when finalize gets no answer; the words arrive later", async () => {
    const { world, page } = await sayWords(8);
    world.room.ignoresFinalize = true;
    const from = world.clock.now();
    await page.stop();
    expect(world.clock.now() - from).toBeLessThan(14_000);
    expect(page.view).toMatchObject({ status: "paused", connection: "draining" });
    world.room.ignoresFinalize = false;
    await world.clock.until(() => page.view.connection === "idle");
    await world.clock.until(() => page.view.saveState === "saved");
    expect(page.text()).toBe(getExpectedText(8));
  });

  test("sends no sound again after Stop while the room waits for the service", async () => {
    const { world, page } = await sayWords(8);
    world.room.ignoresFinalize = true;
    await page.stop();
    const times = { audio_final_proc_ms: 0, audio_total_proc_ms: 0 };
    for (let waitMs = 60_000; waitMs > 0; waitMs -= 5_000) {
      world.room.say({ type: "tokens", tokens: [], ...times, waitMs });
      await world.clock.advance(5_000);
    }
    expect(page.view.connection).toBe("draining");
    expect(world.room.connections).toBe(1);
    world.room.say({ type: "finalized" });
    await world.clock.until(() => page.view.connection === "idle");
  });

  test("ends a stop with nothing left to finalize", async () => {
    const { world, page } = await sayWords(1);
    world.room.stalled = true;
    await page.stop();
    world.room.stalled = false;
    await page.record();
    await page.stop();
    expect(page.view).toMatchObject({ status: "paused", connection: "idle", saveState: "saved" });
  });

  test("disconnects a background lecture when a recording starts", async () => {
    const { world, page } = await startRecording();
    world.room.goDown();
    await page.say(1, 1);
    await page.reset();
    world.room.refuses = null;
    await page.recordWords(2, 6);
    await world.clock.advance(60_000);
    expect(world.room.maxOpenCount).toBe(1);
  });
});
