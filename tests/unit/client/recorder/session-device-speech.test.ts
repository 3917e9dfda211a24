import { expect, test, vi } from "vitest";
import { ApiError } from "#client/lib/call-server.ts";
import { RecognitionWindows } from "#client/recognition/device/recognition-windows.ts";
import { setUpNumbered } from "./kit/numbered-recognition.ts";
import { range, wordsIn } from "./kit/simulated-room.ts";

test("recognises on this device, sends nothing and uses no hours", async () => {
  const { world, page, say, pause } = setUpNumbered();
  await page.record({ engine: "device" });
  await say(40);
  expect(wordsIn(page.text()).length).toBeGreaterThan(25);
  await pause();
  await page.stop();
  expect(wordsIn(page.text())).toEqual(range(1, 40));
  expect(world.room.connections).toBe(0);
  expect(page.view).toMatchObject({ usage: null, unsentSeconds: 0, speechProblem: null });
});

test("shows and saves where it found no words in speech", async () => {
  const { add } = RecognitionWindows.prototype;
  let isFound = false;
  using _spy = vi.spyOn(RecognitionWindows.prototype, "add").mockImplementation(function (
    this: RecognitionWindows,
    ...options
  ) {
    const result = add.apply(this, options);
    if (isFound || result.finals.length === 0) return result;
    isFound = true;
    return { ...result, finals: [], wordless: [{ startMs: 0, endMs: this.doneMs }] };
  });
  const { world, page, say, pause } = setUpNumbered();
  await page.record({ engine: "device" });
  await say(40);
  const [gap, ...others] = page.recorded.gaps.get();
  expect(gap).toMatchObject({ atMs: 0, reason: "noWords" });
  expect(others).toEqual([]);
  await pause();
  await page.stop();
  await world.clock.until(() => page.view.saveState === "saved");
  const [row] = page.rows();
  expect(row?.startMs).toBeGreaterThanOrEqual(gap?.lengthMs ?? 0);
  const [lecture] = world.server.lectures.values();
  expect(lecture?.takes.flatMap(({ gaps }) => gaps)).toEqual([gap]);
  expect(lecture?.takes).toMatchObject([{ missingMs: 0 }]);
});

test("records without a model, and recognises from the beginning when there is one", async () => {
  const { page, device, say, pause } = setUpNumbered();
  device.hasModel = false;
  await page.record({ engine: "device" });
  await say(30);
  expect(page.view).toMatchObject({
    status: "recording",
    waitingSeconds: 7,
    unsentSeconds: 0,
    speechProblem: { engine: "device", reason: "modelMissing" },
  });
  device.hasModel = true;
  page.session.wake();
  await say(30);
  expect(page.view.speechProblem).toBeNull();
  await pause();
  await page.stop();
  expect(wordsIn(page.text())).toEqual(range(1, 60));
});

test("recognises a stopped recording when a model has come", async () => {
  const { page, device, say } = setUpNumbered();
  device.hasModel = false;
  await page.record({ engine: "device" });
  await say(30);
  await page.stop();
  expect(page.view).toMatchObject({ status: "paused", waitingSeconds: 7 });
  device.hasModel = true;
  page.session.wake();
  await page.listen(10_000);
  expect(wordsIn(page.text())).toEqual(range(1, 30));
  expect(page.view).toMatchObject({ waitingSeconds: 0, connection: "idle", saveState: "saved" });
});

test("captures without a network and a model, and has the room recognise it when both can be reached", async () => {
  const { world, page, device, say } = setUpNumbered();
  device.hasModel = false;
  world.server.before = () => {
    throw new ApiError("unavailable", true);
  };
  await page.record({ engine: "device" });
  expect(page.view.status).toBe("recording");
  await say(30);
  await page.stop();
  expect(page.view).toMatchObject({ status: "paused", waitingSeconds: 7, lecture: null });
  expect(page.session.hasUnsavedChanges()).toBe(true);

  world.server.before = () => undefined;
  for (const wake of page.wake) wake();
  await world.clock.until(() => page.view.lecture !== null);
  expect(world.server.lectures.size).toBe(1);
  await page.finish(page.session.recognizeWith("service"));
  await page.listen(20_000);
  expect(wordsIn(page.text())).toEqual(range(1, 30));
  expect(page.view).toMatchObject({ waitingSeconds: 0, saveState: "saved" });
});

test("goes on after the browser's engine, when a model has come", async () => {
  const { page, device, say, pause, fail } = setUpNumbered();
  device.hasModel = false;
  await page.record({ engine: "browser" });
  await say(40);
  fail("service-not-allowed");
  await say(20);
  await page.finish(page.session.recognizeWith("device"));
  await say(10);
  expect(page.view.speechProblem).toEqual({ engine: "device", reason: "modelMissing" });
  device.hasModel = true;
  page.session.wake();
  await say(20);
  await pause();
  await page.stop();
  expect(wordsIn(page.text())).toEqual(range(1, 90));
});

test("gives no word twice when it is to recognise what waits for the room, while it recognises", async () => {
  const { world, page, say, pause } = setUpNumbered();
  world.room.refuses = "busy";
  await page.record({ engine: "service" });
  await pause();
  await page.stop();
  await page.record({ engine: "device" });
  await say(18);
  await page.finish(page.session.recognizeWith("device"));
  await say(16);
  await pause();
  await page.stop();
  expect(wordsIn(page.text())).toEqual(range(1, 34));
});

test("shows the last words of the browser's sound before it goes on with the room's", async () => {
  const { page, say, pause, fail } = setUpNumbered();
  await page.record({ engine: "browser" });
  await say(19);
  fail("service-not-allowed");
  await pause();
  await page.stop();
  await page.finish(page.session.recognizeWith("device"));
  await page.record({ engine: "service" });
  await pause();
  await page.stop();
  expect(wordsIn(page.text())).toEqual(range(1, 19));
});

test("gives the last words once where sound from before waits for the room", async () => {
  const { world, page, say, pause } = setUpNumbered();
  await page.record({ engine: "service" });
  await say(5);
  world.room.refuses = "busy";
  world.room.drop();
  await pause();
  await page.stop();
  world.room.refuses = null;
  await page.record({ engine: "device" });
  await say(1);
  await pause();
  await page.stop();
  await world.clock.until(() => page.view.connection === "idle", 120_000);
  expect(wordsIn(page.text()).toSorted((a, b) => a - b)).toEqual(range(1, 6));
});
