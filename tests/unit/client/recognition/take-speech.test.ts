import { describe, expect, it } from "vitest";
import { TakeSpeech } from "#client/recognition/take-speech.ts";

const chunkMs = 250;
const quiet = 40;
const loud = 200;

/** A minute in which somebody speaks between these times, s. */
function hear(...spoken: readonly (readonly [from: number, to: number])[]): TakeSpeech {
  const speech = new TakeSpeech(chunkMs);
  for (let at = 0; at < 60; at += chunkMs / 1_000)
    speech.add(spoken.some(([from, to]) => at >= from && at < to) ? loud : quiet);
  return speech;
}

describe("a sentence that models write in silence", () => {
  it.each(["Thank you.", "Thanks for watching!", "谢谢观看。", "ご視聴ありがとうございました"])(
    "is invented where nobody speaks: %s",
    (text) => {
      expect(hear([0, 20]).isInvented(text, 30_000, 31_000)).toBe(true);
      expect(hear().isInvented(text, 30_000, 31_000)).toBe(true);
    },
  );

  it.each([
    ["somebody speaks", 18_000, 19_000],
    ["somebody has just spoken, because times are not exact", 20_500, 21_000],
    ["the noise of the room is not known yet", 8_000, 9_000],
    ["the sound was not captured here", 70_000, 71_000],
  ])("may be said where %s", (_, startMs, endMs) => {
    expect(hear([15, 20]).isInvented("Thank you.", startMs, endMs)).toBe(false);
  });
});

it("keeps every other sentence, also where nobody seems to speak", () => {
  expect(hear([0, 20]).isInvented("Thank you for the entropy.", 30_000, 31_000)).toBe(false);
});
