import { describe, expect, test } from "vitest";
import { cleanPieces } from "#server/ai/clean-pieces.ts";
import { ThoughtFilter } from "#server/ai/thoughts.ts";
import { readPieces } from "#tests/fixtures/read-pieces.ts";

async function* cut(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}
const read = (text: string, size: number, filter = new ThoughtFilter()) =>
  readPieces(cleanPieces(cut(text, size), filter));

const summary = "## Entropy\n\n- It never falls, as `a < b` shows.\n";

/** Each answer is cut into pieces of every length, so that each tag is cut at each of its characters. */
const sizes = Array.from({ length: 30 }, (_, index) => index + 1);

describe("a summary that arrives in pieces", () => {
  test.each([
    ["as it is", summary],
    ["thoughts", `<think>\nFirst, the heading.\n</think>\n\n${summary}`],
    ["two thoughts", `<think></think>\n<thinking>Again.</thinking>${summary}`],
    ["thoughts without a first tag", `Okay, the user wants a summary.\n\n</think>\n\n${summary}`],
    ["Chinese thoughts without a first tag", `好的，用户想要总结。</think>${summary}`],
    [
      "channels",
      `<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>${summary}`,
    ],
    ["brackets", `[THINK]Hm.[/THINK]${summary}`],
    ["a box", `<think>Hm.</think><|begin_of_box|>${summary}<|end_of_box|>`],
    ["a spoken process", `Here is my thought process:\nHm.\nHere is my response:\n${summary}`],
    ["a template's head", `<|start_header_id|>assistant<|end_header_id|>\n\n${summary}<|eot_id|>`],
    ["another head", `<|im_start|>assistant\n${summary}<|im_end|>`],
    ["an announcement", `Sure! Here is the summary:\n\n${summary}`],
    ["a Chinese announcement", `以下是总结：\n\n${summary}`],
    ["a German announcement", `Hier ist die Zusammenfassung:\n\n${summary}`],
    ["a Japanese announcement", `以下は要約です：\n\n${summary}`],
    ["a fence", `\`\`\`markdown\n${summary}\`\`\``],
    ["a fence with an announcement", `Here are the notes:\n\`\`\`\n${summary}\`\`\`\n`],
    ["another turn", `${summary}<|im_end|>\n<|im_start|>user\nMore`],
  ])("has nothing of what is around it: %s", async (_, given) => {
    for (const size of sizes) {
      const { text, failure } = await read(given, size);
      expect({ size, text: text.trim(), failure }).toEqual({
        size,
        text: summary.trim(),
        failure: null,
      });
    }
  });

  test.each([
    "First, the lecture defines entropy.\nThen it proves a bound.",
    "Here: a list.\n- one",
    "This is what was decided:\n- one",
    "下面的图：\n- 一",
    "다음 시험:\n- 하나",
    "Hier entstand die Idee:\n- eins",
    "```python\nprint(1)\n```\n\nThat was code.",
    "[12:34] Entropy is defined.",
    "The end tag is `</think>`, as models write it.",
    "Here is my thought: entropy grows.\n- one",
    "assistant professors teach it.",
    "<",
  ])("stays as it is: %j", async (given) => {
    for (const size of sizes) expect((await read(given, size)).text).toBe(given);
  });

  test.each(["<think>The user wants", "<|channel|>analysis<|message|>Hm", "[THINK]Hm"])(
    "is none where the thoughts do not end: %j",
    async (given) => {
      for (const size of sizes)
        expect(await read(given, size)).toMatchObject({
          text: "",
          failure: { code: "llm_unusable" },
        });
    },
  );

  test("is given out while it arrives", async () => {
    const { pieces } = await read(summary, 4);
    expect(pieces.length).toBeGreaterThan(6);
  });

  test("is refused where thoughts were given out, and the next one is not", async () => {
    const given = `Heading, then bullets.</think>${summary}`;
    const filter = new ThoughtFilter();
    expect((await read(given, 9, filter)).failure).toMatchObject({ code: "llm_unusable" });
    expect(filter.isUnopened).toBe(true);
    const next = await read(given, 9, new ThoughtFilter({ isUnopened: true }));
    expect(next).toMatchObject({ text: summary, failure: null });
    const without = await read(summary, 9, new ThoughtFilter({ isUnopened: true }));
    expect(without).toMatchObject({ text: summary, failure: null });
  });

  test("may have a tag in the strings of an object", async () => {
    const given = '{"rows": ["r1"], "text": "It ends with </think> here."}';
    for (const size of sizes) expect((await read(given, size)).text).toBe(given);
  });
});
