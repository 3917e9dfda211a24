import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { estimateTokens, splitText } from "#server/ai/tokens.ts";

const lecture = (sentences: number) =>
  Array.from(
    { length: sentences },
    (_, n) => `This is sentence ${n}, and it is one of many. `,
  ).join("");

const measured: [string, number][] = [
  ["Für große Größen müssen wir später Übungen überprüfen.", 15],
  ["Сегодня мы поговорим о втором законе термодинамики.", 25],
  ["今日は熱力学の三回目の講義です。", 20],
  ["今天我们讲热力学第二定律。", 16],
  ["오늘은 열역학 제이 법칙을 이야기하겠습니다.", 25],
  ["سنتحدث اليوم عن القانون الثاني للديناميكا الحرارية.", 35],
  ["היום נדבר על החוק השני של התרמודינמיקה.", 35],
  ["आज हम ऊष्मागतिकी के दूसरे नियम की बात करेंगे।", 47],
  ["ఈ రోజు ఉపన్యాసంలో మనం ఉష్ణం గురించి మాట్లాడుకుందాం.", 89],
  ["ในการบรรยายวันนี้เราจะพูดถึงความร้อน", 33],
  ["Hôm nay chúng ta sẽ nói về định luật thứ hai.", 25],
];

describe("estimateTokens", () => {
  test("overestimates: 3 characters of English a token, and by script what cl100k_base needs", () => {
    expect(estimateTokens("")).toBe(0);
    // Ten tokens with the usual tokenizers.
    expect(estimateTokens("The quick brown fox jumps over the lazy dog.")).toBe(15);
    expect(estimateTokens("光线在玻璃中弯折")).toBe(11);
    expect(estimateTokens("abc光")).toBe(3);
    // A sentence with the tokens that gpt-tokenizer 4.0 counts in it.
    for (const [text, tokens] of measured) {
      expect(estimateTokens(text)).toBeGreaterThanOrEqual(tokens);
      expect(estimateTokens(text)).toBeLessThanOrEqual(3 * tokens);
    }
  });
});

describe("splitText", () => {
  test("splits between sentences of every script", () => {
    for (const sentence of ["هذا سؤال؟ ", "यह एक वाक्य है। ", "これは文です。", "Это предложение. "])
      for (const part of splitText(sentence.repeat(200), 100))
        expect(part.replaceAll(sentence, "")).toBe("");
  });

  test("does not split a text that fits, and returns no part for an empty one", () => {
    expect(splitText("One. Two.", 100)).toEqual(["One. Two."]);
    expect(splitText("", 100)).toEqual([]);
  });

  test("splits after sentences into parts of about the same size", () => {
    const parts = splitText(lecture(400), 2_000);
    expect(parts.length).toBe(Math.ceil(estimateTokens(lecture(400)) / 1_900));
    for (const part of parts) {
      expect(part).toMatch(/^This is sentence \d+, .*many\. $/s);
      expect(estimateTokens(part)).toBeGreaterThan(1_200);
    }
  });

  test("splits Chinese without spaces, and does not split a number", () => {
    const chinese = splitText("光线会弯折。".repeat(50), 130);
    for (const part of chinese) expect(part.endsWith("。")).toBe(true);
    const numbers = splitText("It is 3.5 or 4.7 of example.org now. ".repeat(40), 60);
    for (const part of numbers)
      expect(part).toMatch(/^(It is 3\.5 or 4\.7 of example\.org now\. )+$/);
  });

  test("splits between words without punctuation, and within an endless word between characters", () => {
    for (const part of splitText("word ".repeat(500), 60)) expect(part).toMatch(/^(word )+$/);
    for (const part of splitText("𝄞".repeat(500), 60)) expect(part).toMatch(/^𝄞+$/u);
  });

  test("loses nothing and makes no part too long for any text", () => {
    const piece = fc.constantFrom(
      "a ",
      "word",
      ". ",
      "? ",
      "。",
      "！",
      "\n",
      "光",
      "𝄞",
      "...",
      '." ',
      "  ",
    );
    const said = fc.array(piece, { maxLength: 400 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(said, fc.integer({ min: 8, max: 200 }), (text, maxTokens) => {
        const parts = splitText(text, maxTokens);
        expect(parts.join("")).toBe(text);
        for (const part of parts) {
          expect(part).not.toBe("");
          expect(estimateTokens(part)).toBeLessThanOrEqual(maxTokens);
          expect(part.isWellFormed()).toBe(true);
        }
      }),
    );
  });

  test.each([
    ["dots", ".".repeat(600_000)],
    ["spaces", ` ${" ".repeat(600_000)}x`],
    ["line ends", "\n".repeat(600_000)],
    ["Chinese full stops", "。".repeat(600_000)],
    ["one word", "x".repeat(600_000)],
    ["quotation marks", '."'.repeat(300_000)],
  ])("handles 600,000 characters of %s in linear time", (_, text) => {
    const start = performance.now();
    expect(splitText(text, 1_000).join("")).toBe(text);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
