import { expect, test } from "vitest";
import { ApiError } from "#client/lib/call-server.ts";
import type { NoSoundReason } from "#client/sound/capture/audio-ports.ts";
import { getWaitingMs, type RecordedTake } from "#shared/recorded-take.ts";
import { type Page, sayWords, type World } from "./kit/harness.ts";

const id = "lecture-1";
const stored = (world: World): RecordedTake[] =>
  (world.server.lectures.get(id)?.takes ?? []).toSorted((a, b) => a.startedAt - b.startedAt);
const shown = (page: Page) => page.recorded.list.get();
const gaps = (page: Page) => page.recorded.gaps.get();

async function finish(world: World, page: Page) {
  await page.stop();
  await world.clock.until(() => page.view.saveState === "saved");
}

/** The lecture's clock, without what is lost. */
const sum = (takes: readonly RecordedTake[]) =>
  takes.reduce((ms, { capturedMs, missingMs }) => ms + capturedMs - missingMs, 0);

test("each take says what became of its sound, and is saved when it has ended", async () => {
  const { world, page } = await sayWords(12);
  expect(shown(page)).toHaveLength(1);
  expect(stored(world)).toEqual([]);
  await finish(world, page);
  await page.record();
  await page.say(13, 20);
  await finish(world, page);
  const takes = stored(world);
  expect(takes).toEqual(shown(page));
  expect(takes).toHaveLength(2);
  for (const take of takes) {
    expect(take).toMatchObject({ missingMs: 0, gaps: [] });
    expect(take.acknowledgedMs).toBe(take.capturedMs);
    expect(take.transcribedMs).toBeGreaterThan(0);
    expect(take.transcribedMs).toBeLessThanOrEqual(take.acknowledgedMs);
  }
  expect(Math.floor(sum(takes) / 1_000)).toBe(page.view.recordedSeconds);
  expect(takes[0]?.startedAt).toBeLessThan(takes[1]?.startedAt ?? 0);
});

test("takes are in the order in which they began, whoever names them first", async () => {
  const { world, page } = await sayWords(12);
  await finish(world, page);
  const [take] = shown(page);
  if (!take) throw new Error("no take");
  const earlier = { ...take, id: "earlier", startedAt: take.startedAt - 60_000 };
  const later = { ...take, id: "later", startedAt: take.startedAt + 60_000 };
  const lecture = await world.server.getLecture(id);
  page.lecture.updateFrom({ ...lecture, takes: [later, take, earlier] });
  expect(shown(page)).toEqual([earlier, take, later]);
});

test("a stop is no gap", async () => {
  const { world, page } = await sayWords(12);
  await finish(world, page);
  await world.clock.advance(60_000);
  await page.record();
  await page.say(13, 20);
  await finish(world, page);
  expect(gaps(page)).toEqual([]);
});

test("while the recording goes on it is saved once a minute", async () => {
  const { world, page } = await sayWords(12);
  let calls = 0;
  world.server.before = (call) => {
    if (call === "storeTakes") calls += 1;
  };
  await page.say(13, 560);
  const seconds = page.view.recordedSeconds;
  expect(seconds).toBeGreaterThan(120);
  expect(calls).toBe(Math.floor(seconds / 60));
});

test("an unplugged microphone leaves a gap until the recording goes on", async () => {
  const { world, page } = await sayWords(12);
  page.microphone.error = "missing";
  page.microphone.open?.lost();
  await world.clock.until(() => page.view.status === "paused" && page.view.busy === null);
  await world.clock.until(() => page.view.saveState === "saved");
  const [first] = stored(world);
  expect(first?.gaps).toEqual([
    { atMs: first?.capturedMs, lengthMs: null, reason: "disconnected" },
  ]);
  await world.clock.advance(30_000);
  page.microphone.error = null;
  await page.record();
  await page.say(13, 20);
  await finish(world, page);
  const [lost, next] = stored(world);
  const [gap] = gaps(page);
  expect(lost?.gaps).toEqual([gap]);
  expect(gap?.lengthMs).toBeGreaterThan(29_000);
  expect(gap?.lengthMs).toBeLessThan(60_000);
  expect(lost?.missingMs).toBe(gap?.lengthMs);
  expect(getWaitingMs(lost ?? { capturedMs: 1, acknowledgedMs: 0, missingMs: 0 })).toBe(0);
  expect(next?.gaps).toEqual([]);
  // It lies between the rows of both takes.
  const rows = page.rows();
  expect(rows.filter(({ startMs }) => startMs < (gap?.atMs ?? 0)).length).toBeGreaterThan(0);
  expect(rows.filter(({ startMs }) => startMs >= (gap?.atMs ?? 0)).length).toBeGreaterThan(0);
});

test("a muted microphone leaves a gap, whether it delivers silence or nothing", async () => {
  const { world, page } = await sayWords(12);
  page.microphone.open?.noSound("muted");
  await world.clock.advance(20_000);
  page.microphone.open?.noSound(null);
  await page.say(13, 20);
  page.microphone.open?.noSound("muted");
  await page.say(21, 40);
  page.microphone.open?.noSound(null);
  await page.say(41, 50);
  await finish(world, page);
  const [take] = stored(world);
  expect(take?.gaps).toMatchObject([
    { reason: "muted", lengthMs: 20_000 },
    { reason: "muted", lengthMs: expect.any(Number) },
  ]);
  expect(take?.missingMs).toBe(take?.gaps.reduce((ms, { lengthMs }) => ms + (lengthMs ?? 0), 0));
  expect((take?.acknowledgedMs ?? 0) + (take?.missingMs ?? 0)).toBe(take?.capturedMs);
  expect(page.notices.filter(({ kind }) => kind === "soundMissing")).toHaveLength(1);
});

