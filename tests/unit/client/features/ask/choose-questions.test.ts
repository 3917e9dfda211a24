import * as fc from "fast-check";
import { expect, it, vi } from "vitest";
import { chooseQuestions } from "#client/features/ask/choose-questions.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const frequent = ["entropy grows", "reservoir", "reservoir is", "second law", "entropy"];

const rowsOf = (...sentences: string[]) =>
  sentences.map((original, index) => ({
    ordinal: index,
    original,
    spokenIn: "en" as const,
    startMs: index * 5_000,
    endMs: index * 5_000 + 4_000,
  }));
const lecture = rowsOf(
  "The entropy grows when heat flows into the reservoir.",
  "What a reservoir is follows from the second law.",
  "The reservoir keeps its temperature, and entropy grows there.",
  "An adiabatic wall lets no heat pass.",
);

it("asks for terms that occur, a marked sentence and frequent words, at most four in all", async () => {
  const terms = ["enthalpy", "adiabatic wall", "second law", "heat"].map((term) => ({ term }));
  const marks = [
    { atMs: 90_000, position: null },
    { atMs: 11_000, position: null },
  ];
  expect(await chooseQuestions(lecture, terms, marks, frequent, "en")).toEqual([
    { kind: "term", term: "adiabatic wall" },
    { kind: "term", term: "second law" },
    { kind: "mark", ms: 10_000, sentence: lecture[2]?.original },
    { kind: "words", words: "reservoir" },
  ]);
});

it("asks for frequent words alone where nothing is marked and no glossary has terms", async () => {
  expect(await chooseQuestions(lecture, [], [], frequent, "en")).toEqual([
    { kind: "words", words: "reservoir" },
    { kind: "words", words: "entropy grows" },
    { kind: "words", words: "second law" },
  ]);
});

it("finds a marked sentence of a lecture without times by its position, and asks for no long one", async () => {
  const rows = rowsOf("A short one.", `A long one${" that goes on".repeat(20)}.`).map((row) => ({
    ...row,
    startMs: 0,
    endMs: 0,
  }));
  const ask = async (position: number) => {
    const chosen = await chooseQuestions(rows, [], [{ atMs: 0, position }], frequent, "en");
    return chosen.map(({ kind }) => kind);
  };
  expect(await ask(0)).toContain("mark");
  expect(await ask(1)).not.toContain("mark");
});

it("has no questions for a lecture without rows, and never more than four different ones", async () => {
  expect(await chooseQuestions([], [{ term: "a" }], [], frequent, "en")).toEqual([]);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("entropy", "heat", "wall", "Carnot", "law")),
      fc.array(fc.nat(60_000)),
      async (words, marks) => {
        const rows = rowsOf(...words.map((word) => `The ${word} and the ${word} again.`));
        const terms = words.slice(0, 3).map((term) => ({ term }));
        const chosen = await chooseQuestions(
          rows,
          [...new Map(terms.map((one) => [one.term, one])).values()],
          marks.map((atMs) => ({ atMs, position: null })),
          [...new Set(words)],
          "en",
        );
        expect(chosen.length).toBeLessThanOrEqual(4);
        expect(new Set(chosen.map((one) => JSON.stringify(one))).size).toBe(chosen.length);
      },
    ),
    { numRuns: countRuns(100) },
  );
});

it("reads the lecture once, whatever the number of terms is", async () => {
  const includes = vi.spyOn(String.prototype, "includes");
  const terms = Array.from({ length: 2_000 }, (_, n) => ({ term: `the entropy grows ${n}` }));
  await chooseQuestions(lecture, terms, [], [], "en");
  expect(includes.mock.calls.length).toBeLessThan(100);
  includes.mockRestore();
});
