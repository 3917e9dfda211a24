import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { askLectures } from "#bench/ask/lectures.ts";
import { checkQuestion } from "#server/quiz/check-question.ts";
import { giveRows } from "#server/quiz/prompts.ts";
import { clozeGap, type QuizRow } from "#shared/quiz.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const toRow = (text: string, position: number): QuizRow => ({
  id: crypto.randomUUID(),
  position,
  startMs: position * 6_000,
  text,
});
const given = giveRows(
  [
    "In vacuum, light covers 299,792 kilometres per second.",
    "In glass it's slower: about two thirds of that speed.",
    "The Rhone glacier has lost nine metres since 2015.",
    "罗讷冰川自２０１５年以来每年大约变薄九米。",
  ].map(toRow),
);
const choice = {
  kind: "choice",
  rows: ["r1"],
  prompt: "How fast is light in vacuum?",
  answer: "299\u202f792 kilometres",
  others: ["150,000 kilometres", "1,000 kilometres", "3 kilometres"],
};
const check = (value: unknown) => checkQuestion(value, given);

describe("a question is taken", () => {
  test.each([
    ["with numbers in another format", { ...choice, answer: "299792 KILOMETRES" }],
    [
      "with an answer in one of two sentences",
      { ...choice, rows: ["r2", "r1"], answer: "299,792" },
    ],
    [
      "in a script without spaces",
      { ...choice, kind: "short", rows: ["r4"], prompt: "每年变薄多少？", answer: "九米" },
    ],
  ])("%s", (_, value) => {
    expect(check(value)).toMatchObject({ answer: value.answer });
  });

  test("as a gap in its sentence, wherever that has the answer", () => {
    const rows = giveRows([toRow("Light bends, and LIGHT is slow: daylight.", 0)]);
    expect(checkQuestion({ kind: "cloze", rows: ["r1"], answer: "light" }, rows)).toMatchObject({
      prompt: `${clozeGap} bends, and ${clozeGap} is slow: daylight.`,
      choices: [],
    });
    expect(check({ kind: "cloze", rows: ["r4"], answer: "2015" })?.prompt).toBe(
      `罗讷冰川自${clozeGap}年以来每年大约变薄九米。`,
    );
  });
});

/** What a model that cheats answers, by what is wrong with it. */
const cheats: Record<string, unknown> = {
  "cites a row that was not given": { ...choice, rows: ["r1", "r9"] },
  "cites no row": { ...choice, rows: [] },
  "is not said in its rows": { ...choice, answer: "150,000 kilometres", others: ["a", "b", "c"] },
  "is part of a word only": { kind: "cloze", rows: ["r2"], answer: "low" },
  "is part of a number only": { kind: "cloze", rows: ["r1"], answer: "299" },
  "has the answer in the prompt": { ...choice, prompt: "Does light cover 299'792 Kilometres?" },
  "has a choice twice": { ...choice, others: ["1,000 km", "1000 KM", "3 km"] },
  "has the answer twice": { ...choice, others: ["299,792 kilometres!", "1 km", "3 km"] },
  "has a choice with the answer in it": {
    ...choice,
    answer: "299,792",
    others: ["about 299,792", "1", "3"],
  },
  "has a choice that is part of the answer": { ...choice, others: ["kilometres", "1 km", "3 km"] },
  "has two choices": { ...choice, others: ["3 km"] },
  "has ten choices": { ...choice, others: Array.from({ length: 9 }, (_, n) => `${n + 5} km`) },
  "says all of the above": { ...choice, others: ["1 km", "3 km", "All of the above"] },
  "says all of the above in Chinese": { ...choice, others: ["一千", "三千", "以上都是"] },
  "has HTML": { ...choice, prompt: "How fast <img src=x onerror=alert(1)> is it?" },
  "has an address": { ...choice, prompt: "How fast? See https://example.org/login" },
  "is the whole sentence": {
    kind: "cloze",
    rows: ["r3"],
    answer: "The Rhone glacier has lost nine metres since 2015",
  },
  "has no words": { kind: "cloze", rows: ["r2"], answer: ":" },
  "is too long": { ...choice, prompt: "How fast? ".repeat(200) },
  "is of no kind": { ...choice, kind: "essay" },
  "is no question": { notSaid: true },
};

test.each(Object.keys(cheats))("a question is left out that %s", (name) => {
  expect(check(choice)).not.toBeNull();
  expect(check(cheats[name])).toBeNull();
});

/** Words of a text, as they stand in it. */
const listWords = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** The words in order, without what the comparison of answers does not read either. */
const flatten = (text: string) =>
  (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]/gu) ?? []
  ).join("");

test("rests on sentences that exist and have the answer, whatever a model writes on the lectures", () => {
  const text = fc.constantFrom(...askLectures).chain((lecture) => {
    const rows = lecture.rows.map((row, at) => toRow(row.original, at));
    const ids = rows.map((_, at) => `r${at + 1}`);
    const anyText = fc.oneof(
      fc.constantFrom(...rows.map((row) => row.text)),
      fc.constantFrom(...rows.flatMap((row) => listWords(row.text))),
      fc.string({ maxLength: 30 }),
    );
    return fc.record({
      rows: fc.constant(rows),
      value: fc.record({
        kind: fc.constantFrom("choice", "cloze", "short"),
        rows: fc.array(fc.oneof(fc.constantFrom(...ids), fc.constant("r999")), { maxLength: 3 }),
        prompt: anyText,
        answer: anyText,
        others: fc.array(anyText, { maxLength: 5 }),
      }),
      isHonest: fc.boolean(),
      at: fc.nat(rows.length - 1),
      word: fc.nat(),
    });
  });
  let taken = 0;
  fc.assert(
    fc.property(text, ({ rows, value, isHonest, at, word }) => {
      const words = listWords(rows[at]?.text ?? "");
      const said = words[word % words.length] ?? "";
      const asked = isHonest ? { ...value, rows: [`r${at + 1}`], answer: said } : value;
      const question = checkQuestion(asked, giveRows(rows));
      if (!question) return;
      taken += 1;
      const own = question.rows.map((row) => rows.find(({ id }) => id === row.id)?.text);
      expect(own).not.toContain(undefined);
      expect(own.some((one) => flatten(one ?? "").includes(flatten(question.answer)))).toBe(true);
      const { kind, prompt, choices, answer } = question;
      if (kind === "cloze") {
        const pieces = prompt.split(clozeGap).map(flatten);
        expect(pieces.length).toBeGreaterThan(1);
        expect(flatten(own[0] ?? "")).toBe(pieces.join(flatten(answer)));
      }
      if (kind === "choice") {
        expect(new Set(choices.map(flatten)).size).toBe(choices.length);
        expect(choices.filter((one) => one === answer)).toHaveLength(1);
      } else expect(choices).toEqual([]);
    }),
    { numRuns: countRuns(2_000) },
  );
  expect(taken).toBeGreaterThan(20);
});

test("reads a long sentence with many occurrences in linear time", () => {
  const rows = giveRows([toRow("a ".repeat(500), 0)]);
  const start = performance.now();
  for (let n = 0; n < 200; n += 1)
    checkQuestion(
      { kind: "short", rows: ["r1"], prompt: "b ".repeat(280), answer: "a ".repeat(90) },
      rows,
    );
  expect(performance.now() - start).toBeLessThan(2_000);
});
