import * as fc from "fast-check";
import { expect, test } from "vitest";
import { audioCodecs } from "#shared/relay.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { everything, TestSession } from "./kit/commands.ts";

test("stores every word once with one socket and one microphone after any user, network and device events", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...audioCodecs), everything(40), async (codec, commands) => {
      const stand = new TestSession(codec);
      const spoken = { words: 0 };
      await fc.asyncModelRun(() => ({ model: spoken, real: stand }), commands);
      await stand.settle();
      stand.check();
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
