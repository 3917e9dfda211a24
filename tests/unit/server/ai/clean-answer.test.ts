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

describe("what is around a translation", () => {
  const right = "熵不会减少。";

  test.each([
    "<think>\nA short sentence, formal.\n</think>\n\n熵不会减少。",
    "<think></think><think>again</think>熵不会减少。",
    "Okay, the user wants Chinese.</think>熵不会减少。",
    "嗯，用户要中文。\n</think>\n\n熵不会减少。",
    "[THINK]Formal.[/THINK]熵不会减少。",
    "◁think▷Formal.◁/think▷熵不会减少。",
    "<seed:think>Formal.</seed:think>熵不会减少。",
    "<|START_THINKING|>Formal.<|END_THINKING|><|START_RESPONSE|>熵不会减少。<|END_RESPONSE|>",
    "<|channel|>analysis<|message|>Translate.<|end|><|start|>assistant<|channel|>final<|message|>熵不会减少。",
    "<|channel|>analysis<|message|>A.<|end|><|start|>assistant<|channel|>commentary<|message|>B.<|end|><|start|>assistant<|channel|>final<|message|>熵不会减少。<|return|>",
    "<|channel|>final<|message|>熵不会减少。",
    "<|channel>thought\nTranslate.<channel|>熵不会减少。",
    "analysisWe translate.assistantfinal熵不会减少。",
    "<scratchpad>Formal.</scratchpad>熵不会减少。",
    "<think>Formal.</think><|begin_of_box|>熵不会减少。<|end_of_box|>",
    "<think>Formal.</think>\n\n<response>\n熵不会减少。\n</response>",
    "Here is my thought process:\nThe user wants Chinese.\n\nHere is my response:\n熵不会减少。",
    "<|im_start|>assistant\n熵不会减少。<|im_end|>",
    "<|start_header_id|>assistant<|end_header_id|>\n\n熵不会减少。<|eot_id|>",
    "assistant\n\n熵不会减少。",
  ])("is no thought: %j", (given) => expect(unwrapAnswer(given, "Entropy falls.")).toBe(right));

  test.each([
    'Here is the translation:\n\n"熵不会减少。"',
    "Okay, here is the Chinese translation: 熵不会减少。",
    "Certainly! Here you go:\n\n熵不会减少。",
    "The translation is: 熵不会减少。",
    "**Translation:** 熵不会减少。",
    "Chinese: 熵不会减少。",
    "翻译：熵不会减少。",
    "好的，以下是翻译：\n熵不会减少。",
    "中文翻译如下：熵不会减少。",
    "中文：熵不会减少。",
    "Voici la traduction :\n« 熵不会减少。 »",
    "Hier ist die Übersetzung: „熵不会减少。“",
    "Aquí está la traducción: 熵不会减少。",
    "Вот перевод: «熵不会减少。»",
    "翻訳：「熵不会减少。」",
    "번역: 熵不会减少。",
    "번역은 다음과 같습니다:\n熵不会减少。",
    "Translated text: 熵不会减少。",
    "### Translation:\n熵不会减少。",
    "Simplified Chinese: 熵不会减少。",
    "简体中文：熵不会减少。",
    "Terjemahan: 熵不会减少。",
    "İşte çeviri: 熵不会减少。",
    "إليك الترجمة:\n熵不会减少。",
    "```\n熵不会减少。\n```",
    "```text\nTranslation: “熵不会减少。”\n```",
    "`熵不会减少。`",
    "**熵不会减少。**",
    "熵不会减少。\n\n(Note: I kept the tone formal.)",
    "熵不会减少。\n\n注：语气正式。",
    "熵不会减少。\n\nLet me know if you need anything else!",
    "熵不会减少。\n\n如果还有其他需要，请告诉我。",
  ])("is no announcement, mark or remark: %j", (given) =>
    expect(unwrapAnswer(given, "Entropy does not fall.")).toBe(right),
  );

  test.each([
    ['She said: "Here is the translation."', "她说：“译文在这里。”"],
    ['"Entropy does not fall."', "“熵不会减少。”"],
    ["'Tis so.", "“就是这样。”"],
    ["这是公式：E = mc²。", "Here is the formula: E = mc²."],
    [
      "核糖体的翻译有三步：起始、延长、终止。",
      "Translation has three steps: initiation, elongation, termination.",
    ],
    ["The answer is 42.", "答案：42。"],
    ["In summary, entropy grows.", "总结：熵会增加。"],
    ["Translation begins at the start codon.", "翻译：从起始密码子开始。"],
    ["这个词有两个意思。", "“Bank” is one word, the other is “shore”"],
    ["注意：明天停课。", "Note: no class tomorrow."],
    ["用 `</think>` 结束。", "It ends with `</think>`."],
    ["首先，我们看熵。", "First, we look at entropy."],
  ])("stays where %j has it", (text, given) => expect(unwrapAnswer(given, text)).toBe(given));

  test.each([
    "<think>The user wants",
    "<|channel|>analysis<|message|>Translate the",
    "[THINK]Formal",
    "<think>",
    "analysisWe translate",
    "<scratchpad>The user",
    "Here is my thought process:\nThe user wants",
  ])("is all there is of %j, which has no end", (given) => expect(unwrapAnswer(given)).toBe(""));
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
