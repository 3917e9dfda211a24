import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listNormalWords } from "#bench/device-speech/normal-words.ts";
import { alignWords, countWordErrors, listWordErrors } from "#bench/device-speech/word-errors.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

describe("the words of a text as they are compared", () => {
  it.each([
    ["Ask not, what your country CAN do!", "ask not what your country can do"],
    ["ill-disposed – rather cold", "ill disposed rather cold"],
    ["Mr. John, Mrs. Dashwood and Dr. Who", "mister john missus dashwood and doctor who"],
    ["It can't; they’re sure he won't.", "it can not they are sure he will not"],
    [
      "In 1961, 1,000 of 21 gave $4.50",
      "in nineteen sixty one one thousand of twenty one gave four dollars fifty",
    ],
    ["  'quoted'  ", "quoted"],
    ["…", ""],
  ])("%s", (text, words) => {
    expect(listNormalWords(text).join(" ")).toBe(words);
  });
});

const word = fc.constantFrom("a", "b", "c", "d");

describe("word errors", () => {
  it("counts words that were left out, added and replaced", () => {
    const count = (spoken: string, recognised: string) => {
      const { errors, missing, total } = countWordErrors(spoken, recognised);
      return [errors, missing, total];
    };
    expect(count("One two three four.", "one too three")).toEqual([2, 1, 4]);
    expect(count("one two", "one, and TWO")).toEqual([1, 0, 2]);
    expect(count("one two", "")).toEqual([2, 2, 2]);
  });

  it("names the places with the word before each", () => {
    expect(listWordErrors("lying off the coast. Unless a", "lying of the ghost unless")).toEqual([
      "lying [off → of]",
      "the [coast → ghost]",
      "unless [a → ]",
    ]);
  });

  it("aligns every word of both texts once and in order, and needs no more errors than edits were made", () => {
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 12 }),
        fc.array(fc.record({ at: fc.nat(12), word: fc.option(word) }), { maxLength: 4 }),
        (expected, edits) => {
          const found = [...expected];
          // Each leaves a word out, or adds one.
          for (const { at, word } of edits)
            if (word === null) found.splice(at, 1);
            else found.splice(at, 0, word);
          const aligned = alignWords(expected, found);
          const indices = (key: "expected" | "found") =>
            aligned.flatMap((one) => (one[key] === null ? [] : [one[key]]));
          expect(indices("expected")).toEqual(expected.map((_, index) => index));
          expect(indices("found")).toEqual(found.map((_, index) => index));
          for (const one of aligned)
            if (one.isEqual) expect(found[one.found ?? -1]).toBe(expected[one.expected ?? -1]);
          expect(aligned.filter(({ isEqual }) => !isEqual).length).toBeLessThanOrEqual(
            edits.length,
          );
        },
      ),
      { numRuns: countRuns(500) },
    );
  });
});
