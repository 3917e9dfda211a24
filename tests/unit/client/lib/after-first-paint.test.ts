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

it("begins each load in a task of its own", async () => {
  const { afterFirstPaint, reportFirstPage, isPainted } = await load();
  const log: string[] = [];
  const first = afterFirstPaint(async () => {
    log.push("first");
    setTimeout(() => log.push("input"));
  });
  const second = afterFirstPaint(async () => void log.push("second"));
  const loads = [first(), second()];
  expect(log).toEqual([]);
  reportFirstPage();
  expect(await isPainted()).toBe(true);
  await Promise.all(loads);
  expect(log).toEqual(["first", "input", "second"]);
});
