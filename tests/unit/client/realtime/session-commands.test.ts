import * as fc from "fast-check";
import { expect, test } from "vitest";
import { everything, TestSession } from "./kit/commands.ts";

test("whatever persons, networks and devices do: no word lost, doubled or out of order, one socket, one microphone", async () => {
  await fc.assert(
    fc.asyncProperty(everything(40), async (commands) => {
      const stand = new TestSession();
      const said = { words: 0 };
      await fc.asyncModelRun(() => ({ model: said, real: stand }), commands);
      await stand.settle();
      stand.check();
      const everyWord = Array.from({ length: said.words }, (_, index) => index + 1);
      expect(stand.stored().toSorted((a, b) => a - b)).toEqual(everyWord);
      stand.session.dispose();
      await stand.world.clock.advance(120_000);
      expect(stand.world.clock.timers).toBe(0);
      expect(stand.page.microphone.openCount).toBe(0);
      expect(stand.world.room.openCount).toBe(0);
    }),
    { numRuns: 150, endOnFailure: false },
  );
}, 120_000);
