import { describe, expect, it } from "vitest";
import type { SpeechModel } from "#client/recognition/device/speech-model.ts";
import { getModelSpeed, measureWindow } from "#client/recognition/device/speed.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

interface Request {
  lengthMs: number;
  tokenCount: number | undefined;
}

/** A model that needs what `getComputeMs` says for each window. */
function createModel(clock: ManualClock, getComputeMs: (request: Request) => number) {
  const requests: Request[] = [];
  const model: Pick<SpeechModel, "transcribe"> = {
    transcribe: (window, { tokenCount }, signal) =>
      new Promise((resolve, reject) => {
        const request = { lengthMs: (window.length * 1_000) / 16_000, tokenCount };
        requests.push(request);
        const cancel = clock.after(getComputeMs(request), () => resolve([]));
        signal?.addEventListener("abort", () => {
          cancel();
          reject(new DOMException("stopped", "AbortError"));
        });
      }),
  };
  return { model, requests };
}

async function measure(getComputeMs: (request: Request) => number) {
  const clock = new ManualClock();
  const { model, requests } = createModel(clock, getComputeMs);
  const startedAt = clock.now();
  let tookMs = 0;
  const measuring = measureWindow(model, clock).then((ms) => {
    tookMs = clock.now() - startedAt;
    return ms;
  });
  await clock.advance(200_000);
  return { windowMs: await measuring, requests, tookMs };
}

describe("the measurement of a model", () => {
  it("is the faster of two windows of 5 s, after a warm-up that does not count", async () => {
    const computeMs = [20_000, 900, 700];
    const { windowMs, requests } = await measure(() => computeMs.shift() ?? 0);
    expect(windowMs).toBe(700);
    expect(requests.map(({ lengthMs }) => lengthMs)).toEqual([1_000, 5_000, 5_000]);
  });

  it("has as many tokens decoded as 5 s of speech have, though the sound is none", async () => {
    const msPerToken = 30;
    const { windowMs } = await measure(({ tokenCount = 0 }) => 500 + msPerToken * tokenCount);
    // Two to three words a second, and the times around them.
    expect(windowMs).toBeGreaterThanOrEqual(500 + msPerToken * 12);
    expect(windowMs).toBeLessThanOrEqual(500 + msPerToken * 24);
  });

  it("ends with the first window that takes too long", async () => {
    const { windowMs, tookMs } = await measure(({ lengthMs }) =>
      lengthMs === 1_000 ? 5_000 : 100_000,
    );
    expect([windowMs, tookMs]).toEqual([12_000, 17_000]);
  });

  it("ends although not even the warm-up ends", async () => {
    const { windowMs, tookMs } = await measure(() => Number.POSITIVE_INFINITY);
    expect([windowMs, tookMs]).toEqual([60_000, 60_000]);
  });

  it("passes the failure of a model on", async () => {
    const model = { transcribe: () => Promise.reject(new Error("no memory")) };
    await expect(measureWindow(model, new ManualClock())).rejects.toThrow("no memory");
  });

  it("ends at once when the model is needed, and measures nothing", async () => {
    const clock = new ManualClock();
    const { model, requests } = createModel(clock, () => 1_000);
    const abort = new AbortController();
    const measuring = measureWindow(model, clock, abort.signal);
    await clock.advance(1_500);
    abort.abort();
    await expect(measuring).rejects.toThrow();
    expect(requests).toHaveLength(2);
    expect(clock.timers).toBe(0);
  });
});

it.each([
  [300, "follows"],
  [1_050, "follows"],
  [1_060, "behind"],
  // Of each window 3 s are new: 0.8 of real time.
  [3_750, "behind"],
  [3_760, "tooSlow"],
  [60_000, "tooSlow"],
] as const)("a window of 5 s that takes %i ms: %s", (windowMs, speed) => {
  expect(getModelSpeed(windowMs)).toBe(speed);
});
