import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  maxSessionsPerWindow,
  minSessionMs,
} from "#server/recording/room/provider-session-budget.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { ProviderModel } from "./provider-model.ts";
import { Simulation } from "./simulation.ts";

/** Audio that may be resent before any of it is charged, ms. */
const freeResendMs = 32_000;

interface Act {
  name: string;
  run(world: Simulation): void;
}

type Run<T> = (world: Simulation, value: T) => void;
/** An act that happens `weight` times as often as one of weight 1, with a value of `values`. */
const act = <T>(weight: number, name: string, values: fc.Arbitrary<T>, run: Run<T>) => ({
  weight,
  arbitrary: values.map<Act>((value) => ({
    name: `${name} ${value}`,
    run: (world) => run(world, value),
  })),
});
const upTo = (max: number) => fc.integer({ min: 1, max });

/** Everything works for `count` chunks, with words that are final `lagMs` late. */
function flow(world: Simulation, count: number, lagMs = 0): void {
  if (world.socketId === null) world.connect();
  for (let at = 0; at < count; at += 1) {
    world.capture();
    world.up(100);
    world.provider(lagMs);
    world.down(100);
  }
}

/** The provider says nothing for `count` chunks, and ten seconds more. */
function quiet(world: Simulation, count: number): void {
  for (let at = 0; at < count; at += 1) {
    world.capture();
    world.up(100);
    world.down(100);
    // The one that the room has opened meanwhile.
    if (at === 0) world.provider(0);
  }
  world.alarm(10_000);
}

const nothing = fc.constant("");
const providerCodes = fc.constantFrom(408, 413, 429, 500, 503, 1000, 1006);
const acts = fc.oneof(
  act(8, "flow", fc.tuple(upTo(60), fc.nat(2_000)), (world, [count, lag]) =>
    flow(world, count, lag),
  ),
  act(2, "quiet", upTo(120), (world, count) => quiet(world, count)),
  act(3, "capture", upTo(30), (world, count) => world.capture(count)),
  act(4, "up", upTo(40), (world, count) => world.up(count)),
  act(4, "down", upTo(40), (world, count) => world.down(count)),
  act(5, "provider", upTo(3_000), (world, lagMs) => world.provider(lagMs)),
  act(2, "connect", nothing, (world) => world.connect()),
  act(2, "drop", fc.boolean(), (world, tellRoom) => world.drop(tellRoom)),
  act(3, "fail", providerCodes, (world, code) => world.failProvider(code)),
  act(2, "evict", fc.boolean(), (world, hibernated) => world.loseMemory(hibernated)),
  act(3, "alarm", upTo(12_000), (world, ms) => world.alarm(ms)),
  act(3, "answer flush", fc.boolean(), (world, ok) => world.answerFlush(ok)),
  act(2, "stop", nothing, (world) => world.stop()),
  act(5, "pause", fc.boolean(), (world, onSameSocket) => world.pause({ onSameSocket })),
  act(1, "terms", fc.nat(3), (world, count) => world.changeTerms(count)),
  act(1, "deaf", fc.boolean(), (world, isDeaf) => {
    world.isDeaf = isDeaf;
  }),
  act(2, "old session", nothing, (world) => world.answerFromOldSession()),
);

/** Lets everything arrive, and expects each word once and in order. */
function expectWhole(world: Simulation): void {
  world.finish();
  expect(world.violations).toEqual([]);
  expect(world.words).toEqual(ProviderModel.listWords(0, world.captured * world.chunkMs));
}

test.each([
  ["PCM", "pcm_s16le", true],
  ["Opus", "opus", true],
  ["PCM to a server that sends nothing in silence", "pcm_s16le", false],
] as const)(
  "%s: delivers every word once and in order and charges every chunk once under any failures",
  (_, codec, answersSilence) => {
    fc.assert(
      fc.property(fc.array(acts, { minLength: 3, maxLength: 40, size: "max" }), (run) => {
        const world = new Simulation(codec, answersSilence);
        world.connect();
        for (const one of run) one.run(world);
        expectWhole(world);
        const repeatedMs = world.recordedMs - world.captured * world.chunkMs;
        expect(repeatedMs).toBeGreaterThanOrEqual(0);
        // A client that reconnects all the time is charged for what it resends beyond its free amount.
        const spentMs = world.resentMs + world.providers.size * minSessionMs;
        expect(repeatedMs).toBeLessThanOrEqual(Math.max(0, spentMs - freeResendMs));
        expect(world.sessionsInAMinute).toBeLessThanOrEqual(maxSessionsPerWindow);
      }),
      { numRuns: countRuns(300) },
    );
  },
  120_000,
);

test("charges audio once if it was written and forgotten and the browser returns late", () => {
  const world = new Simulation();
  world.connect();
  flow(world, 2);
  world.answerFlush(false);
  flow(world, 1);
  // The ledger receives a total that the room does not know after its eviction.
  world.alarm(494);
  world.loseMemory(false);
  world.alarm(10_484);
  world.capture(36);
  world.finish();
  expect(world.recordedMs).toBe(world.captured * world.chunkMs);
});

/** Chunks 0 to 31 were sent and transcribed; chunk 32 begins in a pause between two words. */
function createPaused(): Simulation {
  const world = new Simulation();
  world.connect();
  flow(world, 32, 600);
  world.pause({ onSameSocket: false });
  expect(world.socketId).toBeNull();
  return world;
}

test("loses no word after Continue that was spoken before the provider was ready", () => {
  const world = createPaused();
  // The microphone opens before the room, and the room before its provider session.
  world.capture(6);
  world.connect();
  world.capture(6);
  world.up(100);
  world.down(100);
  world.up(100);
  world.capture(6);
  world.up(100);
  world.provider(0);
  expectWhole(world);
});

test("loses no word after Continue if the connection closes before its first answer", () => {
  for (const tellRoom of [true, false]) {
    const world = createPaused();
    world.connect();
    world.capture(8);
    world.up(100);
    world.down(100);
    world.up(100);
    world.provider(0);
    // This answer of the provider is lost.
    world.provider(0);
    world.drop(tellRoom);
    world.capture(8);
    world.connect();
    world.up(100);
    world.failProvider(503);
    expectWhole(world);
  }
});
