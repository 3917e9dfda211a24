import { describe, expect, it, vi } from "vitest";
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

describe("any other sentence where nobody speaks", () => {
  const invented = [
    "Dank u voor het kijken.",
    "Tack för att ni tittade.",
    "Untertitel von Stephanie Geiges",
  ];
  /** Words from `from` to `to` s, two a second. */
  const say = (speech: TakeSpeech, from: number, to: number) => {
    for (let at = from; at < to; at += 0.5) {
      const start_ms = at * 1_000;
      speech.addWords([{ text: " word", is_final: true, start_ms, end_ms: start_ms + 400 }], 0);
    }
  };

  it.each(invented)("is invented where the words before it were heard: %s", (text) => {
    const speech = hear([13, 22], [23, 33]);
    say(speech, 13, 33);
    expect(speech.isInvented(text, 50_000, 51_000)).toBe(true);
    expect(speech.isInvented(text, 30_000, 31_000)).toBe(false);
  });

  it("may be said by somebody who is too quiet for the level, as the words before", () => {
    const speech = hear([13, 15]);
    say(speech, 13, 33);
    expect(speech.isInvented("Dank u voor het kijken.", 50_000, 51_000)).toBe(false);
  });

  it("may be said where few words came before", () => {
    const speech = hear([13, 18]);
    say(speech, 13, 18);
    expect(speech.isInvented("Dank u voor het kijken.", 50_000, 51_000)).toBe(false);
  });

  it("may be said by a second person, who is too quiet", () => {
    const speech = hear([13, 22], [23, 33]);
    say(speech, 13, 33);
    say(speech, 36, 44);
    expect(speech.isInvented("Tack så mycket för idag.", 50_000, 51_000)).toBe(false);
  });
});

describe("speech without words", () => {
  const words = (...seconds: readonly number[]) =>
    seconds.map((at) => ({
      text: " word",
      is_final: true,
      start_ms: at * 1_000,
      end_ms: at * 1_000 + 400,
    }));
  const every = (from: number, to: number) =>
    words(...Array.from({ length: (to - from) * 2 }, (_, index) => from + index / 2));

  it("is found behind the last word, where the sound has ended", () => {
    const speech = hear([14, 20], [24, 30]);
    speech.addWords(every(14, 20), 0);
    expect(speech.findWordless(0, 60_000, true)).toEqual([{ startMs: 24_000, endMs: 30_000 }]);
  });

  it("is found between two words, except near to them", () => {
    const speech = hear([14, 30]);
    speech.addWords([...every(14, 18), ...every(24, 30)], 0);
    const [first, ...others] = speech.findWordless(0, 60_000, true);
    expect(others).toEqual([]);
    expect(first?.startMs).toBeCloseTo(18_900, -3);
    expect(first?.endMs).toBeCloseTo(23_000, -3);
  });

  it("has words whose clock is ahead", () => {
    const speech = hear([14, 20]);
    speech.addWords(every(114, 120), 100_000);
    expect(speech.findWordless(0, 60_000, true)).toEqual([]);
  });

  it.each([
    ["interim words are none", true],
    ["final words are", false],
  ])("%s", (_, isInterim) => {
    const speech = hear([14, 20]);
    speech.addWords(
      every(14, 20).map((word) => ({ ...word, is_final: !isInterim })),
      0,
    );
    expect(speech.findWordless(0, 60_000, true)).toHaveLength(isInterim ? 1 : 0);
  });

  it.each([
    ["a cough", [[20, 21]] as const],
    ["coughs that are far from each other", [[20, 21] as const, [26, 27] as const]],
    ["silence", []],
  ])("is not %s", (_, spoken) => {
    expect(hear(...spoken).findWordless(0, 60_000, true)).toEqual([]);
  });

  it("is one stretch, however the sound is acknowledged", () => {
    const speech = hear([14, 24]);
    speech.addWords(every(14, 16), 0);
    const found: { startMs: number; endMs: number }[] = [];
    for (let at = 2; at < 60; at += 2)
      found.push(...speech.findWordless((at - 2) * 1_000, at * 1_000, false));
    const whole = speech.findWordless(58_000, 60_000, true);
    expect(new Set(found.map(({ startMs }) => startMs)).size).toBe(1);
    expect(whole).toEqual([{ startMs: found[0]?.startMs, endMs: 24_000 }]);
    for (const { endMs } of found) expect(endMs).toBeLessThanOrEqual(24_000);
  });

  it("is prepared for at no more cost in the third hour, where nobody looks for it", () => {
    const speech = hear();
    let sorted = 0;
    const { sort } = Array.prototype;
    const spy = vi.spyOn(Array.prototype, "sort").mockImplementation(function count(
      this: unknown[],
      compare,
    ) {
      sorted += this.length;
      return sort.call(this, compare);
    });
    const add = (fromSecond: number) => {
      sorted = 0;
      for (let second = fromSecond; second < fromSecond + 600; second += 1)
        speech.addWords(words(second), 0);
      return sorted;
    };
    const first = add(0);
    for (let second = 600; second < 10_000; second += 1) speech.addWords(words(second), 0);
    const third = add(10_000);
    spy.mockRestore();
    expect(first).toBeGreaterThan(0);
    expect(third).toBeLessThan(2 * first);
  });

  it("is not looked for where an acknowledgement has proven the sound", () => {
    const speech = hear([14, 20], [40, 46]);
    expect(speech.findWordless(30_000, 60_000, true)).toEqual([{ startMs: 40_000, endMs: 46_000 }]);
  });
});
