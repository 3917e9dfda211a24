import * as fc from "fast-check";
import { expect, test } from "vitest";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { FakeRecognitions, type SpokenWord } from "./kit/fake-recognition.ts";
import { World } from "./kit/harness.ts";
import { getExpectedText, wordsIn } from "./kit/simulated-room.ts";

type Step =
  | { do: "record"; engine: "service" | "browser" }
  | { do: "stop" | "drop" | "wake" }
  | { do: "busy"; on: boolean }
  | { do: "say"; words: number }
  | { do: "wait"; ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("record"),
      engine: fc.constantFrom("service", "browser"),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("say"), words: fc.integer({ min: 1, max: 20 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("stop", "drop", "wake") }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("busy"), on: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("wait"), ms: fc.integer({ min: 1, max: 12_000 }) }),
  },
) as fc.Arbitrary<Step>;

/** A lecture that the room and the browser recognise in turns. */
function setUp() {
  const world = new World();
  const spoken: SpokenWord[] = [];
  const recognitions = new FakeRecognitions({ clock: world.clock, words: spoken });
  world.live.recognition = { opensMicrophone: false, create: () => recognitions.create() };
  const page = world.page();
  let count = 0;
  async function say(words: number) {
    for (let said = 0; said < words && page.view.status === "recording"; said += 1) {
      count += 1;
      const startsAt = world.clock.now();
      const text = getExpectedText(count).split(" ").at(-1) ?? "";
      spoken.push({ text, startsAt, endsAt: startsAt + 200 });
      await page.sayChunk(count);
    }
  }
  /** Silence in which a recognition delivers its last words. */
  async function pause() {
    for (let chunk = 0; chunk < 5; chunk += 1) await page.sayChunk(0);
  }
  return { world, page, say, pause, wordCount: () => count };
}

test("keeps every word once when the engine changes, whatever the lines do", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
      const { world, page, say, pause, wordCount } = setUp();
      const { clock, room } = world;
      for (const each of steps) {
        switch (each.do) {
          case "record":
            await page.record({ engine: each.engine });
            break;
          case "stop":
            await pause();
            await page.stop();
            break;
          case "drop":
            room.drop();
            break;
          case "wake":
            page.session.wake();
            break;
          case "busy":
            room.refuses = each.on ? "busy" : null;
            if (each.on) room.drop();
            break;
          case "say":
            await say(each.words);
            break;
          case "wait":
            await clock.advance(each.ms);
            break;
          default:
            each satisfies never;
        }
        const { status, busy, speechEngine } = page.view;
        if (status === "recording" && busy === null && speechEngine === "browser")
          expect(room.openCount).toBe(0);
        const words = wordsIn(page.text());
        expect(new Set(words).size).toBe(words.length);
      }
      room.refuses = null;
      await pause();
      await page.stop();
      await clock.until(() => page.view.connection === "idle", 120_000);
      await clock.until(() => page.view.saveState !== "saving", 120_000);
      const words = wordsIn(page.text());
      expect(words.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: wordCount() }, (_, index) => index + 1),
      );
      const starts = page.rows().map(({ startMs }) => startMs);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      expect(page.rows().every(({ startMs, endMs }) => startMs < endMs)).toBe(true);
      expect(page.view.unsentSeconds).toBe(0);
    }),
    { numRuns: countRuns(100), endOnFailure: true },
  );
}, 120_000);
