import { describe, expect, test } from "vitest";
import { isCircular, isEcho, unwrapAnswer } from "#server/ai/clean-answer.ts";

describe("unwrapAnswer", () => {
  test.each([
    ["<think>\nHm.\n</think>\n\nLicht bricht.", "Licht bricht."],
    ["<thinking>a</thinking>Licht bricht.", "Licht bricht."],
    ["```\nLicht bricht.\n```", "Licht bricht."],
    ["```text\nLicht bricht.\n```", "Licht bricht."],
    ["<translation>Licht bricht.</translation>", "Licht bricht."],
    ["<text>Licht bricht.</text>", "Licht bricht."],
    ["Sure! Here is the translation:\n\nLicht bricht.", "Licht bricht."],
    ["Here's the translated text in German: Licht bricht.", "Licht bricht."],
    ["Translation: Licht bricht.", "Licht bricht."],
    ["以下是翻译：\n光会弯折。", "光会弯折。"],
    ["Licht bricht.<|im_end|>\n<|im_start|>user\nMore", "Licht bricht."],
    ["Licht bricht.</s>", "Licht bricht."],
  ])("%j", (answer, expected) => expect(unwrapAnswer(answer)).toBe(expected));

  test.each([
    "Licht bricht: so ist es.",
    "Here: das Wort heißt so.",
    "Wenn a < b und b > c, dann a < c.",
    "Ein Satz mit `Code` darin.",
    "翻译是一门艺术。",
  ])("leaves %j as it is", (answer) => expect(unwrapAnswer(answer)).toBe(answer));

  test("leaves an announcement that the speaker has made", () => {
    const said = "Translation: a process in the ribosome.";
    expect(unwrapAnswer("Translation: ein Vorgang im Ribosom.", said)).toContain("Translation:");
  });

  test("has nothing of an answer that is only thoughts", () =>
    expect(unwrapAnswer("<think>I have to think of")).toBe(""));
});

describe("isCircular", () => {
  test.each([
    ["Die Zelle. ".repeat(5), "The cell."],
    ["光会弯折。".repeat(6), "Light bends."],
    ["ja ja ja ja ja ja", "Yes."],
  ])("%j", (answer, text) => expect(isCircular(answer, text)).toBe(true));

  test.each([
    ["nein nein nein nein", "No no no no."],
    ["Sehr, sehr gut.", "Very very good."],
    ["", "x"],
  ])("not %j for %j", (answer, text) => expect(isCircular(answer, text)).toBe(false));
});

describe("isEcho", () => {
  test("is the text with other marks and capitals", () => {
    expect(isEcho("the cell takes up glucose", "The cell takes up glucose.")).toBe(true);
    expect(isEcho("“光会在玻璃中弯折”", "光会在玻璃中弯折。")).toBe(true);
  });

  test.each([
    ["OpenAI GPT-4", "OpenAI GPT-4"],
    ["3.14159", "3.14159"],
    ["Die Zelle nimmt Glukose auf", "The cell takes up glucose"],
  ])("%j for %j is none", (answer, text) => expect(isEcho(answer, text)).toBe(false));
});
