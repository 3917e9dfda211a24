import * as fc from "fast-check";
import { expect, test } from "vitest";
import { captureSampleRate, chunkSamples } from "#shared/limits.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { openPage, type Page, type World } from "./kit/harness.ts";
import { sound } from "./kit/simulated-room.ts";

const chunkMs = (chunkSamples * 1_000) / captureSampleRate;
/** More than what all short losses of a case come to, which are no gaps. */
const quietChunks = fc.integer({ min: 12, max: 60 });

/** What happens to a microphone. Lengths are in chunks. */
const step = fc.oneof(
  fc.record({ kind: fc.constant("sound"), length: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ kind: fc.constant("quiet"), length: quietChunks }),
  fc.record({ kind: fc.constant("blocked"), length: quietChunks }),
  fc.record({ kind: fc.constant("ended") }),
  fc.record({
    kind: fc.constant("told"),
    reason: fc.constantFrom("interrupted", "notDelivered", "muted"),
    quietBefore: fc.constantFrom(0, 0, 12),
    soundMeanwhile: fc.integer({ min: 0, max: 10 }),
    length: quietChunks,
  }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function run(one: Step, { clock }: World, page: Page): Promise<void> {
  switch (one.kind) {
    case "sound":
      return page.listen(one.length * chunkMs);
    case "quiet":
      return clock.advance(one.length * chunkMs);
    case "blocked":
      await clock.block(one.length * chunkMs);
      for (let chunk = 0; chunk < one.length; chunk += 1) page.microphone.open?.chunk(sound(0));
      return;
    case "ended":
      page.microphone.open?.lost();
      return clock.advance(chunkMs);
    case "told":
      await clock.advance(one.quietBefore * chunkMs);
      page.microphone.open?.noSound(one.reason);
      await page.listen(one.soundMeanwhile * chunkMs);
      await clock.advance(one.length * chunkMs);
      page.microphone.open?.noSound(null);
  }
}

test("leaves no second without sound or a gap, whatever happens to the microphone", async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 1, maxLength: 4 }),
    async (steps) => {
      const { world, page } = openPage();
      page.microphone.setDevices("Headset", "Built-in");
      const startedAt = world.clock.now();
      await page.record();
      await page.listen(4 * chunkMs);
      for (const one of steps) await run(one, world, page);
      await page.listen(8 * chunkMs);
      const endedAt = world.clock.now();
      await page.stop();
      await world.clock.until(() => page.view.saveState === "saved");
      const takes = world.lecture()?.takes ?? [];
      const toldMs = takes.reduce((sum, { capturedMs }) => sum + capturedMs, 0);
      const untoldMs = endedAt - startedAt - toldMs;
      const maxMs = 700 + 300 * steps.length;
      expect(untoldMs).toBeLessThan(maxMs);
      // Sound that comes late during a loss counts twice.
      if (!steps.some(({ kind }) => kind === "blocked")) expect(untoldMs).toBeGreaterThan(-maxMs);
    },
  );
  await fc.assert(property, { numRuns: countRuns(500) });
});
