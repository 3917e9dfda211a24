import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitSentences } from "#client/translation/device/sentences.ts";
import { isRepetitive } from "#shared/repetitions.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

describe("sentences for a model", () => {
  it("are those of the text", () => {
    expect(splitSentences(" Good morning. Is 3.5 enough?  Yes! ", "en")).toEqual([
      "Good morning.",
      "Is 3.5 enough?",
      "Yes!",
    ]);
    expect(splitSentences("  ", "en")).toEqual([]);
    expect(splitSentences("熱は動く。なぜか？", "ja")).toEqual(["熱は動く。", "なぜか？"]);
    const long = `${"熱が動き".repeat(60)}、${"止まる".repeat(100)}`;
    expect(splitSentences(long, "ja").map(({ length }) => length)).toEqual([241, 300]);
  });

  it("are cut after a comma or between words where they are too long", () => {
    const long = `${"word ".repeat(60)}end, ${"more ".repeat(60)}end.`;
    const [first, ...others] = splitSentences(long, "en");
    expect(first?.endsWith("end,")).toBe(true);
    expect(others).toHaveLength(1);
  });

  it("have every character that is no space, and fit into a model", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 700 }), { maxLength: 6 }), (words) => {
        const text = words.join(" ");
        const sentences = splitSentences(text, "en");
        expect(sentences.join("").replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
        for (const { length } of sentences) expect(length).toBeLessThanOrEqual(480);
      }),
      { numRuns: countRuns(200) },
    );
  });
});

describe("a repetition", () => {
  it("is a group of tokens that follows itself", () => {
    expect(isRepetitive([5, 7, 7, 7, 7], [1, 2, 3])).toBe(true);
    expect(isRepetitive([9, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3], [1, 2, 3])).toBe(true);
    expect(isRepetitive([7, 7, 7, 0], [1])).toBe(false);
    expect(isRepetitive([1, 2, 1, 3, 1, 4, 1, 5], [1])).toBe(false);
    expect(isRepetitive([], [])).toBe(false);
  });

  it("is none where the text repeats itself as often", () => {
    expect(isRepetitive([8, 8, 8, 8, 8], [4, 4, 4, 4, 4])).toBe(false);
  });
});
