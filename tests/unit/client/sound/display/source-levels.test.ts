import fc from "fast-check";
import { expect, it } from "vitest";
import { SourceLevels } from "#client/sound/display/source-levels.ts";

const names = { microphone: "Microphone", display: "Tab" };
const chunkMs = 256;
const quiet = { microphone: 20, display: 0 };
const person = { microphone: 190, display: 10 };
const tab = { microphone: 60, display: 200 };
const both = { microphone: 190, display: 200 };

function record(...levels: (typeof quiet)[]) {
  const recorded = new SourceLevels(names);
  for (const level of levels) recorded.add(chunkMs, level);
  const clockEndMs = levels.length * chunkMs;
  return {
    recorded,
    find: (fromChunk: number, toChunk: number, speaker: string | null = null) =>
      recorded.findSpeaker(
        { startMs: fromChunk * chunkMs, endMs: toChunk * chunkMs, speaker },
        clockEndMs,
      ),
  };
}

it("names the source that was louder during a row", () => {
  const { find } = record(person, person, quiet, tab, tab, quiet);
  expect(find(0, 2)).toBe("Microphone");
  expect(find(3, 5)).toBe("Tab");
});

it.each([
  ["both spoke", [both, both, both]],
  ["each spoke for as long", [person, tab, person, tab]],
  ["nobody spoke loudly", [quiet, quiet, quiet]],
])("names nobody where %s", (_, levels) => {
  expect(record(...levels).find(0, levels.length)).toBeNull();
});

it("names nobody for sound of which it knows no levels", () => {
  const { recorded } = record(person, person);
  expect(recorded.findSpeaker({ startMs: 0, endMs: 500, speaker: null }, 60_000)).toBeNull();
});

it("leaves all rows to a service that tells speakers apart", () => {
  const { find } = record(person, person, tab, tab);
  expect(find(0, 2, "1")).toBe("1");
  expect(find(2, 4)).toBeNull();
});

it("counts the rows that were clear", () => {
  const { recorded, find } = record(person, person, both, both);
  find(0, 2);
  find(2, 4);
  expect(recorded.counts).toEqual({ rows: 2, clear: 1 });
});

it("finds a row wherever its capture begins on the lecture's clock", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5_000_000 }), fc.nat(20), (offsetMs, before) => {
      const levels = new SourceLevels(names);
      for (let at = 0; at < before; at += 1) levels.add(chunkMs, person);
      for (let at = 0; at < 4; at += 1) levels.add(chunkMs, tab);
      const endMs = offsetMs + (before + 4) * chunkMs;
      const sentence = { startMs: endMs - 4 * chunkMs, endMs, speaker: null };
      expect(levels.findSpeaker(sentence, endMs)).toBe("Tab");
    }),
  );
});
