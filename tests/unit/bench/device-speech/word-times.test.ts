import { describe, expect, it } from "vitest";
import wordTimes from "#bench/device-speech/word-times.json" with { type: "json" };
import { findWordTimes } from "#bench/device-speech/word-times.ts";

describe("known times of words", () => {
  it.each(wordTimes)("ascend within clip $clip", ({ clip, seconds, words }) => {
    const text = words.replace(/ [\d.]+-[\d.]+(, |$)/g, " ");
    const found = findWordTimes({ clip, text, start: 0, end: seconds }) ?? [];
    expect(found.length).toBe(words.split(", ").length);
    const times = found.flatMap(({ start, end }) => [start, end]);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-1)).toBeLessThanOrEqual(seconds);
  });

  it("are those of the same sound and the same words alone", () => {
    const text = "He was not an ill disposed young man,";
    const same = { clip: "sense0880", text, start: 100, end: 102.99 };
    expect(
      findWordTimes(same)
        ?.map((word) => word.text)
        .join(" "),
    ).toBe("he was not an ill disposed young man");
    expect(findWordTimes(same)?.[0]?.start).toBeCloseTo(100.21);
    expect(findWordTimes({ ...same, end: 103 })).toBeUndefined();
    expect(findWordTimes({ ...same, text: "He was an ill disposed young man," })).toBeUndefined();
    expect(findWordTimes({ ...same, clip: "other" })).toBeUndefined();
  });
});
