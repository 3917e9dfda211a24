import { afterEach, expect, test, vi } from "vitest";
import { RecognitionWindows } from "#client/recognition/device/recognition-windows.ts";
import { cutParts, type KeptPart, listWholeTakes } from "#client/recorder/again/kept-parts.ts";
import { NotRecognizedError, recognizeKept } from "#client/recorder/again/recognize-kept.ts";
import type { HeardWords } from "#client/recorder/again/replace-rows.ts";
import { createSpans, type SoundSpan } from "#client/sound/player/sound-timeline.ts";
import { chunkMs } from "#client/sound/takes/chunk-codec.ts";
import { newTake } from "#client/sound/takes/stored-take.ts";
import { World } from "#tests/unit/client/recorder/kit/harness.ts";
import { createHintSource } from "#tests/unit/client/recorder/kit/hint-source.ts";
import { createNumberedModel } from "#tests/unit/client/recorder/kit/numbered-model.ts";
import { sound, wordsIn } from "#tests/unit/client/recorder/kit/simulated-room.ts";

const lengthMs = chunkMs.pcm_s16le;

afterEach(() => {
  vi.restoreAllMocks();
});

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
      firstSeq: count,
      nextSeq: count,
      isKept: true,
      placements: placements[id],
    };
    const chunks = Array.from({ length: count }, (_, seq) => ({ seq, data: sound(from + seq) }));
    await storage.write(take, chunks);
  }
  const before = structuredClone([...world.takes.takes]);
  const progress: number[] = [];
  const demoBatches: number[] = [];
  const controller = new AbortController();
  const spans = createSpans(await storage.listKept("lecture-1"));
  const start = async ({
    select = listWholeTakes,
    engine = "service",
  }: {
    select?: (spans: readonly SoundSpan[]) => KeptPart[];
    engine?: "service" | "device";
  } = {}) =>
    recognizeKept(
      {
        storage,
        parts: select(spans),
        engine,
        live: await world.live.load(),
        languages: { language: "en", secondLanguage: null },
        diarization: false,
        context: "",
        hintSource: createHintSource(),
        ports: {
          clock: world.clock,
          transport: world.room,
          log: { warn() {} },
          random: () => 0,
        },
        getModel: async () => createNumberedModel(world.clock),
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

/** Each word and when it was said. */
const listSaid = (words: readonly HeardWords[]) =>
  words
    .flatMap((part) => (part.kind === "words" ? part.batch.tokens : []))
    .flatMap(({ text, start_ms }) => wordsIn(text).map((n) => [n, start_ms]));

/** Where word `n` was said, on the lecture's clock: 10 ms after its chunk began. */
function getStartMs(n: number): number {
  if (n <= 20) return 5_010 + (n - 1) * lengthMs;
  return n <= 40 ? 30_010 + (n - 1) * lengthMs : 100_010 + (n - 41) * lengthMs;
}

test("returns every word of all takes once, where it lies on the lecture's clock, and changes no take", async () => {
  const kept = await keep();
  const { words, wordless } = await settle(kept, kept.start());
  const said = listSaid(words);
  expect([...wordless.values()].flat()).toEqual([]);
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
  const { words } = await settle(kept, running);
  expect(listSaid(words)).toHaveLength(60);

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

test.each(["service", "device"] as const)(
  "returns the words of a gap and of a second around it alone (%s)",
  async (engine) => {
    const kept = await keep();
    // Words 9 to 12 of the first take, and 45 to 46 of the second.
    const gaps = [
      { startMs: getStartMs(9) - 10, endMs: getStartMs(12) + 240 },
      { startMs: getStartMs(45) - 10, endMs: getStartMs(46) + 240 },
    ];
    const select = (spans: readonly SoundSpan[]) => cutParts(spans, gaps);
    const { words } = await settle(kept, kept.start({ engine, select }));
    const numbers = listSaid(words).map(([n]) => Number(n));
    for (const n of [9, 10, 11, 12, 45, 46]) expect(numbers).toContain(n);
    const around = Math.ceil(1_000 / lengthMs) + 1;
    for (const n of numbers)
      expect((n >= 9 - around && n <= 12 + around) || (n >= 45 - around && n <= 46 + around)).toBe(
        true,
      );
    for (const [n, startMs] of listSaid(words))
      expect(Math.abs(Number(startMs) - getStartMs(Number(n)))).toBeLessThanOrEqual(10);
    expect(numbers).toEqual([...new Set(numbers)]);
    expect([...kept.world.takes.takes]).toEqual(kept.before);
  },
);

test("returns speech without words on the lecture's clock, for each take", async () => {
  const kept = await keep();
  const { add } = RecognitionWindows.prototype;
  const seen = new WeakSet<RecognitionWindows>();
  vi.spyOn(RecognitionWindows.prototype, "add").mockImplementation(function (
    this: RecognitionWindows,
    ...options
  ) {
    const result = add.apply(this, options);
    if (seen.has(this)) return result;
    seen.add(this);
    return { ...result, wordless: [{ startMs: 500, endMs: 1_500 }] };
  });
  const gap = { startMs: getStartMs(45), endMs: getStartMs(50) };
  const select = (spans: readonly SoundSpan[]) => [
    ...listWholeTakes(spans).slice(0, 1),
    ...cutParts(spans, [gap]),
  ];
  const { wordless } = await settle(kept, kept.start({ engine: "device", select }));
  const partMs = Math.floor((gap.startMs - 1_000 - 100_000) / lengthMs) * lengthMs;
  expect([...wordless]).toEqual([
    ["first", [{ startMs: 5_500, endMs: 6_500 }]],
    ["second", [{ startMs: 100_500 + partMs, endMs: 101_500 + partMs }]],
  ]);
});
