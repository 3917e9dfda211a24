import { describe, expect, it } from "vitest";
import type { SpeechModel } from "#client/realtime/device-speech/speech-model.ts";
import { measureSpeed, SpeedMeter } from "#client/realtime/device-speech/speed.ts";
import { ManualClock } from "#tests/unit/client/realtime/kit/manual-clock.ts";

/** A model that needs `computeMs` for a window of `lengthMs`. */
function createModel(clock: ManualClock, getComputeMs: (lengthMs: number) => number) {
  const lengths: number[] = [];
  const model: SpeechModel = {
    transcribe: (window, _, signal) =>
      new Promise((resolve, reject) => {
        lengths.push((window.length * 1_000) / 16_000);
        const cancel = clock.after(getComputeMs(lengths.at(-1) ?? 0), () => resolve([]));
        signal?.addEventListener("abort", () => {
          cancel();
          reject(new DOMException("stopped", "AbortError"));
        });
      }),
    dispose: () => {},
  };
  return { model, lengths };
}

async function measure(getComputeMs: (lengthMs: number) => number) {
  const clock = new ManualClock();
  const { model, lengths } = createModel(clock, getComputeMs);
  const startedAt = clock.now();
  let tookMs = 0;
  const speed = measureSpeed(model, clock, "en").then((measured) => {
    tookMs = clock.now() - startedAt;
    return measured;
  });
  await clock.advance(200_000);
  return { ...(await speed), lengths, tookMs };
}

describe("the speed of a recording", () => {
  it("is the new sound of its windows by their computing time", () => {
    const meter = new SpeedMeter();
    expect([meter.factor, meter.isTooSlow]).toEqual([null, false]);
    meter.add({ newMs: 3_000, computeMs: 500 });
    expect(meter.factor).toBeNull();
    meter.add({ newMs: 1_000, computeMs: 500 });
    expect(meter.factor).toBe(4);
  });

  it("is too slow below 0.8", () => {
    const meter = new SpeedMeter();
    meter.add({ newMs: 800, computeMs: 1_000 });
    expect(meter.isTooSlow).toBe(false);
    meter.add({ newMs: 790, computeMs: 1_000 });
    expect(meter.isTooSlow).toBe(true);
  });

  it("forgets windows of a while ago", () => {
    const meter = new SpeedMeter();
    for (let count = 0; count < 50; count += 1) meter.add({ newMs: 1_000, computeMs: 100 });
    for (let count = 0; count < 8; count += 1) meter.add({ newMs: 1_000, computeMs: 2_000 });
    expect(meter.factor).toBe(0.5);
  });
});

describe("the measurement before a recording", () => {
  it("counts two windows after a warm-up", async () => {
    const { factor, isTooSlow, lengths } = await measure((ms) => (ms === 1_000 ? 20_000 : ms / 10));
    expect(lengths).toEqual([1_000, 5_000, 5_000]);
    expect(factor).toBe(6);
    expect(isTooSlow).toBe(false);
  });

  it("tells a slow device after the first window", async () => {
    const { factor, isTooSlow, lengths } = await measure((ms) => ms);
    expect([lengths, isTooSlow]).toEqual([[1_000, 5_000], true]);
    expect(factor).toBeCloseTo(0.6);
  });

  it("stops a window that takes too long", async () => {
    const { factor, isTooSlow, tookMs } = await measure((ms) => (ms === 1_000 ? 5_000 : 100_000));
    expect([factor, isTooSlow, tookMs]).toEqual([0.25, true, 17_000]);
  });

  it("ends although not even the warm-up ends", async () => {
    const { isTooSlow, tookMs } = await measure(() => Number.POSITIVE_INFINITY);
    expect([isTooSlow, tookMs]).toEqual([true, 60_000]);
  });

  it("passes the failure of a model on", async () => {
    const model: SpeechModel = {
      transcribe: () => Promise.reject(new Error("no memory")),
      dispose: () => {},
    };
    await expect(measureSpeed(model, new ManualClock(), "en")).rejects.toThrow("no memory");
  });

  it("can be stopped", async () => {
    const clock = new ManualClock();
    const { model } = createModel(clock, () => 1_000);
    const controller = new AbortController();
    const speed = measureSpeed(model, clock, "en", { signal: controller.signal });
    controller.abort();
    await expect(speed).rejects.toThrow();
    expect(clock.timers).toBe(0);
  });
});
