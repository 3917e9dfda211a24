import * as fc from "fast-check";
import { expect, test } from "vitest";
import { audioCodecs } from "#shared/relay.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { everything, oneLecture, TestSession } from "./kit/commands.ts";
import { getExpectedText } from "./kit/simulated-room.ts";

test("stores every word once with one socket and one microphone after any user, network and device events", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...audioCodecs), everything(40), async (codec, commands) => {
      const stand = new TestSession(codec);
      const spoken = { words: 0 };
      await fc.asyncModelRun(() => ({ model: spoken, real: stand }), commands);
      await stand.settle();
      stand.check(spoken.words);
      const everyWord = Array.from({ length: spoken.words }, (_, index) => index + 1);
      expect(stand.stored().toSorted((a, b) => a - b)).toEqual(everyWord);
      stand.session.dispose();
      await stand.world.clock.advance(120_000);
      expect(stand.world.clock.timers).toBe(0);
      expect(stand.page.microphone.openCount).toBe(0);
      expect(stand.world.room.openCount).toBe(0);
    }),
    { numRuns: countRuns(150), endOnFailure: false },
  );
}, 120_000);

test("shows every word of a lecture once and in order after any events, closed tabs among them", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...audioCodecs), oneLecture(30), async (codec, commands) => {
      const stand = new TestSession(codec, true);
      const spoken = { words: 0 };
      await stand.page.record();
      await fc.asyncModelRun(() => ({ model: spoken, real: stand }), commands);
      await stand.settle();
      stand.check(spoken.words);
      expect(stand.page.text()).toBe(getExpectedText(spoken.words));
      expect(stand.page.view).toMatchObject({ connection: "idle", saveState: "saved" });
      expect(stand.world.room.maxInFlight).toBeLessThanOrEqual(128);
      expect(stand.world.takes.listLectureChunks("lecture-1")).toEqual([]);
    }),
    { numRuns: countRuns(150), endOnFailure: true },
  );
}, 120_000);
