import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunkMs } from "#client/realtime/takes/chunk-codec.ts";
import { newTake } from "#client/realtime/takes/stored-take.ts";
import { Take } from "#client/realtime/takes/take.ts";
import { addGap, measureFilled, type TakeGap } from "#client/realtime/takes/take-gaps.ts";
import { gapsPerTakeMax } from "#shared/limits.ts";
import { getWaitingMs } from "#shared/recorded-take.ts";
import { createTakeDeps } from "#tests/unit/client/realtime/kit/take-deps.ts";

const length = chunkMs.pcm_s16le;
const openTake = () => new Take(createTakeDeps(), newTake("take", "lecture", "pcm_s16le", 5));
const append = (take: Take, count = 1) => {
  for (let index = 0; index < count; index += 1) take.append(new Uint8Array(2), 0);
};
const absent = (atMs: number, lengthMs: number | null): TakeGap => ({
  ...{ atMs, lengthMs, reason: "notDelivered", isFilled: false },
});

type Step =
  | { do: "append" | "end" }
  | { do: "acknowledge" | "refuse"; seq: number }
  | { do: "absent" | "silent"; chunks: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.record({ do: fc.constant("append" as const) }), weight: 5 },
  fc.record({ do: fc.constantFrom("acknowledge" as const, "refuse" as const), seq: fc.nat(20) }),
  fc.record({ do: fc.constantFrom("absent" as const, "silent" as const), chunks: fc.nat(5) }),
  fc.record({ do: fc.constant("end" as const) }),
);

describe("a take's report", () => {
  it("adds up after any steps: captured is acknowledged, waiting and missing", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const take = openTake();
        const chunks: { isSent: boolean; isLost: boolean }[] = [];
        let absentMs = 0;
        for (const one of steps) {
          if (one.do === "append") {
            append(take);
            chunks.push({ isSent: false, isLost: false });
          } else if (one.do === "acknowledge") {
            take.acknowledge(one.seq);
            for (const chunk of chunks.slice(0, one.seq + 1)) chunk.isSent = true;
          } else if (one.do === "refuse") {
            take.refuse(one.seq);
            const chunk = chunks[one.seq];
            if (chunk) chunk.isLost = true;
          } else if (one.do === "absent") {
            take.addGap(absent(take.lengthMs, one.chunks * length));
            absentMs += one.chunks * length;
          } else if (one.do === "silent") {
            const count = Math.min(one.chunks, chunks.length);
            const lengthMs = count * length;
            take.addGap({
              ...{ atMs: take.lengthMs - lengthMs, lengthMs, reason: "muted", isFilled: true },
            });
            if (count > 0) for (const chunk of chunks.slice(-count)) chunk.isLost = true;
          } else take.end();
          const measure = (isSent: boolean) =>
            chunks.filter((chunk) => chunk.isSent === isSent && !chunk.isLost).length * length;
          const { report } = take;
          const lost = chunks.filter(({ isLost }) => isLost).length * length;
          expect(report.capturedMs).toBe(chunks.length * length + absentMs);
          expect(report.acknowledgedMs).toBe(measure(true));
          expect(report.missingMs).toBe(lost + absentMs);
          expect(getWaitingMs(report)).toBe(measure(false));
        }
      }),
    );
  });

  it("gives its gaps on the lecture's clock as soon as the take has a place there", () => {
    const take = openTake();
    append(take, 10);
    take.addGap(absent(2 * length, 900));
    expect(take.report).toMatchObject({ startedAt: 5, missingMs: 900, gaps: [] });
    take.place(60_000);
    const gap = { atMs: 60_000 + 2 * length, lengthMs: 900, reason: "notDelivered" };
    expect(take.report.gaps).toEqual([gap]);
    take.updateHeldMs(60_000 + 4 * length);
    take.place(90_000);
    take.addGap(absent(8 * length, 700));
    const second = { ...gap, atMs: 90_000 + 8 * length, lengthMs: 700 };
    expect(take.report.gaps).toEqual([gap, second]);
    take.moveTo("other", createTakeDeps());
    expect(take.report.gaps).toEqual([gap, second]);
    take.place(30_000);
    expect(take.report.gaps).toEqual([gap, { ...gap, atMs: 30_000 + 8 * length, lengthMs: 700 }]);
  });

  it("counts a gap without an end once its length is known", () => {
    const take = openTake();
    append(take, 2);
    take.place(0);
    take.addGap({ ...absent(2 * length, null), reason: "disconnected" });
    expect(take.report).toMatchObject({ missingMs: 0, gaps: [{ lengthMs: null }] });
    take.endGap(12_000);
    expect(take.report).toMatchObject({
      ...{ missingMs: 12_000, capturedMs: 12_000 + 2 * length },
      gaps: [{ atMs: 2 * length, lengthMs: 12_000, reason: "disconnected" }],
    });
  });

  it("counts as transcribed what lies before the last word on the page", () => {
    const take = openTake();
    take.place(1_000);
    append(take, 10);
    take.acknowledge(7);
    take.refuse(1);
    take.updateHeldMs(1_000 + 5 * length);
    expect(take.report).toMatchObject({
      transcribedMs: 4 * length,
      acknowledgedMs: 7 * length,
    });
  });

  it("lists no more gaps than can be stored, and counts all", () => {
    const take = openTake();
    take.place(0);
    append(take);
    for (let n = 0; n < gapsPerTakeMax + 5; n += 1) take.addGap(absent(0, 1_000));
    expect(take.report.gaps).toHaveLength(gapsPerTakeMax);
    expect(take.report.missingMs).toBe((gapsPerTakeMax + 5) * 1_000);
  });
});

it("joins gaps that follow one another, and measures what overlaps once", () => {
  const silent = (atMs: number, lengthMs: number): TakeGap => ({
    ...{ atMs, lengthMs, reason: "unreadable", isFilled: true },
  });
  const joined = addGap(addGap([], silent(0, 256)), silent(256, 256));
  expect(joined).toEqual([silent(0, 512)]);
  const gaps = addGap(joined, { ...silent(300, 500), reason: "muted" });
  expect(gaps).toHaveLength(2);
  expect(measureFilled(gaps, 0, 10_000)).toBe(800);
  expect(measureFilled(gaps, 400, 600)).toBe(200);
});
