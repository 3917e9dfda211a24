import { describe, expect, test, vi } from "vitest";
import type { AccountAllowance, AllowanceUsage } from "#client/recorder/allowance.ts";
import { errorCodes } from "#shared/errors.ts";
import { openPage, type Page, sayWords, startRecording, World } from "./kit/harness.ts";
import { getExpectedText } from "./kit/simulated-room.ts";

const hour = 3_600;
const month = (usedSeconds: number, limitSeconds = hour): AllowanceUsage => ({
  usedSeconds,
  limitSeconds,
});

/** An account with a cached month; `now` is the server's answer. */
function account(cached: AllowanceUsage | null, now: AllowanceUsage | null = cached) {
  return {
    getCached: vi.fn(() => cached),
    fetch: vi.fn(async () => now),
  } satisfies AccountAllowance;
}

const count = (page: Page, kind: string) => page.kinds.filter((each) => each === kind).length;

describe("before a recording", () => {
  test("reports an exhausted month on each attempt, without opening the microphone or a connection", async () => {
    const { world, page } = await startRecording({
      allowance: account(month(20 * hour, 20 * hour)),
    });
    expect(page.notices).toEqual([{ kind: "monthlyLimitReached", limitHours: 20 }]);
    expect(page.view).toMatchObject({ status: "ready", busy: null, lecture: null });
    expect(page.microphone.captureCount).toBe(0);
    expect(world.room.connections).toBe(0);
    expect(world.server.lectures.size).toBe(0);
    await page.record();
    expect(count(page, "monthlyLimitReached")).toBe(2);
  });

  test("trusts a cached allowance that is left and fetches one that is exhausted", async () => {
    const world = new World();
    const some = account(month(hour - 1));
    const page = world.page({ allowance: some });
    await page.record();
    expect(page.view.status).toBe("recording");
    expect(some.fetch).not.toHaveBeenCalled();

    const upgraded = account(month(hour), month(hour, 20 * hour));
    const richer = world.page({ allowance: upgraded });
    await richer.record();
    expect(richer.view.status).toBe("recording");
    expect(richer.kinds).toEqual(["recordingStarted"]);
  });

  test("fetches an unknown allowance", async () => {
    const { page } = await startRecording({ allowance: account(null, month(hour)) });
    expect(page.kinds).toEqual(["monthlyLimitReached"]);
    expect(page.microphone.captureCount).toBe(0);
  });

  test("starts after 3 s if the server does not answer", async () => {
    const silent = { getCached: () => null, fetch: () => new Promise<never>(() => {}) };
    const { world, page } = openPage({ allowance: silent });
    void page.session.record();
    await world.clock.advance(2_900);
    expect(page.view).toMatchObject({ busy: "starting", canStop: true });
    await world.clock.advance(300);
    expect(page.view.status).toBe("recording");
  });

  test("cancels the allowance check on Stop", async () => {
    const silent = { getCached: () => null, fetch: () => new Promise<never>(() => {}) };
    const { page } = openPage({ allowance: silent });
    void page.session.record();
    await page.stop();
    expect(page.view).toMatchObject({ status: "ready", busy: null });
    expect(page.microphone.captureCount).toBe(0);
    expect(page.notices).toEqual([]);
  });
});

