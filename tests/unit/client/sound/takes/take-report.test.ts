import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunkMs } from "#client/sound/takes/chunk-codec.ts";
import { newTake } from "#client/sound/takes/stored-take.ts";
import { Take } from "#client/sound/takes/take.ts";
import {
  addGap,
  addStretch,
  measureFilled,
  type SpeechStretch,
  type TakeGap,
} from "#client/sound/takes/take-gaps.ts";
import { gapsPerTakeMax } from "#shared/limits.ts";
import { getWaitingMs } from "#shared/recorded-take.ts";
import { createTakeDeps } from "#tests/unit/client/recorder/kit/take-deps.ts";

const length = chunkMs.pcm_s16le;
const openTake = () => new Take(createTakeDeps(), newTake("take", "lecture", "pcm_s16le", 5));
const append = (take: Take, count = 1) => {
  for (let index = 0; index < count; index += 1) take.append(new Uint8Array(2), 0);
};
const absent = (atMs: number, lengthMs: number | null): TakeGap => ({
  atMs,
  lengthMs,
  reason: "notDelivered",
  isFilled: false,
});

type Step =
  | { do: "append" | "end" | "wordless" }
  | { do: "acknowledge" | "refuse"; seq: number }
  | { do: "absent" | "silent"; chunks: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.record({ do: fc.constant("append" as const) }), weight: 5 },
  fc.record({ do: fc.constantFrom("acknowledge" as const, "refuse" as const), seq: fc.nat(20) }),
  fc.record({ do: fc.constantFrom("absent" as const, "silent" as const), chunks: fc.nat(5) }),
  fc.record({ do: fc.constantFrom("end" as const, "wordless" as const) }),
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
              atMs: take.lengthMs - lengthMs,
              lengthMs,
              reason: "muted",
              isFilled: true,
            });
            if (count > 0) for (const chunk of chunks.slice(-count)) chunk.isLost = true;
          } else if (one.do === "wordless") take.addWordless({ startMs: 0, endMs: 2 * length });
          else take.end();
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
    take.moveTo("other", createTakeDeps().events);
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
      missingMs: 12_000,
      capturedMs: 12_000 + 2 * length,
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

  it("lists speech without words as gaps, and counts it as transcribed like the speech around it", () => {
    const take = openTake();
    append(take, 30);
    take.place(10_000);
    take.acknowledge(29);
    take.addWordless({ startMs: 2_000, endMs: 3_000.4 });
    take.addWordless({ startMs: 2_500, endMs: 4_000.4 });
    take.addWordless({ startMs: 6_000, endMs: 6_800 });
    take.updateHeldMs(17_000);
    expect(take.report).toMatchObject({ missingMs: 0, transcribedMs: 7_000 });
    expect(take.report.gaps.toSorted((a, b) => a.atMs - b.atMs)).toEqual([
      { atMs: 12_000, lengthMs: 2_000, reason: "noWords" },
      { atMs: 16_000, lengthMs: 800, reason: "noWords" },
    ]);
  });

  it("drops speech without words that is recognised once more, and nothing of what has words before it", () => {
    const take = openTake();
    append(take, 100);
    take.place(0);
    take.addWordless({ startMs: 1_000, endMs: 3_000 });
    take.addWordless({ startMs: 4_000, endMs: 9_000 });
    take.addWordless({ startMs: 12_000, endMs: 14_000 });
    take.updateHeldMs(3_500);
    take.acknowledge(19);
    // The rest is recognised from chunk 20 on.
    take.place(0);
    expect(take.wordless).toEqual([
      { startMs: 1_000, endMs: 3_000 },
      { startMs: 4_000, endMs: 20 * length },
    ]);
    take.addWordless({ startMs: 20 * length, endMs: 8_000 });
    expect(take.wordless[1]).toEqual({ startMs: 4_000, endMs: 8_000 });
    take.addWordless({ startMs: 500, endMs: 3_400 });
    expect(take.wordless[0]).toEqual({ startMs: 1_000, endMs: 3_000 });
  });

  it("drops what would be left of a short stretch", () => {
    const take = openTake();
    append(take, 20);
    take.place(0);
    take.addWordless({ startMs: 2_000, endMs: 3_000 });
    take.acknowledge(9);
    take.place(0);
    expect(take.wordless).toEqual([]);
  });

  it("lists lost sound before speech without words, of which it lists the longest", () => {
    const take = openTake();
    take.place(0);
    append(take, 4 * gapsPerTakeMax + 100);
    take.addGap(absent(0, 1_000));
    for (let n = 0; n < gapsPerTakeMax + 5; n += 1)
      take.addWordless({ startMs: n * 1_000, endMs: n * 1_000 + 700 + n });
    const { gaps } = take.report;
    expect(gaps).toHaveLength(gapsPerTakeMax);
    expect(gaps.filter(({ reason }) => reason === "notDelivered")).toHaveLength(1);
    const lengths = gaps.flatMap(({ reason, lengthMs }) => (reason === "noWords" ? lengthMs : []));
    expect(Math.min(...lengths.map(Number))).toBe(706);
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
    atMs,
    lengthMs,
    reason: "unreadable",
    isFilled: true,
  });
  const joined = addGap(addGap([], silent(0, 256)), silent(256, 256));
  expect(joined).toEqual([silent(0, 512)]);
  const gaps = addGap(joined, { ...silent(300, 500), reason: "muted" });
  expect(gaps).toHaveLength(2);
  expect(measureFilled(gaps, 0, 10_000)).toBe(800);
  expect(measureFilled(gaps, 400, 600)).toBe(200);
});

it("keeps stretches apart, in order, whatever is added", () => {
  const stretch = fc
    .tuple(fc.nat(1_000), fc.integer({ min: 1, max: 50 }))
    .map(([startMs, lengthMs]) => ({ startMs, endMs: startMs + lengthMs }));
  const contains = (all: readonly SpeechStretch[], ms: number) =>
    all.some(({ startMs, endMs }) => ms >= startMs && ms < endMs);
  fc.assert(
    fc.property(fc.array(stretch, { maxLength: 30 }), (added) => {
      const all = added.reduce<SpeechStretch[]>(addStretch, []);
      for (const [index, { startMs }] of all.entries())
        expect(startMs).toBeGreaterThan(all[index - 1]?.endMs ?? -1);
      for (let ms = 0; ms < 1_060; ms += 1) expect(contains(all, ms)).toBe(contains(added, ms));
    }),
  );
});
