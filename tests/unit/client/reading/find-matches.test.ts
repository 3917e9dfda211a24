import { describe, expect, it } from "vitest";
import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import { Transcript } from "#client/lecture/rows/transcript.ts";
import { findMatches } from "#client/reading/find-matches.ts";
import { createRow } from "#tests/unit/client/kit/rows.ts";

function createBlocks(...texts: [original: string, translated: string][]) {
  const store = new Transcript();
  store.append(
    texts.map(([original, translated], index) =>
      createRow({ original, translated, startMs: index * 1_000 }),
    ),
  );
  return store.blocks.get();
}

const both = (row: TranscriptRow) => [row.original, row.translated];

/** What is found of `query` in one text. */
const find = (text: string, query: string) =>
  findMatches(createBlocks([text, ""]), query, both).map(({ start, end }) =>
    text.slice(start, end),
  );

describe("finds words", () => {
  it.each([
    ["in any case", "Entropy and ENTROPY.", "entropy", ["Entropy", "ENTROPY"]],
    ["without accents", "Le résumé de Zoë", "resume", ["résumé"]],
    ["with accents that were typed", "The resume", "résumé", ["resume"]],
    [
      "whose accents are characters of their own",
      "re\u0301sume\u0301.",
      "resume",
      ["re\u0301sume\u0301"],
    ],
    ["in Chinese", "熵增定律说的是熵。", "熵", ["熵", "熵"]],
    ["beyond the first plane", "𠮷野家 and 𠮷", "𠮷", ["𠮷", "𠮷"]],
    ["in full-width forms", "用ＡＢＣ法", "abc", ["ＡＢＣ"]],
    ["in Arabic without vowel signs and hamza", "إِنْتروبيا", "انتروبيا", ["إِنْتروبيا"]],
    ["of several words over a line break", "second\u00a0law", "second law", ["second\u00a0law"]],
    ["side by side, not overlapping", "aaaa", "aa", ["aa", "aa"]],
    ["whose lower case is longer", "İstanbul", "istanbul", ["İstanbul"]],
  ])("%s", (_case, text, query, found) => {
    expect(find(text, query)).toEqual(found);
  });

  it("but not a Hangul syllable or a kana that only begins alike", () => {
    expect(find("한국", "하")).toEqual([]);
    expect(find("がく", "か")).toEqual([]);
  });
});

it("finds nothing for a blank query", () => {
  expect(find("a b", "  ")).toEqual([]);
});

it("lists matches in the order of the rows and of the texts that are shown", () => {
  const blocks = createBlocks(["Heat.", "热 heat"], ["No", "不"], ["heat", "热"]);
  expect(findMatches(blocks, "heat", both)).toEqual([
    { position: 0, text: "Heat.", copy: 0, start: 0, end: 4 },
    { position: 0, text: "热 heat", copy: 0, start: 2, end: 6 },
    { position: 2, text: "heat", copy: 0, start: 0, end: 4 },
  ]);
  expect(findMatches(blocks, "热", (row) => [row.original])).toEqual([]);
});

it("finds a change of a row that was searched before", () => {
  const store = new Transcript();
  const [row] = createBlocks(["old", ""])[0]?.rows ?? [];
  if (row) store.append([row]);
  expect(findMatches(store.blocks.get(), "new", both)).toEqual([]);
  store.changeAll(new Map([["0", { original: "new" }]]));
  expect(findMatches(store.blocks.get(), "new", both)).toHaveLength(1);
});
