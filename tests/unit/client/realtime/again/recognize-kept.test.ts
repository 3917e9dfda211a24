import { expect, test } from "vitest";
import { NotRecognizedError, recognizeKept } from "#client/realtime/again/recognize-kept.ts";
import { chunkMs } from "#client/realtime/takes/chunk-codec.ts";
import { newTake } from "#client/realtime/takes/stored-take.ts";
import { World } from "#tests/unit/client/realtime/kit/harness.ts";
import { createHintSource } from "#tests/unit/client/realtime/kit/hint-source.ts";
import { sound, wordsIn } from "#tests/unit/client/realtime/kit/simulated-room.ts";

const lengthMs = chunkMs.pcm_s16le;

/** A lecture with two kept takes. The first was placed twice, and says words 1 to 40; the second goes on to word 60. */
async function keep() {
  const world = new World();
  const storage = world.takes.openStorage("user-1");
  const placements = {
    first: [
      { fromMs: 0, offsetMs: 5_000 },
      { fromMs: 20 * lengthMs, offsetMs: 30_000 },
    ],
    second: [{ fromMs: 0, offsetMs: 100_000 }],
  };
  for (const [id, from, count] of [
    ["first", 1, 40],
    ["second", 41, 20],
  ] as const) {
    const take = {
      ...newTake(id, "lecture-1", "pcm_s16le"),
      ...{ firstSeq: count, nextSeq: count, isKept: true, placements: placements[id] },
    };
    const chunks = Array.from({ length: count }, (_, seq) => ({ seq, data: sound(from + seq) }));
    await storage.write(take, chunks);
  }
  const before = structuredClone([...world.takes.takes]);
  const progress: number[] = [];
  const demoBatches: number[] = [];
  const controller = new AbortController();
  const start = async () =>
    recognizeKept(
      {
        ...{ storage, kept: await storage.listKept("lecture-1"), engine: "service" },
        live: await world.live.load(),
        ...{ languages: { language: "en", secondLanguage: null }, diarization: false, context: "" },
        ...{ hintSource: createHintSource(), clock: world.clock, transport: world.room },
        ...{ log: { warn() {} }, random: () => 0 },
        getModel: () => Promise.reject(new Error("no model")),
        path: async () => "/api/recordings/lecture-1?again=1",
        onDemoVoice: () => demoBatches.push(progress.length),
        onProgress: (doneMs) => progress.push(doneMs),
      },
      controller.signal,
    );
  return { world, before, progress, demoBatches, controller, start };
}

/** Lets time pass until `promise` is settled. */
async function settle<T>({ world }: { world: World }, promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const done = () => {
    isSettled = true;
  };
  promise.then(done, done);
  for (let round = 0; !isSettled && round < 5_000; round += 1) await world.clock.advance(50);
  return promise;
}

/** Where word `n` was said, on the lecture's clock: 10 ms after its chunk began. */
function getStartMs(n: number): number {
  if (n <= 20) return 5_010 + (n - 1) * lengthMs;
  return n <= 40 ? 30_010 + (n - 1) * lengthMs : 100_010 + (n - 41) * lengthMs;
}

test("returns every word of all takes once, where it lies on the lecture's clock, and changes no take", async () => {
  const kept = await keep();
  const words = await settle(kept, kept.start());
  const tokens = words.flatMap((part) => (part.kind === "words" ? part.batch.tokens : []));
  const said = tokens.flatMap(({ text, start_ms }) => wordsIn(text).map((n) => [n, start_ms]));
  const all = Array.from({ length: 60 }, (_, at) => at + 1);
  expect(said).toEqual(all.map((n) => [n, getStartMs(n)]));
  expect(kept.progress.at(-1)).toBe(60 * lengthMs);
  expect(kept.progress).toEqual(kept.progress.toSorted((a, b) => a - b));
  expect([...kept.world.takes.takes]).toEqual(kept.before);
  expect(kept.demoBatches).toEqual([]);
});

test("tells that words are the demo voice's", async () => {
  const kept = await keep();
  kept.world.room.isDemoVoice = true;
  await settle(kept, kept.start());
  expect(kept.demoBatches.length).toBeGreaterThan(0);
});

test("goes on over lost connections, and fails when the room refuses", async () => {
  const kept = await keep();
  const running = kept.start();
  await kept.world.clock.advance(300);
  kept.world.room.drop();
  const words = await settle(kept, running);
  const tokens = words.flatMap((part) => (part.kind === "words" ? part.batch.tokens : []));
  expect(tokens.flatMap(({ text }) => wordsIn(text))).toHaveLength(60);

  const refused = await keep();
  refused.world.room.refuses = "allowance_exhausted";
  const failure = await settle(refused, refused.start()).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(NotRecognizedError);
  expect(failure).toMatchObject({ reason: { kind: "refused", code: "allowance_exhausted" } });
});

test("ends when it is stopped", async () => {
  const kept = await keep();
  const running = kept.start().catch((error: unknown) => error);
  kept.world.room.stalled = true;
  await kept.world.clock.advance(300);
  kept.controller.abort();
  expect(await settle(kept, running)).toMatchObject({ name: "AbortError" });
  expect(kept.world.room.openCount).toBe(0);
});
