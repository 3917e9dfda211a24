import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ProviderModel } from "./provider-model.ts";
import { chunkMs, World } from "./world.ts";

type Act = (world: World) => void;

const named = (name: string, act: Act): Act => Object.assign(act, { toString: () => name });

const acts = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.integer({ min: 1, max: 30 }).map((count) =>
      named(`capture ${count}`, (world) => {
        for (let at = 0; at < count; at += 1) world.capture();
      }),
    ),
  },
  {
    weight: 10,
    arbitrary: fc
      .integer({ min: 1, max: 40 })
      .map((count) => named(`up ${count}`, (world) => world.up(count))),
  },
  {
    weight: 10,
    arbitrary: fc
      .integer({ min: 1, max: 40 })
      .map((count) => named(`down ${count}`, (world) => world.down(count))),
  },
  {
    weight: 12,
    arbitrary: fc
      .integer({ min: 0, max: 3_000 })
      .map((lag) => named(`provider ${lag}`, (world) => world.provider(lag))),
  },
  { weight: 4, arbitrary: fc.constant(named("connect", (world) => world.connect())) },
  {
    weight: 2,
    arbitrary: fc.boolean().map((told) => named(`drop ${told}`, (world) => world.drop(told))),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(408, 413, 429, 500, 503, 1000, 1006)
      .map((code) => named(`fail ${code}`, (world) => world.failProvider(code))),
  },
  {
    weight: 2,
    arbitrary: fc.boolean().map((kept) => named(`evict ${kept}`, (world) => world.evict(kept))),
  },
  {
    weight: 4,
    arbitrary: fc
      .integer({ min: 0, max: 12_000 })
      .map((ms) => named(`alarm ${ms}`, (world) => world.alarm(ms))),
  },
  {
    weight: 4,
    arbitrary: fc.boolean().map((ok) => named(`flushed ${ok}`, (world) => world.flushed(ok))),
  },
  { weight: 2, arbitrary: fc.constant(named("finalize", (world) => world.finalize())) },
  { weight: 2, arbitrary: fc.constant(named("ghost", (world) => world.ghost())) },
);

test("whatever fails, every word arrives once and in order, and every chunk is charged once", () => {
  fc.assert(
    fc.property(fc.array(acts, { minLength: 5, maxLength: 120 }), (run) => {
      const world = new World();
      world.connect();
      for (const act of run) act(world);
      world.settle();
      expect(world.faults).toEqual([]);
      expect(world.words).toEqual(ProviderModel.wordsWithin(0, world.captured * chunkMs));
      expect(world.recordedMs).toBe(world.captured * chunkMs);
    }),
    { numRuns: 600 },
  );
});
