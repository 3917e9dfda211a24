import { expect, it } from "vitest";
import { gapsPerTakeMax, takesPerCallMax } from "#shared/limits.ts";
import { storeTakesInput } from "#shared/recorded-take.ts";

const gap = { atMs: 1_000, lengthMs: 500, reason: "muted" };
const createTake = () => ({
  id: crypto.randomUUID(),
  startedAt: 0,
  codec: "opus",
  gaps: [gap],
  capturedMs: 1_000,
  acknowledgedMs: 500,
  transcribedMs: 400,
  missingMs: 0,
});

it("accepts each take once in a call, and only so many takes and gaps", () => {
  const lectureId = crypto.randomUUID();
  const isValid = (...takes: unknown[]) => storeTakesInput.safeParse({ lectureId, takes }).success;
  const take = createTake();
  const gaps = (count: number) => ({ ...take, gaps: Array(count).fill(gap) });
  expect(isValid(take)).toBe(true);
  expect(isValid()).toBe(false);
  expect(isValid(take, { ...take, id: take.id.toUpperCase() })).toBe(false);
  expect(isValid(...Array.from({ length: takesPerCallMax }, () => createTake()))).toBe(true);
  expect(isValid(...Array.from({ length: takesPerCallMax + 1 }, () => createTake()))).toBe(false);
  expect(isValid(gaps(gapsPerTakeMax))).toBe(true);
  expect(isValid(gaps(gapsPerTakeMax + 1))).toBe(false);
  for (const wrong of [
    { capturedMs: -1 },
    { missingMs: 2 ** 31 },
    { codec: "mp3" },
    { startedAt: -1 },
  ])
    expect(isValid({ ...take, ...wrong })).toBe(false);
  for (const wrong of [{ atMs: -1 }, { lengthMs: 0.5 }, { reason: "stopped" }])
    expect(isValid({ ...take, gaps: [{ ...gap, ...wrong }] })).toBe(false);
});
