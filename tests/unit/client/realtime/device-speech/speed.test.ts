import { describe, expect, it } from "vitest";
import type { SpeechModel } from "#client/realtime/device-speech/speech-model.ts";
import { isTooSlow } from "#client/realtime/device-speech/speed.ts";
import { ManualClock } from "#tests/unit/client/realtime/kit/manual-clock.ts";

/** A model that needs `computeMs` for a window of `lengthMs`. */
function createModel(clock: ManualClock, getComputeMs: (lengthMs: number) => number) {
  const lengths: number[] = [];
  const model: Pick<SpeechModel, "transcribe"> = {
    transcribe: (window, _, signal) =>
      new Promise((resolve, reject) => {
        lengths.push((window.length * 1_000) / 16_000);
        const cancel = clock.after(getComputeMs(lengths.at(-1) ?? 0), () => resolve([]));
        signal?.addEventListener("abort", () => {
          cancel();
          reject(new DOMException("stopped", "AbortError"));
        });
      }),
  };
  return { model, lengths };
}

async function measure(getComputeMs: (lengthMs: number) => number) {
  const clock = new ManualClock();
  const { model, lengths } = createModel(clock, getComputeMs);
  const startedAt = clock.now();
  let tookMs = 0;
  const measuring = isTooSlow(model, clock).then((isSlow) => {
    tookMs = clock.now() - startedAt;
    return isSlow;
  });
  await clock.advance(200_000);
  return { isSlow: await measuring, lengths, tookMs };
}

describe("the measurement before a recording", () => {
  it.each([
    ["0.8 of real time", 3_750, false],
    ["a little less", 3_760, true],
  ])("counts two windows of 3 s of new sound after a warm-up: %s", async (_name, ms, expected) => {
    // The first one alone is fast enough.
    const computeMs = [20_000, 3_000, 2 * ms - 3_000];
    const { isSlow, lengths } = await measure(() => computeMs.shift() ?? 0);
    expect([isSlow, lengths]).toEqual([expected, [1_000, 5_000, 5_000]]);
  });

  it("tells a slow device after the first window", async () => {
    const { isSlow, lengths } = await measure((ms) => ms);
    expect([lengths, isSlow]).toEqual([[1_000, 5_000], true]);
  });

  it("stops a window that takes too long", async () => {
    const { isSlow, tookMs } = await measure((ms) => (ms === 1_000 ? 5_000 : 100_000));
    expect([isSlow, tookMs]).toEqual([true, 17_000]);
  });

  it("ends although not even the warm-up ends", async () => {
    const { isSlow, tookMs } = await measure(() => Number.POSITIVE_INFINITY);
    expect([isSlow, tookMs]).toEqual([true, 60_000]);
  });

  it("passes the failure of a model on", async () => {
    const model = { transcribe: () => Promise.reject(new Error("no memory")) };
    await expect(isTooSlow(model, new ManualClock())).rejects.toThrow("no memory");
  });
});
