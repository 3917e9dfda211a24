// @vitest-environment happy-dom

import { beforeEach, expect, it, vi } from "vitest";

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

/** Loads the module anew; `isPainted` tells whether the first paint has been reported. */
async function load() {
  const { firstPaint, ...functions } = await import("#client/lib/after-first-paint.ts");
  let painted = false;
  void firstPaint.then(() => {
    painted = true;
  });
  const isPainted = async () => {
    await vi.runAllTimersAsync();
    return painted;
  };
  return { ...functions, firstPaint, isPainted };
}

it("reports the first paint once the page is in the document", async () => {
  const { reportFirstPage, isPainted } = await load();
  expect(await isPainted()).toBe(false);
  reportFirstPage();
  expect(await isPainted()).toBe(true);
});

it("waits for the contents that a placeholder stands for", async () => {
  const { delayFirstPaint, reportFirstPage, isPainted } = await load();
  const end = delayFirstPaint();
  reportFirstPage();
  expect(await isPainted()).toBe(false);
  // Another placeholder replaces the first one before the next paint.
  end();
  const endNext = delayFirstPaint();
  expect(await isPainted()).toBe(false);
  endNext();
  expect(await isPainted()).toBe(true);
});

it("waits for the page although a placeholder has gone", async () => {
  const { delayFirstPaint, reportFirstPage, isPainted } = await load();
  delayFirstPaint()();
  expect(await isPainted()).toBe(false);
  reportFirstPage();
  expect(await isPainted()).toBe(true);
});

it("waits until the browser reports the paint of the page's largest element", async () => {
  let report: (paints: number[]) => void = () => {};
  class FakeObserver {
    static readonly supportedEntryTypes = ["largest-contentful-paint"];
    constructor(callback: (list: { getEntries: () => { startTime: number }[] }) => void) {
      report = (paints) =>
        callback({ getEntries: () => paints.map((startTime) => ({ startTime })) });
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal("PerformanceObserver", FakeObserver);
  const { firstPaint, reportFirstPage } = await load();
  const resolve = vi.fn();
  void firstPaint.then(resolve);
  reportFirstPage();
  await vi.advanceTimersToNextFrame();
  // The paint of the frame before the contents.
  report([performance.now() - 10]);
  await vi.advanceTimersByTimeAsync(0);
  expect(resolve).not.toHaveBeenCalled();
  report([performance.now() + 20]);
  await vi.advanceTimersByTimeAsync(0);
  expect(resolve).toHaveBeenCalled();
  vi.unstubAllGlobals();
});

it("begins two loads after the paint, each in a task of its own, and the others as these end", async () => {
  const { afterFirstPaint, reportFirstPage } = await load();
  const begun: string[] = [];
  const ends: Record<string, () => void> = {};
  const begin = (name: string) =>
    afterFirstPaint(() => {
      begun.push(name);
      // A microtask would still belong to the task of the load before.
      queueMicrotask(() => begun.push("end of task"));
      return new Promise<void>((resolve) => Object.assign(ends, { [name]: resolve }));
    })();
  for (const name of ["a", "b", "c", "d"]) void begin(name);
  const settle = () => vi.advanceTimersByTimeAsync(1_000);
  await settle();
  expect(begun).toEqual([]);
  reportFirstPage();
  await settle();
  expect(begun.splice(0)).toEqual(["a", "end of task", "b", "end of task"]);
  ends.a?.();
  await settle();
  expect(begun.splice(0)).toEqual(["c", "end of task"]);
  // `b` takes too long.
  await settle();
  expect(begun.splice(0)).toEqual(["d", "end of task"]);
});

it("goes on after a load that fails, and reports the failure", async () => {
  const { afterFirstPaint, reportFirstPage } = await load();
  const failed = expect(
    afterFirstPaint(() => Promise.reject(new Error("offline")))(),
  ).rejects.toThrow("offline");
  const loads = ["b", "c"].map((name) => afterFirstPaint(async () => name)());
  reportFirstPage();
  await vi.runAllTimersAsync();
  await failed;
  expect(await Promise.all(loads)).toEqual(["b", "c"]);
});
