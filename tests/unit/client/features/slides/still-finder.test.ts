import fc from "fast-check";
import { expect, test } from "vitest";
import {
  grayHeight,
  grayWidth,
  StillFinder,
  stillAfterMs,
} from "#client/features/slides/still-finder.ts";

/** A slide whose fields are dark where `seed` has a bit. */
function draw(seed: number): Uint8Array {
  let state = seed + 1;
  return Uint8Array.from({ length: grayWidth * grayHeight }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state > 1_073_741_824 ? 220 : 40;
  });
}

/** What a person would keep of slides that are shown for so long, each different from the one before. */
const shown = fc
  .array(fc.integer({ min: 500, max: 20_000 }), { minLength: 1, maxLength: 12 })
  .map((lengths) => lengths.map((ms) => Math.ceil(ms / 500) * 500));

test("keeps each slide that stays for two seconds, once, with the time at which it came", () => {
  fc.assert(
    fc.property(shown, (lengths) => {
      const finder = new StillFinder();
      const kept: number[] = [];
      const wanted: number[] = [];
      let atMs = 0;
      for (const [slide, ms] of lengths.entries()) {
        // The last picture of it comes half a second before its end.
        if (ms - 500 >= stillAfterMs) wanted.push(atMs);
        for (const end = atMs + ms; atMs < end; atMs += 500) {
          const since = finder.add(draw(slide), atMs);
          if (since !== null) kept.push(since);
        }
      }
      expect(kept).toEqual(wanted);
    }),
    { numRuns: 20 },
  );
});

test("keeps one picture while a pointer moves over it, and none of a film or of an empty window", () => {
  const count = (picture: (at: number) => Uint8Array) => {
    const finder = new StillFinder();
    return Array.from({ length: 60 }, (_, at) => finder.add(picture(at), at * 500)).filter(
      (since) => since !== null,
    ).length;
  };
  const slide = draw(1);
  const pointer = count((at) => slide.with((at * 7) % slide.length, 128));
  expect({
    pointer,
    film: count(draw),
    empty: count(() => new Uint8Array(slide.length)),
  }).toEqual({ pointer: 1, film: 0, empty: 0 });
});
