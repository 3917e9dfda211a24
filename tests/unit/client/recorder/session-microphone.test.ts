import { describe, expect, test, vi } from "vitest";
import type { RecordedTake } from "#shared/recorded-take.ts";
import { openPage, type Page, sayWords, type World } from "./kit/harness.ts";
import { getExpectedText, sound } from "./kit/simulated-room.ts";

const stored = (world: World): readonly RecordedTake[] => world.lecture()?.takes ?? [];

/** A page that has said words 1 to 8 into the first of the inputs `labels`, the system's default. */
async function recordWith(labels: readonly string[], microphoneId: string | null = null) {
  const { world, page } = openPage({ microphoneId });
  page.microphone.setDevices(...labels);
  const startedAt = world.clock.now();
  await page.record();
  await page.say(1, 8);
  return { world, page, startedAt };
}

async function finish({ world, page }: { world: World; page: Page }): Promise<void> {
  await page.stop();
  await world.clock.until(() => page.view.saveState === "saved");
}

/** Each moment up to `endedAt` was recorded, or is in a gap. The oracle is the clock. */
function expectWhole(world: World, startedAt: number, endedAt: number): void {
  const takes = stored(world);
  const sum = (of: (take: RecordedTake) => number) => takes.reduce((ms, take) => ms + of(take), 0);
  const accountedMs = sum(({ capturedMs }) => capturedMs);
  expect(Math.abs(accountedMs - (endedAt - startedAt))).toBeLessThan(1_000);
  const gapsMs = sum(({ gaps }) => gaps.reduce((ms, { lengthMs }) => ms + (lengthMs ?? 0), 0));
  expect(gapsMs).toBe(sum(({ missingMs }) => missingMs));
}

const listReplacements = ({ notices }: Page) =>
  notices.flatMap((notice) => (notice.kind === "microphoneReplaced" ? [notice.label] : []));

describe("a call that interrupts the sound", () => {
  test("leaves the microphone as it is, and a gap", async () => {
    const { world, page, startedAt } = await recordWith(["Phone"]);
    page.microphone.open?.noSound("interrupted");
    expect(page.view.microphone).toBe("notDelivered");
    await world.clock.advance(40_000);
    expect(page.microphone.captureCount).toBe(1);
    page.microphone.open?.noSound("notDelivered");
    page.microphone.open?.noSound(null);
    await page.say(9, 16);
    const endedAt = world.clock.now();
    await finish({ world, page });
    expect(page.microphone.captureCount).toBe(1);
    expect(stored(world)[0]?.gaps).toMatchObject([{ reason: "notDelivered", lengthMs: 40_000 }]);
    expect(page.text()).toBe(getExpectedText(16));
    expectWhole(world, startedAt, endedAt);
  });

  test.each([
    ["the sound is said to run", null],
    ["the sound stays suspended", "notDelivered"],
    ["the microphone stays muted", "muted"],
  ] as const)(
    "is followed by another opening within 5 s if no sound comes: %s",
    async (_, after) => {
      const { world, page, startedAt } = await recordWith(["Phone"]);
      page.microphone.open?.noSound("interrupted");
      await world.clock.advance(40_000);
      page.microphone.open?.noSound(after);
      await world.clock.advance(4_900);
      expect(page.microphone.captureCount).toBe(1);
      await world.clock.advance(200);
      expect(page.microphone.captureCount).toBe(2);
      expect(page.view).toMatchObject({ status: "recording", microphone: "notDelivered" });
      await page.say(9, 16);
      expect(page.view.microphone).toBe("on");
      const endedAt = world.clock.now();
      await finish({ world, page });
      const gaps = stored(world)[0]?.gaps ?? [];
      const lengthMs = gaps.reduce((ms, gap) => ms + (gap.lengthMs ?? 0), 0);
      expect(Math.abs(lengthMs - 45_000)).toBeLessThan(500);
      expect(page.text()).toBe(getExpectedText(16));
      expectWhole(world, startedAt, endedAt);
    },
  );

  test("and another one before the sound has come back leave the microphone as it is", async () => {
    const { world, page, startedAt } = await recordWith(["Phone"]);
    page.microphone.open?.noSound("interrupted");
    await world.clock.advance(10_000);
    page.microphone.open?.noSound(null);
    await world.clock.advance(3_000);
    page.microphone.open?.noSound("interrupted");
    await world.clock.advance(20_000);
    expect(page.microphone.captureCount).toBe(1);
    page.microphone.open?.noSound(null);
    await page.say(9, 16);
    const endedAt = world.clock.now();
    await finish({ world, page });
    expect(page.microphone.captureCount).toBe(1);
    expect(page.text()).toBe(getExpectedText(16));
    expectWhole(world, startedAt, endedAt);
  });

  test("goes on with the next microphone where the headset is put away during it", async () => {
    const { world, page, startedAt } = await recordWith(["Headset", "Phone"]);
    page.microphone.open?.noSound("interrupted");
    await world.clock.advance(10_000);
    page.microphone.setDevices("Phone");
    page.microphone.open?.lost();
    await world.clock.until(() => page.microphone.captureCount === 2);
    await page.say(9, 16);
    const endedAt = world.clock.now();
    await finish({ world, page });
    expect(listReplacements(page)).toEqual(["Phone"]);
    expect(page.text()).toBe(getExpectedText(16));
    expectWhole(world, startedAt, endedAt);
  });

  test("is another thing than a microphone that somebody has muted, which stays open", async () => {
    const { world, page } = await recordWith(["Phone"]);
    page.microphone.open?.noSound("muted");
    await world.clock.advance(60_000);
    expect(page.microphone.captureCount).toBe(1);
    page.microphone.open?.noSound(null);
    await world.clock.advance(6_100);
    expect(page.microphone.captureCount).toBe(2);
  });
});

