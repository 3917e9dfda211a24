import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { DeviceLecture } from "#tests/unit/client/recorder/kit/device-lecture.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";
import { MemoryTakes } from "#tests/unit/client/recorder/kit/memory-takes.ts";
import { createScript, spell } from "#tests/unit/client/recorder/kit/scripted-speech.ts";

describe("a take whose first words another engine has recognised", () => {
  const handover = fc.record({
    seed: fc.integer({ min: 1, max: 1e6 }),
    wordsPerBreath: fc.constantFrom(3, 12, 100),
    /** Part of the words that are on the page. */
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    /** How much later the other engine says that its last word has ended. */
    lateMs: fc.integer({ min: -150, max: 900 }),
    /** Sound before that which the other engine has not acknowledged. */
    leadInMs: fc.integer({ min: 2_500, max: 12_000 }),
    offsetMs: fc.constantFrom(0, 7_000),
  });

  it("goes on with the next word, wherever that is", async () => {
    const property = fc.asyncProperty(
      handover,
      async ({ seed, wordsPerBreath, share, lateMs, leadInMs, offsetMs }) => {
        const script = createScript(40_000, { seed, wordsPerBreath });
        const count = Math.floor(script.length * share);
        const lecture = new DeviceLecture(new ManualClock(), new MemoryTakes(), script);
        const take = lecture.addTake("take");
        await lecture.recordAhead(take, 40_000);
        take.place(offsetMs);
        const before = script.slice(0, count);
        for (const { number, startMs, endMs } of before)
          lecture.words.push({
            text: spell(number),
            takeId: take.id,
            startMs: startMs + offsetMs,
            endMs: endMs + offsetMs + (number === count ? lateMs : 0),
          });
        if (count > 0) take.updateHeldMs(lecture.endMs);
        take.acknowledge(Math.floor((take.heldMs - leadInMs) / take.chunkMs) - 1);
        lecture.recognizer.start();
        await lecture.finish();
        expect(lecture.numbers).toEqual(script.map(({ number }) => number));
        for (const { startMs } of lecture.words.slice(count))
          expect(startMs).toBeGreaterThanOrEqual(take.offsetMs ?? 0);
      },
    );
    await fc.assert(property, { numRuns: countRuns(120) });
  });

  it("goes on behind what another engine has heard, and not acknowledged", async () => {
    const property = fc.asyncProperty(
      handover,
      async ({ seed, wordsPerBreath, share, lateMs, leadInMs, offsetMs }) => {
        const script = createScript(40_000, { seed, wordsPerBreath });
        const count = Math.floor(script.length * share);
        const lecture = new DeviceLecture(new ManualClock(), new MemoryTakes(), script);
        const take = lecture.addTake("take");
        await lecture.recordAhead(take, 40_000);
        take.place(offsetMs);
        const endMs = (script[count - 1]?.endMs ?? 0) + Math.max(0, lateMs) + offsetMs;
        // Its words have no times of their own: it knows only up to where all of them are on the page.
        for (const { number } of script.slice(0, count))
          lecture.words.push({ text: spell(number), takeId: take.id, startMs: 0, endMs });
        if (count > 0) {
          take.acknowledgeUntil(endMs - lateMs - leadInMs);
          take.leaveRest(lecture.words.map(({ text }) => text).join(" "), endMs);
        }
        lecture.recognizer.start();
        await lecture.finish();
        expect(lecture.numbers).toEqual(script.map(({ number }) => number));
      },
    );
    // The sound begins within the last word but one.
    const cut = { seed: 14, wordsPerBreath: 3, share: 0.98, lateMs: 0, leadInMs: 2_500 };
    const examples: [typeof cut & { offsetMs: number }][] = [[{ ...cut, offsetMs: 0 }]];
    await fc.assert(property, { numRuns: countRuns(120), examples });
  });
});
