import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CandidateRow, type RankTerm, rankRows } from "#server/ask/retrieval/rank-rows.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const toRow = (
  original: string,
  position: number,
  rest: Partial<CandidateRow> = {},
): CandidateRow => ({
  lectureId: "a",
  title: "Title",
  position,
  startMs: position,
  endMs: position + 1,
  original,
  spokenIn: "en",
  translated: "",
  translatedInto: null,
  ...rest,
});
const word = (text: string, weight = 1, begins = [text]): RankTerm => ({
  kind: "word",
  text,
  weight,
  begins,
});
const pair = (text: string, weight = 1): RankTerm => ({ kind: "cjk", text, weight, begins: [] });

/** The originals of the hits, best first. */
const listHits = (rows: readonly CandidateRow[], terms: RankTerm[], phrases: string[] = []) =>
  rankRows(rows, { terms, phrases })
    .filter(({ isHit }) => isHit)
    .sort((a, b) => b.score - a.score)
    .map(({ original }) => original);

/** Far from each other, so that none is the neighbour of another. */
const spread = (...originals: string[]) => originals.map((text, n) => toRow(text, 10 * n));

describe("a row is better", () => {
  test.each<
    [because: string, better: string, worse: string, terms: RankTerm[], phrases?: string[]]
  >([
    ["with more terms", "Heat and entropy.", "Heat.", [word("heat"), word("entropy")]],
    ["with a rarer term", "Entropy.", "Heat.", [word("heat", 1), word("entropy", 3)]],
    ["with a number", "In 1842.", "Heat.", [word("heat"), word("1842")]],
    [
      "with terms side by side",
      "The learning rate.",
      "Learning the rate.",
      [word("learning"), word("rate")],
      ["learning rate"],
    ],
    ["with more pairs", "学习率很小。", "学习很难。", [pair("学习"), pair("习率")]],
  ])("%s", (_, better, worse, terms, phrases) => {
    const expected = [better, worse];
    expect(listHits(spread(worse, better), terms, phrases)).toEqual(expected);
    expect(listHits(spread(better, worse), terms, phrases)).toEqual(expected);
  });

  test("beside a row with another term, and in a lecture whose title has it", () => {
    const terms = [word("heat"), word("entropy")];
    const rows = [...spread("Heat, here.", "Heat, there."), toRow("Entropy.", 11)];
    expect(listHits(rows, terms)[0]).toBe("Heat, there.");
    const titled = toRow("Heat, titled.", 0, { lectureId: "b", title: "Entropy" });
    expect(listHits([...spread("Heat, here."), titled], terms)[0]).toBe("Heat, titled.");
  });

  test("whichever of its texts has the terms", () => {
    const rows = [toRow("冰川后退。", 0, { translated: "Glaciers retreat." })];
    expect(listHits(rows, [word("glacier"), word("retreat")])).toHaveLength(1);
    expect(listHits(rows, [pair("冰川")])).toHaveLength(1);
  });
});

describe("a word is found", () => {
  test.each<[begin: string, text: string, isFound: boolean]>([
    ["organ", "Organized.", true],
    ["run", "She is running.", true],
    ["run", "A prune.", false],
    ["run", "A runway.", false],
    ["stud", "Studies of it.", true],
    ["cat", "A category.", false],
    ["3", "It has 30.", false],
    ["3", "It has 3.", true],
    ["haus", "Die Häuser.", true],
    ["уравнен", "Эти уравнения.", true],
    ["تمثيل", "التمثيل الضوئي", true],
  ])("%s in %s: %s", (begin, text, isFound) => {
    expect(listHits([toRow(text, 0)], [word("?", 1, [begin])])).toHaveLength(isFound ? 1 : 0);
  });
});

test("rows come in groups of neighbours, each once, with two around each hit, at most 60", () => {
  const texts = fc.constantFrom("Heat.", "Entropy grows.", "Heat and entropy.", "So.");
  const lecture = fc.array(texts, { maxLength: 120, size: "max" });
  fc.assert(
    fc.property(lecture, lecture, (first, second) => {
      const input = [
        ...first.map((text, at) => toRow(text, at)),
        ...second.map((text, at) => toRow(text, at, { lectureId: "b" })),
      ];
      const found = rankRows([...input, ...input], {
        terms: [word("heat"), word("entropy", 2)],
        phrases: [],
      });
      const keys = found.map(({ lectureId, position }) => `${lectureId}${position}`);
      expect(keys.length).toBeLessThanOrEqual(60);
      expect(new Set(keys).size).toBe(keys.length);
      expect(found.every(({ isHit, original }) => !isHit || original !== "So.")).toBe(true);
      const has = (lectureId: string, position: number) => keys.includes(`${lectureId}${position}`);
      for (const { lectureId, position, isHit } of found) {
        const around = [-2, -1, 1, 2].map((step) => position + step);
        const isThere = (at: number) =>
          input.some((row) => row.lectureId === lectureId && row.position === at);
        if (isHit) for (const at of around) expect(has(lectureId, at)).toBe(isThere(at));
      }
      // The best hits of the groups, in their order.
      const best: number[] = [];
      for (const [at, row] of found.entries()) {
        const before = found[at - 1];
        const isNext = before?.lectureId === row.lectureId && before.position + 1 === row.position;
        const score = row.isHit ? row.score : 0;
        if (isNext) best.push(Math.max(best.pop() ?? 0, score));
        else best.push(score);
      }
      expect(best).toEqual(best.toSorted((a, b) => b - a));
    }),
    { numRuns: countRuns(100) },
  );
});

test("without a row that has a term, there are the first rows of lectures whose title has one", () => {
  const titled = [0, 1].map((at) => toRow("So.", at, { lectureId: "b", title: "Entropy" }));
  const found = rankRows([...spread("So."), ...titled], { terms: [word("entropy")], phrases: [] });
  expect(found).toEqual(titled.map((row) => ({ ...row, score: expect.any(Number), isHit: false })));
});