describe("a microphone that stops sending", () => {
  test("is told and opened again after 6 s", async () => {
    const { world, page, startedAt } = await recordWith(["Headset"]);
    await world.clock.advance(5_600);
    expect(page.view.microphone).toBe("on");
    await world.clock.advance(300);
    expect(page.view).toMatchObject({ status: "recording", microphone: "notDelivered" });
    expect(page.microphone).toMatchObject({ captureCount: 2, maxOpenCount: 1 });
    expect(page.recorded.gaps.get()).toMatchObject([{ lengthMs: null, reason: "notDelivered" }]);
    await page.say(9, 16);
    expect(page.view.microphone).toBe("on");
    const endedAt = world.clock.now();
    await finish({ world, page });
    expect(stored(world)[0]?.gaps).toMatchObject([{ reason: "notDelivered" }]);
    expect(listReplacements(page)).toEqual([]);
    expect(page.kinds.filter((kind) => kind === "soundMissing")).toHaveLength(1);
    expect(page.text()).toBe(getExpectedText(16));
    expectWhole(world, startedAt, endedAt);
  });

  test("is told when it has never sent anything", async () => {
    const { world, page } = openPage();
    await page.record();
    await world.clock.advance(6_100);
    expect(page.view).toMatchObject({ status: "recording", microphone: "notDelivered" });
    expect(page.microphone.captureCount).toBe(2);
  });

  test("is replaced when another program has taken it", async () => {
    const { world, page, startedAt } = await recordWith(["Headset", "Built-in"]);
    page.microphone.deviceErrors.set(null, "busy").set("headset", "busy");
    await world.clock.advance(6_100);
    expect(page.microphone.openId).toBe("built-in");
    await page.say(9, 16);
    const endedAt = world.clock.now();
    await finish({ world, page });
    expect(listReplacements(page)).toEqual(["Built-in"]);
    expect(page.text()).toBe(getExpectedText(16));
    expectWhole(world, startedAt, endedAt);
  });

  test("is replaced when it opens and sends nothing once more", async () => {
    const { world, page } = await recordWith(["Headset", "Built-in"], "headset");
    const opened = new Set<string | null>();
    for (let seconds = 0; seconds < 60; seconds += 1) {
      await world.clock.advance(1_000);
      opened.add(page.microphone.openId);
    }
    expect(opened).toEqual(new Set([null, "headset", "built-in"]));
    expect(page.view.status).toBe("recording");
    expect(page.microphone.maxOpenCount).toBe(1);
  });

  test("is waited for while every input is in use, and the recording goes on", async () => {
    const { world, page, startedAt } = await recordWith(["Headset"]);
    page.microphone.error = "busy";
    await world.clock.advance(300_000);
    expect(page.view).toMatchObject({ status: "recording", microphone: "notDelivered" });
    page.microphone.error = null;
    await world.clock.until(() => page.microphone.open !== null, 11_000);
    await page.say(9, 16);
    const endedAt = world.clock.now();
    await finish({ world, page });
    expect(stored(world)[0]?.gaps).toHaveLength(1);
    expect(page.text()).toBe(getExpectedText(16));
    expectWhole(world, startedAt, endedAt);
  });

  test("is not said to have stopped where the page was blocked", async () => {
    const { world, page } = await recordWith(["Headset"]);
    await world.clock.block(30_000);
    await page.say(9, 10);
    await world.clock.advance(5_000);
    expect(page.microphone.captureCount).toBe(1);
  });

  test.each([1_300, 3_000, 4_900])("for %i ms leaves a gap", async (ms) => {
    const { world, page, startedAt } = await recordWith(["Headset"]);
    await world.clock.advance(ms);
    await page.say(9, 16);
    const endedAt = world.clock.now();
    await finish({ world, page });
    expect(page.microphone.captureCount).toBe(1);
    const gaps = stored(world)[0]?.gaps ?? [];
    expect(gaps).toMatchObject([{ reason: "notDelivered" }]);
    expect(Math.abs((gaps[0]?.lengthMs ?? 0) - ms)).toBeLessThan(300);
    expectWhole(world, startedAt, endedAt);
  });

  test("leaves no gap where a blocked page receives the sound of 3 s late", async () => {
    const { world, page } = await recordWith(["Headset"]);
    await world.clock.block(3_072);
    for (let chunk = 0; chunk < 12; chunk += 1) page.microphone.open?.chunk(sound(0));
    await page.say(9, 16);
    await finish({ world, page });
    expect(stored(world)[0]?.gaps).toEqual([]);
  });

  test("leaves a gap of the time until Stop", async () => {
    const { world, page, startedAt } = await recordWith(["Headset"]);
    await world.clock.advance(30_000);
    const endedAt = world.clock.now();
    await finish({ world, page });
    expect(stored(world)[0]?.gaps).toMatchObject([{ lengthMs: expect.any(Number) }]);
    expectWhole(world, startedAt, endedAt);
  });
});