describe("a low allowance", () => {
  const low = (page: Page) => count(page, "allowanceLow");

  test("is reported once per recording, even after a reconnect", async () => {
    const { world, page } = await sayWords(3);
    world.room.say({ type: "timer", ...month(hour - 300) });
    world.room.say({ type: "allowance_low", remainingSeconds: 300 });
    await world.clock.until(() => low(page) === 1);
    expect(page.notices).toContainEqual({ kind: "allowanceLow", seconds: 300, identity: "user" });
    expect(page.view.usage).toEqual(month(hour - 300));

    world.room.drop();
    await world.clock.until(() => page.view.connection === "live");
    world.room.say({ type: "timer", ...month(hour - 290) });
    world.room.say({ type: "allowance_low", remainingSeconds: 290 });
    await world.clock.until(() => page.view.usage?.usedSeconds === hour - 290);
    await world.clock.advance(1_000);
    expect(low(page)).toBe(1);

    await page.stop();
    await page.record();
    expect(page.view.usage).toBeNull();
    await world.clock.until(() => page.view.connection === "live");
    world.room.say({ type: "allowance_low", remainingSeconds: 280 });
    await world.clock.until(() => low(page) === 2);
  });

  test("is reported again after the allowance has grown", async () => {
    const { world, page } = await sayWords(3);
    world.room.say({ type: "allowance_low", remainingSeconds: 300 });
    world.room.say({ type: "timer", ...month(hour, 20 * hour) });
    await world.clock.until(() => page.view.usage !== null);
    world.room.say({ type: "allowance_low", remainingSeconds: 300 });
    await world.clock.until(() => low(page) === 2);
  });

  test('is reported to a guest with the identity "guest"', async () => {
    const { world, page } = await sayWords(3, { identity: "guest" });
    world.room.say({ type: "timer", ...month(1_700, 1_800) });
    world.room.say({ type: "allowance_low", remainingSeconds: 100 });
    await world.clock.until(() => low(page) === 1);
    expect(page.notices).toContainEqual({ kind: "allowanceLow", seconds: 100, identity: "guest" });
    expect(page.view.usage).toEqual(month(1_700, 1_800));
  });
});

describe("an allowance that runs out during a recording", () => {
  test("pauses, saves the words and is reported once, and again on Continue", async () => {
    const world = new World();
    let known = month(hour - 60);
    const page = world.page({ allowance: { getCached: () => known, fetch: async () => known } });
    await page.record();
    await page.say(1, 9);
    world.room.say({ type: "timer", ...month(hour) });
    world.room.sayRefusal("allowance_exhausted");
    await world.clock.until(() => page.view.status === "paused" && page.view.busy === null);
    expect(count(page, "monthlyLimitReached")).toBe(1);
    expect(page.kinds.at(-1)).toBe("recordingPaused");
    expect(page.text()).toBe(getExpectedText(9));
    expect(page.view).toMatchObject({ connection: "idle", saveState: "saved", microphone: "off" });
    const [stored] = [...world.server.lectures.values()];
    expect(stored?.entries.map(({ original }) => original)).toEqual(
      page.rows().map(({ original }) => original),
    );

    known = month(hour);
    const { connections } = world.room;
    await page.record();
    expect(count(page, "monthlyLimitReached")).toBe(2);
    expect(page.view).toMatchObject({ status: "paused", busy: null, microphone: "off" });
    expect(page.text()).toBe(getExpectedText(9));
    expect(world.room.connections).toBe(connections);
    expect(page.microphone.captureCount).toBe(1);

    // With a larger plan it goes on where it stopped.
    known = month(hour, 20 * hour);
    await page.recordWords(10, 12);
    expect(page.text()).toBe(getExpectedText(12));
  });

  test("leaves the lecture saved and transcribes the remaining audio on Continue", async () => {
    const { world, page } = await sayWords(9);
    world.room.stalled = true;
    await page.say(10, 12);
    world.room.stalled = false;
    world.room.sayRefusal("allowance_exhausted");
    await page.sayChunk(13);
    await world.clock.until(() => page.view.status === "paused" && page.view.busy === null);
    expect(page.view.saveState).toBe("saved");
    expect(page.session.hasUnsavedChanges()).toBe(false);
    expect(page.text()).toBe(getExpectedText(12));
    // It becomes words where there is more to record.
    await page.record();
    await page.sayChunk(14);
    await page.stop();
    expect(page.text()).toBe(getExpectedText(14));
  });

  test("pauses a guest's recording and is reported again on Continue until the next day", async () => {
    const { world, page } = await sayWords(9, { identity: "guest" });
    world.room.sayRefusal("guest_allowance_exhausted");
    await world.clock.until(() => page.view.status === "paused" && page.view.busy === null);
    expect(count(page, "guestLimitReached")).toBe(1);
    expect(page.text()).toBe(getExpectedText(9));
    world.room.refuses = "guest_allowance_exhausted";
    await page.record();
    expect(count(page, "guestLimitReached")).toBe(2);
    expect(page.view).toMatchObject({ status: "paused", busy: null });
    expect(page.microphone.captureCount).toBe(1);
    // The next day.
    world.room.refuses = null;
    await page.recordWords(10, 12);
    expect(page.text()).toBe(getExpectedText(12));
  });
});

