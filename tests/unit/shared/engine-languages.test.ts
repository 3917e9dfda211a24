import { describe, expect, test } from "vitest";
import {
  canRecognize,
  listRecognized,
  type Recognizer,
  recognizers,
  toBrowserTag,
} from "#shared/engine-languages.ts";
import { spokenLanguages } from "#shared/languages.ts";

describe("the languages of each engine", () => {
  test.each(recognizers)("%s: known ones, each once, English among them", (recognizer) => {
    const { languages, identified } = listRecognized(recognizer);
    expect(languages).toContain("en");
    for (const list of [languages, identified]) {
      expect(new Set(list).size).toBe(list.length);
      expect(spokenLanguages).toEqual(expect.arrayContaining([...list]));
    }
  });

  test.each<[Recognizer, number, number]>([
    ["soniox", 60, 60],
    ["nova-3", 53, 51],
    ["nova-2", 33, 2],
    ["whisper", 60, 0],
    ["english", 1, 0],
    ["browser", 52, 0],
  ])("%s has %i, and tells %i apart", (recognizer, count, identified) => {
    const recognized = listRecognized(recognizer);
    expect(recognized.languages).toHaveLength(count);
    expect(recognized.identified).toHaveLength(identified);
  });
});

test("a language is recognised alone, detected, or told from a second one", () => {
  expect(canRecognize("soniox", "detect")).toBe(true);
  expect(canRecognize("soniox", "cy", "ja")).toBe(true);
  expect(canRecognize("nova-3", "ur")).toBe(true);
  expect(canRecognize("nova-3", "ur", "en")).toBe(false);
  expect(canRecognize("nova-3", "en", "ur")).toBe(false);
  expect(canRecognize("nova-3", "cy")).toBe(false);
  expect(canRecognize("whisper", "ja")).toBe(true);
  expect(canRecognize("whisper", "detect")).toBe(false);
  expect(canRecognize("english", "de")).toBe(false);
});

test("a second language that is the first one again is one language", () => {
  expect(canRecognize("whisper", "ja", "ja")).toBe(true);
});

test("the browser gets tags with regions", () => {
  const tags = listRecognized("browser").languages.map(toBrowserTag);
  expect(tags).toEqual(
    expect.arrayContaining(["en-US", "ja-JP", "zh-CN", "pt-BR", "ar-EG", "nb-NO", "fil-PH"]),
  );
  for (const tag of tags) expect(tag).toMatch(/^[a-z]{2,3}-[A-Z]{2}$/);
});