describe("a microphone that ends", () => {
  test("is replaced by the system's next default within 2 s, which is named", async () => {
    const { world, page, startedAt } = await recordWith(["Headset", "Built-in"]);
    const lostAt = world.clock.now();
    page.microphone.open?.lost();
    page.microphone.setDevices("Built-in");
    await world.clock.until(() => page.microphone.captureCount === 2);
    expect(world.clock.now() - lostAt).toBeLessThanOrEqual(2_000);
    await page.say(9, 16);
    expect(page.view).toMatchObject({ status: "recording", microphone: "on" });
    expect(listReplacements(page)).toEqual(["Built-in"]);
    expect(page.kinds).not.toContain("microphoneLost");
    const endedAt = world.clock.now();
    await finish({ world, page });
    expect(page.text()).toBe(getExpectedText(16));
    expect(stored(world)).toHaveLength(1);
    expectWhole(world, startedAt, endedAt);
  });

  test.each([
    ["the default is not there yet", null],
    ["the default is in use", "busy"],
  ] as const)("is replaced by another input: %s", async (_, error) => {
    const { world, page, startedAt } = await recordWith(["Headset", "Built-in"]);
    const { microphone } = page;
    if (error === null) microphone.error = "missing";
    else microphone.deviceErrors.set(null, error).set("headset", error);
    const lostAt = world.clock.now();
    microphone.open?.lost();
    await world.clock.advance(1_300);
    microphone.error = null;
    await world.clock.until(() => microphone.open !== null);
    expect(world.clock.now() - lostAt).toBeLessThanOrEqual(2_000);
    await page.say(9, 16);
    const endedAt = world.clock.now();
    await finish({ world, page });
    expect(page.text()).toBe(getExpectedText(16));
    expectWhole(world, startedAt, endedAt);
    const reasons = stored(world).flatMap(({ gaps }) => gaps.map(({ reason }) => reason));
    expect(reasons).toEqual(["disconnected"]);
  });

  test("is used again when it comes back, if it was chosen", async () => {
    const { world, page } = await recordWith(["Built-in", "Lapel"], "lapel");
    expect(page.microphone.openId).toBe("lapel");
    page.microphone.setDevices("Built-in");
    page.microphone.open?.lost();
    await world.clock.until(() => page.microphone.captureCount === 2);
    await page.say(9, 12);
    expect(page.view.microphoneId).toBeNull();
    page.microphone.setDevices("Built-in", "Lapel");
    await world.clock.until(() => page.microphone.openId === "lapel");
    await page.say(13, 16);
    expect(page.view.microphoneId).toBe("lapel");
    expect(listReplacements(page)).toEqual(["Built-in", "Lapel"]);
    await page.stop();
    expect(page.text()).toBe(getExpectedText(16));
  });

  test("stops the recording where there is no other, and it goes on by itself when one comes", async () => {
    const { world, page, startedAt } = await recordWith(["Headset"]);
    page.microphone.setDevices();
    page.microphone.open?.lost();
    await world.clock.until(() => page.view.status === "paused");
    expect(page.kinds).toContain("microphoneLost");
    await world.clock.advance(300_000);
    expect(page.recorded.gaps.get()).toMatchObject([{ lengthMs: null, reason: "disconnected" }]);
    page.microphone.setDevices("Headset");
    await world.clock.until(() => page.view.status === "recording", 2_000);
    await page.say(9, 16);
    const endedAt = world.clock.now();
    await finish({ world, page });
    expect(page.text()).toBe(getExpectedText(16));
    expect(stored(world).flatMap(({ gaps }) => gaps)).toHaveLength(1);
    expectWhole(world, startedAt, endedAt);
  });

  test.each([
    ["more than 10 minutes later", (world: World) => world.clock.advance(601_000)],
    ["of a lecture that was saved since", (_: World, page: Page) => page.save("Entropy")],
    ["of a lecture that was left since", (_: World, page: Page) => page.reset()],
  ])("does not start a recording again %s", async (_, act) => {
    const { world, page } = await recordWith(["Headset"]);
    page.microphone.setDevices();
    page.microphone.open?.lost();
    await world.clock.until(() => page.kinds.includes("recordingPaused"));
    await act(world, page);
    page.microphone.setDevices("Headset");
    await world.clock.advance(10_000);
    expect(page.microphone.captureCount).toBe(1);
    expect(page.view.status).not.toBe("recording");
  });

  test("stops the recording when the permission is gone, until the person acts", async () => {
    const { world, page } = await recordWith(["Headset", "Built-in"]);
    page.microphone.error = "denied";
    page.microphone.open?.lost();
    await world.clock.until(() => page.view.status === "paused");
    expect(page.kinds).toContain("microphoneDenied");
    page.microphone.setDevices("Built-in");
    await world.clock.advance(10_000);
    expect(page.microphone.captureCount).toBe(1);
  });

  test("does not keep Stop waiting", async () => {
    const { world, page } = await recordWith(["Headset"]);
    page.microphone.error = "busy";
    page.microphone.open?.lost();
    await world.clock.advance(20_000);
    await page.stop();
    expect(page.view).toMatchObject({ status: "paused", microphone: "off" });
    page.microphone.setDevices("Headset");
    await world.clock.advance(20_000);
    expect(page.microphone.captureCount).toBe(1);
  });
});

