import { describe, expect, test } from "vitest";
import { leaveUnsentWords, World } from "./kit/harness.ts";
import { getExpectedText } from "./kit/simulated-room.ts";

/** A page on which what recording needs is still to be fetched. */
function bare() {
  const world = new World();
  world.live.isHere = false;
  return { world, page: world.page() };
}

describe("a page whose recording code is not loaded", () => {
  test("loads it with the first recording without losing words", async () => {
    const { world, page } = bare();
    await page.recordWords(1, 10);
    expect(world.live.loadCount).toBe(1);
    expect(page.text()).toBe(getExpectedText(10));
    expect(page.kinds).toEqual(["recordingStarted", "finalizingTranslations", "recordingPaused"]);
  });

  test("preloads it only once", async () => {
    const { world, page } = bare();
    page.session.preload();
    page.session.preload();
    await world.clock.until(() => world.live.isHere);
    page.session.preload();
    expect(world.live.loadCount).toBe(1);
  });

  test("reports that it cannot be loaded, and records once it can", async () => {
    const { world, page } = bare();
    world.live.fetch = () => Promise.reject(new TypeError("Failed to fetch"));
    page.session.preload();
    await page.record();
    expect(page.kinds).toEqual(["codeNotLoaded"]);
    expect(page.microphone.open).toBeNull();
    expect([page.view.status, page.view.busy]).toEqual(["ready", null]);
    world.live.fetch = () => Promise.resolve();
    page.session.wake();
    await world.clock.until(() => world.live.isHere);
    await page.recordWords(1, 5);
    expect(page.text()).toBe(getExpectedText(5));
  });

  test("cancels a start that waits for it on Stop", async () => {
    const { world, page } = bare();
    world.live.fetch = () => new Promise(() => {});
    const start = page.session.record();
    await world.clock.until(() => world.live.loadCount > 0);
    await page.stop();
    await page.finish(start);
    expect([page.view.status, page.kinds]).toEqual(["ready", []]);
  });

  test("loads, corrects, saves and resets a lecture without it", async () => {
    const before = new World();
    const first = before.page();
    await first.recordWords(1, 10);
    first.close();
    before.live.isHere = false;
    const page = before.page();
    await page.load("lecture-1");
    expect(page.text()).toBe(getExpectedText(10));
    expect(page.view.saveState).toBe("saved");
    page.lecture.correctRow(0, { translated: "我的" });
    await before.clock.until(() => page.view.saveState === "saved");
    await page.save("Ten words");
    await page.reset();
    expect(page.kinds).toEqual(["lectureSaved", "newLectureCreated"]);
  });

  test("loads it to transcribe an earlier page's unsent audio", async () => {
    const { world, page } = await withLeftSound();
    await page.load("lecture-1");
    await world.clock.until(() => page.kinds.includes("soundRecovered"));
    await world.clock.until(() => page.text() === getExpectedText(16));
  });

  test("transcribes that audio on wake after loading has failed", async () => {
    const { world, page } = await withLeftSound();
    world.live.fetch = () => Promise.reject(new TypeError("Failed to fetch"));
    await page.load("lecture-1");
    await world.clock.advance(1_000);
    world.live.fetch = () => Promise.resolve();
    page.session.wake();
    await world.clock.until(() => page.kinds.includes("soundRecovered"));
    await world.clock.until(() => page.text() === getExpectedText(16));
  });

  test("does not connect if the page closes while it loads", async () => {
    const { world, page } = await withLeftSound();
    const { connections } = world.room;
    const fetched = Promise.withResolvers<void>();
    world.live.fetch = () => fetched.promise;
    await page.load("lecture-1");
    page.close();
    fetched.resolve();
    await world.clock.advance(20_000);
    expect(world.room.connections).toBe(connections);
  });

  test("sends an earlier page's audio after a recording that started while it loaded", async () => {
    const { world, page } = await withLeftSound();
    const fetched = Promise.withResolvers<void>();
    world.live.fetch = () => fetched.promise;
    await page.load("lecture-1");
    await page.reset();
    page.session.preload();
    const start = page.session.record();
    await world.clock.advance(1_000);
    fetched.resolve();
    await page.finish(start);
    await page.say(21, 30);
    await page.stop();
    const original = () => world.lecture()?.entries.map((entry) => entry.original);
    await world.clock.until(() => original()?.join(" ") === getExpectedText(16));
    expect(world.room.maxOpenCount).toBe(1);
  });
});

/** A page without that code, and what one before it has recorded: half of it was never sent. */
async function withLeftSound() {
  const world = await leaveUnsentWords(8, 16);
  world.live.isHere = false;
  return { world, page: world.page() };
}
