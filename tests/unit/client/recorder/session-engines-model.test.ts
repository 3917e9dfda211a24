import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { SpeechErrorCode } from "#client/recognition/browser/web-speech.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { setUpNumbered } from "./kit/numbered-recognition.ts";
import { wordsIn } from "./kit/simulated-room.ts";

type Step =
  | { do: "record"; engine: "service" | "browser" | "device" }
  | { do: "stop" | "drop" | "wake" }
  | { do: "stopAndRecord"; afterMs: number; engine: "service" | "browser" | "device" }
  | { do: "fail"; error: SpeechErrorCode }
  | { do: "recognizeWith"; engine: "service" | "browser" | "device" }
  | { do: "recognizeWithAndStop"; afterMs: number; engine: "service" | "browser" | "device" }
  | { do: "busy"; on: boolean }
  | { do: "language"; spoken: SpokenLanguage }
  | { do: "microphone"; id: string | null }
  | { do: "say"; words: number }
  | { do: "wait"; ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("record"),
      engine: fc.constantFrom("service", "browser", "device"),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("say"), words: fc.integer({ min: 1, max: 20 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("stop", "drop", "wake") }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("stopAndRecord"),
      afterMs: fc.constantFrom(0, 1, 300, 2_000, 11_000),
      engine: fc.constantFrom("service", "browser", "device"),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("busy"), on: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("fail"),
      // After others the browser hears again, and both may hear a part of the word between.
      error: fc.constant("service-not-allowed"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("recognizeWith"),
      engine: fc.constantFrom("service", "browser", "device"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("recognizeWithAndStop"),
      afterMs: fc.constantFrom(0, 1, 300, 2_000),
      engine: fc.constantFrom("service", "browser", "device"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("language"),
      spoken: fc.constantFrom("de", "ja", "th"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("microphone"),
      id: fc.constantFrom("lapel", "desk", null),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("wait"), ms: fc.integer({ min: 1, max: 12_000 }) }),
  },
) as fc.Arbitrary<Step>;

test("keeps every word once, in its language, when engine and language change, whatever the lines do", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
      const { world, page, say, pause, fail, wordCount } = setUpNumbered();
      const { clock, room } = world;
      const languages: SpokenLanguage[] = [];
      let spoken: SpokenLanguage = "en";
      for (const each of steps) {
        switch (each.do) {
          case "record":
            await page.record({ engine: each.engine });
            break;
          case "stop":
            await pause();
            await page.stop();
            break;
          case "stopAndRecord":
            void page.session.stop();
            await clock.advance(each.afterMs);
            await page.record({ engine: each.engine });
            break;
          case "drop":
            room.drop();
            break;
          case "wake":
            page.session.wake();
            break;
          case "fail":
            fail(each.error);
            break;
          case "recognizeWith":
            await page.finish(page.session.recognizeWith(each.engine));
            break;
          case "recognizeWithAndStop": {
            const choosing = page.session.recognizeWith(each.engine);
            await clock.advance(each.afterMs);
            await page.stop();
            await page.finish(choosing);
            break;
          }
          case "busy":
            room.refuses = each.on ? "busy" : null;
            if (each.on) room.drop();
            break;
          case "language":
            // A take keeps its languages.
            if (page.view.status === "recording" || page.view.busy !== null) break;
            spoken = each.spoken;
            page.lecture.setLanguages({ sourceLanguage: spoken });
            break;
          case "microphone":
            await pause();
            page.session.setMicrophone(each.id);
            // Nothing is heard before it is open.
            await clock.advance(1);
            break;
          case "say":
            await say(each.words);
            while (languages.length < wordCount()) languages.push(spoken);
            break;
          case "wait":
            await clock.advance(each.ms);
            break;
          default:
            each satisfies never;
        }
        const { status, busy, speechEngine } = page.view;
        if (status === "recording" && busy === null && speechEngine !== "service")
          expect(room.openCount).toBe(0);
        if (status !== "recording" && busy === null) expect(page.microphone.openCount).toBe(0);
        const words = wordsIn(page.text());
        expect(new Set(words).size).toBe(words.length);
      }
      room.refuses = null;
      await pause();
      await page.stop();
      await page.finish(page.session.recognizeWith("service"));
      await clock.until(() => page.view.connection === "idle", 120_000);
      await clock.until(() => page.view.saveState !== "saving", 120_000);
      const words = wordsIn(page.text());
      expect(words.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: wordCount() }, (_, index) => index + 1),
      );
      for (const { original, spokenIn } of page.rows())
        for (const word of wordsIn(original)) expect(spokenIn).toBe(languages[word - 1]);
      const starts = page.rows().map(({ startMs }) => startMs);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      expect(page.rows().every(({ startMs, endMs }) => startMs < endMs)).toBe(true);
      expect(page.view).toMatchObject({ unsentSeconds: 0, waitingSeconds: 0 });
    }),
    { numRuns: countRuns(100), endOnFailure: true },
  );
}, 120_000);
