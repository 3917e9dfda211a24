import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cutParts, measureParts, toLectureMs } from "#client/recorder/again/kept-parts.ts";
import { createSpans } from "#client/sound/player/sound-timeline.ts";
import { chunkMs } from "#client/sound/takes/chunk-codec.ts";
import type { KeptTake } from "#client/sound/takes/take-storage.ts";

const keptTake = (id: string, nextSeq: number, ...offsets: number[]): KeptTake => ({
  id,
  lectureId: "lecture",
  codec: "opus",
  nextSeq,
  bytes: 1,
  createdAt: 0,
  placements: offsets.map((offsetMs, index) => ({
    fromMs: index * 20 * chunkMs.opus,
    offsetMs,
  })),
});

test("parts have the sound of every gap, no chunk twice, and little else", () => {
  const take = fc.tuple(fc.integer({ min: 1, max: 200 }), fc.nat(20_000));
  const gap = fc.tuple(fc.nat(150_000), fc.integer({ min: 700, max: 9_000 }));
  fc.assert(
    fc.property(
      fc.array(take, { minLength: 1, maxLength: 4 }),
      fc.array(gap, { maxLength: 12 }),
      (takes, chosen) => {
        let clockMs = 0;
        const kept = takes.map(([count, pauseMs], index) => {
          const one = keptTake(String(index), count, clockMs + pauseMs);
          clockMs += pauseMs + count * chunkMs.opus;
          return one;
        });
        const spans = createSpans(kept);
        const gaps = chosen
          .map(([startMs, lengthMs]) => ({ startMs, endMs: startMs + lengthMs }))
          .toSorted((a, b) => a.startMs - b.startMs);
        const parts = cutParts(spans, gaps);
        const covered = new Set<string>();
        for (const { take, fromSeq, toSeq } of parts) {
          expect(fromSeq).toBeGreaterThanOrEqual(0);
          expect(toSeq).toBeLessThanOrEqual(take.nextSeq);
          for (let seq = fromSeq; seq < toSeq; seq += 1) {
            expect(covered.has(`${take.id} ${seq}`)).toBe(false);
            covered.add(`${take.id} ${seq}`);
          }
        }
        expect(measureParts(parts)).toBe(covered.size * chunkMs.opus);
        for (const one of kept)
          for (let seq = 0; seq < one.nextSeq; seq += 1) {
            const startMs = toLectureMs({ take: one, fromSeq: seq, toSeq: seq + 1 }, 0);
            const endMs = startMs + chunkMs.opus;
            const isIn = gaps.some((each) => each.startMs < endMs && each.endMs > startMs);
            const isNear = gaps.some(
              (each) => each.startMs - 1_300 < endMs && each.endMs + 1_300 > startMs,
            );
            if (isIn) expect(covered.has(`${one.id} ${seq}`)).toBe(true);
            if (!isNear) expect(covered.has(`${one.id} ${seq}`)).toBe(false);
          }
      },
    ),
    {
      examples: [
        [
          [
            [1, 0],
            [1, 0],
          ],
          [
            [0, 700],
            [0, 700],
          ],
        ],
      ],
    },
  );
});

test("a part lies on the lecture's clock where its take was placed, before and after a change of that", () => {
  const take = keptTake("take", 40, 5_000, 90_000);
  const at = (fromSeq: number, ms: number) => toLectureMs({ take, fromSeq, toSeq: 40 }, ms);
  expect(at(10, 100)).toBe(5_000 + 10 * chunkMs.opus + 100);
  expect(at(19, 2 * chunkMs.opus)).toBe(90_000 + 21 * chunkMs.opus);
  expect(at(30, 0)).toBe(90_000 + 30 * chunkMs.opus);
});
