import { expect, it } from "vitest";
import { readResults } from "#client/recognition/browser/read-results.ts";

const final = (text: string, confidence = 0.9) => ({ text, isFinal: true, confidence });
const interim = (text: string) => ({ text, isFinal: false, confidence: 0.5 });

const growing = [final("one", 0), final("one two", 0), final("one two three", 0.9)];
const sentences = [final("so today"), final("we talk")];

it.each([
  ["each final result", sentences, 0, ["so today", "we talk"], "", 2],
  ["no result twice", sentences, 2, [], "", 2],
  [
    "what may still change as one text",
    [final("so today"), interim(" about "), interim("entropy")],
    1,
    [],
    "about entropy",
    1,
  ],
  ["no final result that may grow", growing.slice(0, 1), 0, [], "one", 0],
  ["no final result that has grown", growing.slice(0, 2), 0, [], "one two", 1],
  ["the last of growing final results", growing, 1, ["one two three"], "", 3],
  [
    "the revised words of growing final results",
    [final("recognise speed", 0), final("recognise speech now", 0.8)],
    0,
    ["recognise speech now"],
    "",
    2,
  ],
  [
    "a repeated sentence of the speaker",
    [final("yes"), final("yes we can")],
    0,
    ["yes", "yes we can"],
    "",
    2,
  ],
  [
    "a final result of confidence 0 when another sentence follows",
    [final("one two", 0), final("and another thing", 0)],
    0,
    ["one two"],
    "and another thing",
    1,
  ],
  ["no empty result", [final(" "), interim("")], 0, [], "", 1],
])("delivers %s", (_, results, deliveredBefore, finals, rest, deliveredCount) => {
  const read = readResults(results, deliveredBefore, "en");
  expect(read).toEqual({ finals, interim: rest, deliveredCount });
});

it("reads growing results of a script without spaces, and joins without one", () => {
  const results = [final("熱は", 0), final("熱は高い所", 0), final("次に仕事", 0.9)];
  expect(readResults(results, 0, "ja").finals).toEqual(["熱は高い所", "次に仕事"]);
  const rest = [interim("熱は"), interim(" 流れます")];
  expect(readResults(rest, 0, "ja").interim).toBe("熱は流れます");
});
