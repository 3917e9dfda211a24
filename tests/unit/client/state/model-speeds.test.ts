// @vitest-environment happy-dom
import "fake-indexeddb/auto";
import { beforeEach, expect, it, vi } from "vitest";
import { deviceModels } from "#client/models/device-models.ts";
import { findModelSpeed, keepWindowTime, windowTimes } from "#client/state/model-speeds.ts";

const [tiny, base, small] = deviceModels;
if (!tiny || !base || !small) throw new Error("Three speech models are offered");

const find = (windowMs: Record<string, number>) =>
  [tiny, base, small].map((model) => findModelSpeed(model, new Map(Object.entries(windowMs))));

beforeEach(() => {
  localStorage.clear();
  windowTimes.set(new Map());
});

it("knows nothing before a model was measured", () => {
  expect(find({})).toEqual([null, null, null]);
});

it("estimates the others by their size", () => {
  // 80 MB and 252 MB take 1.8 and 5.8 times as long as 44 MB.
  expect(find({ "whisper-tiny.en": 500 })).toEqual([
    { speed: "follows", isEstimate: false },
    { speed: "follows", isEstimate: true },
    { speed: "behind", isEstimate: true },
  ]);
  expect(find({ "whisper-tiny.en": 1_000 })).toEqual([
    { speed: "follows", isEstimate: false },
    { speed: "behind", isEstimate: true },
    { speed: "tooSlow", isEstimate: true },
  ]);
});

it("estimates by the measured model whose size is nearest", () => {
  // By the smallest, it would be 1.8 s.
  expect(find({ "whisper-tiny.en": 1_000, "whisper-small": 3_000 })[1]).toEqual({
    speed: "behind",
    isEstimate: true,
  });
  expect(find({ "whisper-small": 3_000 })[1]).toEqual({ speed: "follows", isEstimate: true });
});

it("keeps what was measured on this device", async () => {
  keepWindowTime("whisper-base", 1_234.56);
  expect(windowTimes.get()).toEqual(new Map([["whisper-base", 1_234.56]]));
  vi.resetModules();
  const reloaded = await import("#client/state/model-speeds.ts");
  expect(reloaded.windowTimes.get()).toEqual(new Map([["whisper-base", 1_235]]));
});

it.each(["slow", "", "0", "-5"])("measures again where `%s` is stored", async (stored) => {
  localStorage.setItem("speechModelWindowMs:whisper-base", stored);
  vi.resetModules();
  const reloaded = await import("#client/state/model-speeds.ts");
  expect(reloaded.windowTimes.get().size).toBe(0);
});
