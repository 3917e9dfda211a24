import * as fc from "fast-check";
import { expect, it } from "vitest";
import { chooseQuestions } from "#client/features/ask/choose-questions.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const frequent = ["entropy grows", "reservoir", "reservoir is", "second law", "entropy"];

const rowsOf = (...sentences: string[]) =>
  sentences.map((original, index) => ({
    ...{ original, spokenIn: "en" as const },
    ...{ startMs: index * 5_000, endMs: index * 5_000 + 4_000 },
  }));
const lecture = rowsOf(
  "The entropy grows when heat flows into the reservoir.",
  "What a reservoir is follows from the second law.",
  "The reservoir keeps its temperature, and entropy grows there.",
  "An adiabatic wall lets no heat pass.",
);

it("asks for terms that occur, a marked sentence and frequent words, at most four in all", () => {
  const terms = ["enthalpy", "adiabatic wall", "second law", "heat"].map((term) => ({ term }));
  const marks = [
    { atMs: 90_000, position: null },
    { atMs: 11_000, position: null },
  ];
  expect(chooseQuestions(lecture, terms, marks, frequent)).toEqual([
    { kind: "term", term: "adiabatic wall" },
    { kind: "term", term: "second law" },
    { kind: "mark", ms: 10_000, sentence: lecture[2]?.original },
    { kind: "words", words: "reservoir" },
  ]);
});

it("asks for frequent words alone where nothing is marked and no glossary has terms", () => {
  expect(chooseQuestions(lecture, [], [], frequent)).toEqual([
    { kind: "words", words: "reservoir" },
    { kind: "words", words: "entropy grows" },
    { kind: "words", words: "second law" },
  ]);
});

it("finds a marked sentence of a lecture without times by its position, and asks for no long one", () => {
  const rows = rowsOf("A short one.", `A long one${" that goes on".repeat(20)}.`).map((row) => ({
    ...row,
    ...{ startMs: 0, endMs: 0 },
  }));
  const ask = (position: number) =>
    chooseQuestions(rows, [], [{ atMs: 0, position }], frequent).map(({ kind }) => kind);
  expect(ask(0)).toContain("mark");
  expect(ask(1)).not.toContain("mark");
});

it("has no questions for a lecture without rows, and never more than four different ones", () => {
  expect(chooseQuestions([], [{ term: "a" }], [], frequent)).toEqual([]);
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("entropy", "heat", "wall", "Carnot", "law")),
      fc.array(fc.nat(60_000)),
      (words, marks) => {
        const rows = rowsOf(...words.map((word) => `The ${word} and the ${word} again.`));
        const terms = words.slice(0, 3).map((term) => ({ term }));
        const chosen = chooseQuestions(
          rows,
          [...new Map(terms.map((one) => [one.term, one])).values()],
          marks.map((atMs) => ({ atMs, position: null })),
          [...new Set(words)],
        );
        expect(chosen.length).toBeLessThanOrEqual(4);
        expect(new Set(chosen.map((one) => JSON.stringify(one))).size).toBe(chosen.length);
      },
    ),
    { numRuns: countRuns(100) },
  );
});