test("a gap names the mute of the device only where that was muted, and is logged above 5 s", async () => {
  const { world, page } = await sayWords(12);
  let word = 12;
  const interrupt = async (reason: NoSoundReason, ms: number, isLate: boolean) => {
    page.microphone.open?.noSound(reason);
    await world.clock.advance(ms);
    // The first chunk may come before the browser says that it goes on.
    if (isLate) await page.sayChunk(0);
    page.microphone.open?.noSound(null);
    await page.say(word + 1, word + 8);
    word += 8;
  };
  await interrupt("notDelivered", 8_000, false);
  await interrupt("muted", 7_000, true);
  await interrupt("notDelivered", 6_000, true);
  const countLogged = () => page.log.filter((event) => event.endsWith("audio chunks")).length;
  expect(countLogged()).toBe(3);
  await interrupt("notDelivered", 3_000, false);
  expect(countLogged()).toBe(3);
  await finish(world, page);
  const [take] = stored(world);
  const gaps = take?.gaps.map(({ reason, lengthMs }) => [
    reason,
    Math.round((lengthMs ?? 0) / 1_000),
  ]);
  expect(gaps).toEqual([
    ["notDelivered", 8],
    ["muted", 7],
    ["notDelivered", 6],
    ["notDelivered", 3],
  ]);
});

test("a phone that was locked leaves a gap of exactly that length, and the person is told on return", async () => {
  const { world, page } = await sayWords(12);
  const lockedMs = 252_000;
  for (const hide of page.hide) hide();
  await world.clock.block(lockedMs);
  for (const wake of page.wake) wake();
  await page.say(13, 24);
  await finish(world, page);
  const [take] = stored(world);
  expect(take?.gaps).toMatchObject([{ reason: "notDelivered", lengthMs: lockedMs }]);
  expect(take?.missingMs).toBe(lockedMs);
  const told = page.notices.filter(({ kind }) => kind === "soundMissing");
  expect(told).toEqual([{ kind: "soundMissing", seconds: lockedMs / 1_000 }]);
});

test.each([0, 1])(
  "a sleep just before Stop leaves its gap (chunks after it: %i)",
  async (chunks) => {
    const { world, page } = await sayWords(12);
    const sleptMs = 8_000;
    await world.clock.block(sleptMs);
    if (chunks > 0) page.microphone.open?.chunk(new Uint8Array(8_320));
    await finish(world, page);
    const [take] = stored(world);
    expect(take?.gaps).toMatchObject([{ reason: "notDelivered" }]);
    expect(Math.abs((take?.missingMs ?? 0) - sleptMs)).toBeLessThanOrEqual(260);
    expect(page.notices.filter(({ kind }) => kind === "soundMissing")).toHaveLength(1);
  },
);

test("what is not saved is saved again, and its sound stays on the disk until then", async () => {
  const { world, page } = await sayWords(12);
  world.server.fail("storeTakes");
  await page.stop();
  await world.clock.advance(20_000);
  expect(page.session.hasUnsavedChanges()).toBe(true);
  expect(world.takes.list(id)).toHaveLength(1);
  page.close();
  world.server.before = () => {};
  await world.open(id);
  await world.clock.until(() => world.takes.list(id).length === 0);
  expect(stored(world)).toHaveLength(1);
  expect(stored(world)[0]?.acknowledgedMs).toBe(stored(world)[0]?.capturedMs);
});

test("sound that a closed tab has left is counted by the visit that sends it", async () => {
  const { world, page } = await sayWords(12);
  world.room.stalled = true;
  await page.say(13, 40);
  page.close();
  world.room.stalled = false;
  const other = await world.open(id);
  await world.clock.until(() => other.view.unsentSeconds === 0 && stored(world).length > 0);
  await world.clock.until(() => other.view.saveState === "saved");
  await world.clock.until(() => stored(world).every((take) => getWaitingMs(take) === 0));
  const [take] = stored(world);
  expect(take?.acknowledgedMs).toBe(take?.capturedMs);
  expect(shown(other)).toEqual(stored(world));
});

test("a take that the server refuses for good delays nothing", async () => {
  const { world, page } = await sayWords(12);
  world.server.fail("storeTakes", new ApiError("lecture_full", false));
  await finish(world, page);
  expect(page.kinds).not.toContain("capacityReached");
  expect(world.takes.list(id)).toEqual([]);
  expect(shown(page)).toHaveLength(1);
});

test.each([
  ["a server that sends nothing in silence may have missed it: the page says where", true],
  ["a service that answers silence has heard all", false],
])("speech without words: %s", async (_, mayLackWords) => {
  const { world, page } = await sayWords(60);
  world.room.mayLackWords = mayLackWords;
  // A breath: what goes on without one is no speech.
  await page.listen(1_000);
  const fromMs = page.recorded.list.get()[0]?.capturedMs ?? 0;
  await page.listen(10_000, true);
  await page.say(81, 140);
  await finish(world, page);
  const [gap, ...others] = gaps(page);
  expect(others).toEqual([]);
  if (!mayLackWords) {
    expect(gap).toBeUndefined();
    return;
  }
  expect(gap?.reason).toBe("noWords");
  expect(Math.abs((gap?.atMs ?? 0) - fromMs)).toBeLessThan(2_000);
  expect(gap?.lengthMs).toBeGreaterThan(7_000);
  expect(gap?.lengthMs).toBeLessThanOrEqual(10_500);
  expect(stored(world)[0]?.gaps).toEqual([gap]);
});
