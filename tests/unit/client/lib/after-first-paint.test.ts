// @vitest-environment happy-dom

import { beforeEach, expect, it, vi } from "vitest";

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

/** Loads the module anew; `isPainted` tells whether the first paint has been reported. */
async function load() {
  const { firstPaint, ...marks } = await import("#client/lib/after-first-paint.ts");
  let painted = false;
  void firstPaint.then(() => {
    painted = true;
  });
  const isPainted = async () => {
    await vi.runAllTimersAsync();
    return painted;
  };
  return { ...marks, isPainted };
}

it("reports the first paint once the page is in the document", async () => {
  const { markFirstPaint, isPainted } = await load();
  expect(await isPainted()).toBe(false);
  markFirstPaint();
  expect(await isPainted()).toBe(true);
});

it("waits for the contents of a frame", async () => {
  const { delayFirstPaint, markFirstPaint, isPainted } = await load();
  const end = delayFirstPaint();
  markFirstPaint();
  expect(await isPainted()).toBe(false);
  // Another frame replaces the first one before the next paint.
  end();
  const endNext = delayFirstPaint();
  expect(await isPainted()).toBe(false);
  endNext();
  expect(await isPainted()).toBe(true);
});

it("waits for the page although a frame has ended", async () => {
  const { delayFirstPaint, markFirstPaint, isPainted } = await load();
  delayFirstPaint()();
  expect(await isPainted()).toBe(false);
  markFirstPaint();
  expect(await isPainted()).toBe(true);
});