describe("the system's default microphone", () => {
  test("is followed when it changes", async () => {
    const { world, page, startedAt } = await recordWith(["Built-in"]);
    page.microphone.setDevices("Headset", "Built-in");
    await world.clock.until(() => page.microphone.captureCount === 2);
    await page.say(9, 16);
    expect(page.view.microphoneId).toBeNull();
    expect(listReplacements(page)).toEqual(["Headset"]);
    const endedAt = world.clock.now();
    await finish({ world, page });
    expect(page.text()).toBe(getExpectedText(16));
    expect(page.microphone.maxOpenCount).toBe(1);
    expectWhole(world, startedAt, endedAt);
  });

  test.each([
    ["another one was chosen", "built-in", ["Headset", "Built-in"]],
    ["it stays the same", null, ["Built-in", "Headset"]],
  ])("is left alone where %s", async (_, chosen, labels) => {
    const { world, page } = await recordWith(["Built-in"], chosen);
    page.microphone.setDevices(...labels);
    await world.clock.advance(2_000);
    expect(page.microphone.captureCount).toBe(1);
  });
});

describe("a tab's sound, which only the person can share", () => {
  async function recordTab() {
    const { world, page } = openPage();
    const restart = vi.fn(async () => {});
    const { open } = page.microphone.source;
    page.microphone.source.open = async (...request) => ({ ...(await open(...request)), restart });
    await page.record();
    await page.say(1, 8);
    return { world, page, restart };
  }

  test("is heard anew when it stalls, and is not shared again", async () => {
    const { world, page, restart } = await recordTab();
    restart.mockRejectedValueOnce(new Error("no graph"));
    await world.clock.advance(6_100);
    expect(restart).toHaveBeenCalledTimes(1);
    expect(page.view.microphone).toBe("notDelivered");
    await world.clock.advance(12_100);
    expect(restart).toHaveBeenCalledTimes(2);
    await page.say(9, 16);
    await finish({ world, page });
    expect(page.microphone.captureCount).toBe(1);
    expect(stored(world)[0]?.gaps).toMatchObject([{ reason: "notDelivered" }]);
    expect(page.text()).toBe(getExpectedText(16));
  });

  test("does not keep Stop waiting when it cannot be heard anew", async () => {
    const { world, page, restart } = await recordTab();
    restart.mockReturnValue(new Promise(() => {}));
    await world.clock.advance(6_100);
    const stoppedAt = world.clock.now();
    await page.stop();
    expect(page.view).toMatchObject({ status: "paused", microphone: "off" });
    expect(world.clock.now() - stoppedAt).toBeLessThan(5_000);
  });

  test("stops the recording when it ends", async () => {
    const { world, page, restart } = await recordTab();
    page.microphone.open?.lost();
    await world.clock.until(() => page.kinds.includes("recordingPaused"));
    expect(page.kinds).toContain("microphoneLost");
    page.microphone.setDevices("Headset");
    await world.clock.advance(10_000);
    expect(restart).not.toHaveBeenCalled();
    expect(page.microphone.captureCount).toBe(1);
  });
});

test("a change of the microphone that takes longer than a second leaves a gap", async () => {
  const { world, page } = await sayWords(8);
  let answer = () => {};
  page.microphone.answer = new Promise((resolve) => {
    answer = resolve;
  });
  page.session.setMicrophone("lapel");
  await world.clock.advance(4_000);
  answer();
  await world.clock.until(() => page.microphone.openId === "lapel");
  await page.say(9, 16);
  await finish({ world, page });
  const [gap] = stored(world)[0]?.gaps ?? [];
  expect(Math.abs((gap?.lengthMs ?? 0) - 4_000)).toBeLessThan(300);
  expect(listReplacements(page)).toEqual([]);
});
