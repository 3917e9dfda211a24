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

const act = (weight: number, arbitrary: fc.Arbitrary<Act>) => ({ weight, arbitrary });
const once = (name: string, run: Act["run"]) => fc.constant<Act>({ name, run });
const upTo = (max: number, name: string, run: (world: Simulation, count: number) => void) =>
  fc.integer({ min: 1, max }).map<Act>((count) => ({
    name: `${name} ${count}`,
    run: (world) => run(world, count),
  }));
const either = (name: string, run: (world: Simulation, yes: boolean) => void) =>
  fc.boolean().map<Act>((yes) => ({ name: `${name} ${yes}`, run: (world) => run(world, yes) }));

/** Everything works for `count` chunks, with words that are final `lagMs` late. */
const flow = fc
  .tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 2_000 }))
  .map<Act>(([count, lagMs]) => ({
    name: `flow ${count} ${lagMs}`,
    run(world) {
      if (world.socketId === null) world.connect();
      for (let at = 0; at < count; at += 1) {
        world.capture();
        world.up(100);
        world.provider(lagMs);
        world.down(100);
      }
    },
  }));

const acts = fc.oneof(
  act(8, flow),
  act(
    3,
    upTo(30, "capture", (world, count) => {
      for (let at = 0; at < count; at += 1) world.capture();
    }),
  ),
  act(
    4,
    upTo(40, "up", (world, count) => world.up(count)),
  ),
  act(
    4,
    upTo(40, "down", (world, count) => world.down(count)),
  ),
  act(
    5,
    upTo(3_000, "provider", (world, lagMs) => world.provider(lagMs)),
  ),
  act(
    2,
    once("connect", (world) => world.connect()),
  ),
  act(
    2,
    either("drop", (world, tellRoom) => world.drop(tellRoom)),
  ),
  act(
    3,
    fc.constantFrom(408, 413, 429, 500, 503, 1000, 1006).map((code) => ({
      name: `fail ${code}`,
      run: (world) => world.failProvider(code),
    })),
  ),
  act(
    2,
    either("evict", (world, hibernated) => world.evict(hibernated)),
  ),
  act(
    3,
    upTo(12_000, "alarm", (world, ms) => world.alarm(ms)),
  ),
  act(
    3,
    either("answer flush", (world, ok) => world.answerFlush(ok)),
  ),
  act(
    2,
    once("stop", (world) => world.stop()),
  ),
  act(
    3,
    once("pause", (world) => world.pause()),
  ),
  act(
    2,
    once("pause on the same socket", (world) => world.pauseOnSameSocket()),
  ),
  act(
    2,
    once("old session", (world) => world.answerFromOldSession()),
  ),
);

test.each([
  ["PCM", "pcm_s16le"],
  ["Opus", "opus"],
] as const)(
  "%s: delivers every word once and in order and charges every chunk once under any failures",
  (_, codec) => {
    fc.assert(
      fc.property(fc.array(acts, { minLength: 3, maxLength: 40, size: "max" }), (run) => {
        const world = new Simulation(codec);
        world.connect();
        for (const one of run) one.run(world);
        world.finish();
        expect(world.violations).toEqual([]);
        expect(world.words).toEqual(ProviderModel.listWords(0, world.captured * world.chunkMs));
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
  const flow = (chunks: number) => {
    for (let at = 0; at < chunks; at += 1) {
      world.capture();
      world.up(100);
      world.provider(0);
      world.down(100);
    }
  };
  world.connect();
  flow(2);
  world.answerFlush(false);
  flow(1);
  // The ledger receives a total that the room does not know after its eviction.
  world.alarm(494);
  world.evict(false);
  world.alarm(10_484);
  for (let at = 0; at < 36; at += 1) world.capture();
  world.finish();
  expect(world.recordedMs).toBe(world.captured * world.chunkMs);
});

/** Chunks 0 to 31 were sent and transcribed; chunk 32 begins in a pause between two words. */
function createPaused(): Simulation {
  const world = new Simulation();
  world.connect();
  for (let at = 0; at < 32; at += 1) {
    world.capture();
    world.up(100);
    world.provider(600);
    world.down(100);
  }
  world.pause();
  expect(world.socketId).toBeNull();
  return world;
}

const listSpokenWords = (world: Simulation) =>
  ProviderModel.listWords(0, world.captured * world.chunkMs);

test("loses no word after Continue that was spoken before the provider was ready", () => {
  const world = createPaused();
  // The microphone opens before the room, and the room before its provider session.
  for (let at = 0; at < 6; at += 1) world.capture();
  world.connect();
  for (let at = 0; at < 6; at += 1) world.capture();
  world.up(100);
  world.down(100);
  world.up(100);
  for (let at = 0; at < 6; at += 1) world.capture();
  world.up(100);
  world.provider(0);
  world.finish();
  expect(world.violations).toEqual([]);
  expect(world.words).toEqual(listSpokenWords(world));
});

test("loses no word after Continue if the connection closes before its first answer", () => {
  for (const tellRoom of [true, false]) {
    const world = createPaused();
    world.connect();
    for (let at = 0; at < 8; at += 1) world.capture();
    world.up(100);
    world.down(100);
    world.up(100);
    world.provider(0);
    // This answer of the provider is lost.
    world.provider(0);
    world.drop(tellRoom);
    for (let at = 0; at < 8; at += 1) world.capture();
    world.connect();
    world.up(100);
    world.failProvider(503);
    world.finish();
    expect(world.violations).toEqual([]);
    expect(world.words).toEqual(listSpokenWords(world));
  }
});
