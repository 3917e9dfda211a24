import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createSpans,
  createWaveform,
  findSpan,
  hasSoundAt,
  skipSilence,
} from "#client/sound/player/sound-timeline.ts";
import type { KeptTake } from "#client/sound/takes/take-storage.ts";

const take = (id: string, nextSeq: number, placements: KeptTake["placements"]): KeptTake => ({
  id,
  nextSeq,
  placements,
  lectureId: "lecture",
  codec: "pcm_s16le",
  bytes: 0,
  createdAt: 0,
});

describe("kept takes on the lecture's clock", () => {
  it("lie where the room has placed them, with gaps where none is kept", () => {
    const second = take("second", 10, [
      { fromMs: 0, offsetMs: 5_120 },
      { fromMs: 1_280, offsetMs: 10_000 },
    ]);
    const spans = createSpans([second, take("first", 10, [{ fromMs: 0, offsetMs: 0 }])]);
    expect(spans.map(({ take, ...times }) => ({ id: take.id, ...times }))).toEqual([
      { id: "first", fromMs: 0, startMs: 0, endMs: 2_560 },
      { id: "second", fromMs: 0, startMs: 5_120, endMs: 6_400 },
      { id: "second", fromMs: 1_280, startMs: 11_280, endMs: 12_560 },
    ]);
    expect(findSpan(spans, 3_000)?.startMs).toBe(5_120);
    expect(findSpan(spans, 12_560)).toBeNull();
    expect([2_559, 2_560, 5_120].map((ms) => hasSoundAt(spans, ms))).toEqual([true, false, true]);
  });

  it("never overlap, and every moment of the clock has one sound at most", () => {
    const placed = fc.record({
      nextSeq: fc.integer({ min: 0, max: 60 }),
      offsets: fc.array(fc.integer({ min: -5_000, max: 60_000 }), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(placed, { maxLength: 6 }), fc.nat(80_000), (takes, ms) => {
        const spans = createSpans(
          takes.map(({ nextSeq, offsets }, index) =>
            take(
              String(index),
              nextSeq,
              offsets.map((offsetMs, at) => ({ fromMs: at * 1_000, offsetMs })),
            ),
          ),
        );
        for (const [index, span] of spans.entries()) {
          expect(span.endMs).toBeGreaterThan(span.startMs);
          expect(span.endMs).toBeLessThanOrEqual(spans[index + 1]?.startMs ?? Infinity);
        }
        const sounding = spans.filter(({ startMs, endMs }) => ms >= startMs && ms < endMs);
        expect(sounding.length).toBe(hasSoundAt(spans, ms) ? 1 : 0);
        if (sounding[0]) expect(findSpan(spans, ms)).toBe(sounding[0]);
      }),
    );
  });
});

describe("levels", () => {
  const [span] = createSpans([take("take", 20, [{ fromMs: 0, offsetMs: 1_000 }])]);
  const levels = Uint8Array.from({ length: 20 }, (_, seq) => (seq >= 4 && seq < 14 ? 0 : 180));

  it("are the loudest of each part of the clock, and nothing where no sound is kept", () => {
    if (!span) throw new Error("No span");
    const bars = createWaveform([span], () => levels, 8_000, 8);
    expect(bars).toEqual([null, 180, 0, 0, 180, 180, null, null]);
  });

  it("tell where a long pause ends, and a short one is heard", () => {
    if (!span) throw new Error("No span");
    const pauseMs = 1_000 + 4 * 256;
    expect(skipSilence(span, levels, pauseMs)).toBe(1_000 + 14 * 256 - 300);
    expect(skipSilence(span, levels, 1_000)).toBe(1_000);
    expect(skipSilence(span, levels, 1_000 + 12 * 256)).toBe(1_000 + 12 * 256);
    expect(skipSilence(span, new Uint8Array(), pauseMs)).toBe(pauseMs);
  });
});