describe("a refusal", () => {
  const own = new Set(["monthlyLimitReached", "guestLimitReached", "lectureDeletedElsewhere"]);
  const signedOut = new Set(["sessionExpired", "guestTicketRefused"]);

  // Of a language, the sound is kept for another engine, and `speechProblem` says so.
  test.each(errorCodes.filter((code) => code !== "language_not_recognized"))(
    "by the room with %s is reported once, without the server's message",
    async (code) => {
      const { world, page } = await sayWords(3);
      world.room.sayRefusal(code, "In English.");
      await world.clock.until(() => page.view.status === "paused" && page.view.busy === null);
      const allowanceNotices = page.notices.filter(
        ({ kind }) =>
          kind === "recordingRefused" ||
          kind === "providerError" ||
          own.has(kind) ||
          signedOut.has(kind),
      );
      expect(allowanceNotices).toHaveLength(1);
      const [notice] = allowanceNotices;
      // What the recogniser said is passed on as the specification has it.
      if (code === "transcription_failed") expect(notice?.kind).toBe("providerError");
      else expect(JSON.stringify(notice)).not.toContain("In English.");
    },
  );

  test("by a busy provider is reported once, and the audio is transcribed later", async () => {
    const { world, page } = openPage();
    world.room.refuses = "busy";
    await page.record();
    await page.say(1, 60);
    expect(page.view.status).toBe("recording");
    expect(page.view.busySeconds).toBeGreaterThan(0);
    expect(count(page, "providerBusy")).toBe(1);
    world.room.refuses = null;
    await world.clock.until(() => page.view.connection === "live", 30_000);
    expect(page.view.busySeconds).toBeNull();
    await page.stop();
    expect(page.text()).toBe(getExpectedText(60));
  });

  test("by a busy provider is tried again when the room has said, and not before", async () => {
    const { world, page } = openPage();
    world.room.refuses = "busy";
    await page.record();
    await page.say(1, 2);
    // The room says 15 s, and a fifth is added at most.
    expect([15, 20]).toContain(page.view.busySeconds);
    const since = world.clock.now();
    world.room.refuses = null;
    await world.clock.until(() => page.view.connection === "live", 30_000);
    const waitedMs = world.clock.now() - since;
    expect(waitedMs).toBeGreaterThan(10_000);
    expect(waitedMs).toBeLessThan(20_000);
  });

  test("is none where the room itself waits for the service: the page says how long", async () => {
    const { world, page } = await sayWords(3);
    const progress = { type: "tokens" as const, tokens: [], audio_final_proc_ms: 0 };
    world.room.say({ ...progress, audio_total_proc_ms: 0, waitMs: 22_000 });
    await world.clock.until(() => page.view.busySeconds !== null);
    expect(page.view).toMatchObject({ status: "recording", connection: "live", busySeconds: 25 });
    world.room.say({ ...progress, audio_total_proc_ms: 0 });
    await world.clock.until(() => page.view.busySeconds === null);
    await page.stop();
  });

  test("for another retryable reason is not reported as a busy provider", async () => {
    const { world, page } = openPage();
    world.room.refuses = "busy";
    await page.record();
    await page.say(1, 30);
    world.room.refuses = "unavailable";
    await page.say(31, 120);
    expect(page.view).toMatchObject({ status: "recording", busySeconds: null });
    expect(page.kinds).not.toContain("recordingRefused");
  });
});
