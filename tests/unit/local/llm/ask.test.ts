import { describe, expect, test } from "vitest";
import { createDemoAnswer } from "#local/llm/demo.ts";
import type { SourceRow } from "#server/ask/lecture-rows.ts";
import { createPartPrompt, createQuestionPrompt, giveRows } from "#server/ask/prompts.ts";

const rows = [
  "Good morning, everybody.",
  "Refraction “bends” light where glass begins.",
  "光在玻璃中的速度约为每秒二十万公里。",
  "Why does it not bend at a right angle?",
  "We will see that next week.",
].map(
  (original, position): SourceRow => ({
    lectureId: "a",
    title: "Optics",
    position,
    original,
    spokenIn: "en",
    startMs: position * 1_000,
    endMs: position * 1_000 + 900,
    translated: "",
    translatedInto: null,
  }),
);

const ask = (question: string, earlier: string[] = []) =>
  read(
    createDemoAnswer(
      createQuestionPrompt({
        given: giveRows(rows),
        answerIn: "en",
        question,
        searched: [],
        maySearch: true,
        earlier: earlier.map((one) => ({ question: one, statements: [] })),
      }),
    ),
  );
const read = (answer: string): { rows?: string[]; quote?: string; text?: string }[] =>
  answer.split("\n").map((line) => JSON.parse(line));

describe("the stand-in", () => {
  test.each([
    ["What bends light by refraction?", "r2"],
    ["光在玻璃中的速度是多少？", "r3"],
  ])("answers %j by the words that it shares with a row, and says what it is", (question, id) => {
    const [statement, ...others] = ask(question);
    expect(others).toEqual([]);
    expect(statement?.rows).toEqual([id]);
    expect(statement?.text).toMatch(/^〔English·demo〕 /u);
    expect(rows.map(({ original }) => original)).toContain(statement?.quote);
  });

  test.each(["Who discovered refraction in water?", "什么是量子纠缠？", "Why?", "…"])(
    "refuses %j",
    (question) => expect(ask(question)).toEqual([{ notSaid: true }]),
  );

  test("takes a follow-up that says next to nothing with the question before it", () => {
    expect(ask("And why?", ["What bends light?", "Where does glass begin?"])[0]?.rows).toEqual([
      "r2",
    ]);
  });

  test("has key points from the whole lecture, and the questions that were asked", () => {
    const part = { given: giveRows(rows), answerIn: "en", part: 1, isPart: false } as const;
    const points = read(createDemoAnswer(createPartPrompt({ ...part, kind: "key_points" })));
    expect(points.map((point) => point.rows)).toEqual([["r1"], ["r2"], ["r3"], ["r4"], ["r5"]]);
    const open = read(createDemoAnswer(createPartPrompt({ ...part, kind: "open_questions" })));
    expect(open.map((one) => one.rows)).toEqual([["r4"]]);
  });
});
