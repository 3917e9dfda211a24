// @vitest-environment happy-dom
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import { parseTable } from "#client/lib/csv.ts";
import { listCardSources, toItem } from "#client/reading/flashcards/card-sources.ts";
import {
  type Card,
  type ExportedCard,
  listExportedCards,
  listTermCards,
  sortCards,
} from "#client/reading/flashcards/cards.ts";
import { toAnki, toCardsCsv } from "#client/reading/flashcards/files.ts";
import type { GlossaryTerm } from "#shared/glossary.ts";
import type { Mark } from "#shared/lecture.ts";
import { flashcardTextMaxLength } from "#shared/limits.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { createRow } from "#tests/unit/client/kit/rows.ts";
import { readAnki } from "./read-anki.ts";

const languages = { sourceLanguage: "en", targetLanguage: "zh-cn", isTwoWay: false } as const;
const createRows = (...originals: string[]): TranscriptRow[] =>
  originals.map((original, position) =>
    createRow({ position, original, startMs: position * 4_000, endMs: position * 4_000 + 3_000 }),
  );
const createMark = (atMs: number, note = "", position: number | null = null): Mark => ({
  id: crypto.randomUUID(),
  atMs,
  note,
  position,
});
const createTerm = (term: string, translation: string): GlossaryTerm => ({
  id: crypto.randomUUID(),
  folderId: null,
  language: "en",
  term,
  note: "",
  position: 0,
  translations: { "zh-cn": translation },
  isLeftOut: false,
  origin: { kind: "person", name: "" },
});

describe("what cards are made of", () => {
  it("is marked rows with their notes, and terms where they are said first, in the order of the rows", () => {
    const rows = createRows("Heat flows.", "Entropies grow.", "Entropy is heat over it.");
    const sources = listCardSources({
      rows,
      languages,
      terms: [createTerm("entropy", "熵"), createTerm("phase", "相")],
      marks: [
        createMark(9_000, "Exam"),
        createMark(8_500),
        createMark(0, "Why?", 2),
        createMark(0),
      ],
    });
    expect(sources).toMatchObject([
      { id: "m0", row: rows[0], before: "", after: "Entropies grow.", note: "", term: null },
      {
        id: "t1",
        row: rows[1],
        before: "Heat flows.",
        after: "Entropy is heat over it.",
        term: { source: "entropy", target: "熵", language: "en", into: "zh-cn" },
      },
      { id: "m2", row: rows[2], after: "" },
    ]);
    expect(sources[2]?.note.split("\n").toSorted()).toEqual(["Exam", "Why?"]);
  });

  it("is nothing of a lecture without marks and terms, and of a row without words", () => {
    expect(listCardSources({ rows: createRows("A."), marks: [], terms: [], languages })).toEqual(
      [],
    );
    const marks = [createMark(0)];
    expect(listCardSources({ rows: createRows(" "), marks, terms: [], languages })).toEqual([]);
  });

  it("gives the model no more of a text than a call takes, and no translation that is not there", () => {
    const [source] = listCardSources({
      rows: [createRow({ original: "a ".repeat(2_000), translation: "failed" })],
      marks: [createMark(0)],
      terms: [],
      languages,
    });
    expect(source && toItem(source)).toMatchObject({
      translated: "",
      term: null,
      sentence: "a ".repeat(flashcardTextMaxLength / 2),
    });
  });
});

/** A term's card, and the question about a marked row without a time. */
function createCards(change: Partial<Card> = {}): Card[] {
  const sources = listCardSources({
    rows: [createRow({ id: "row-1", original: "Entropy grows.", startMs: 61_000, endMs: 62_000 })],
    marks: [createMark(0)],
    terms: [createTerm("entropy", "熵")],
    languages,
  });
  const [marked] = sources;
  if (!marked) throw new Error("no source");
  const source = { ...marked, row: createRow({ id: "row-2", original: "It must.", endMs: 0 }) };
  const question = { question: " Must it? ", answer: "Yes.", source };
  return sortCards([
    { ...question, id: "m0", kind: "question", isLeftOut: false, ...change },
    ...listTermCards(sources),
  ]);
}

describe("exported cards", () => {
  const [sentence, time] = ["Entropy grows.", "1:01"];
  const [marked, termed] = ["row-2 question", "row-1 term entropy"];
  const asked = {
    ...{ id: marked, rowId: "row-2", front: "Must it?", back: "Yes." },
    ...{ sentence: "It must.", time: "", note: "" },
  };
  const sides = { front: "entropy", back: "熵" };
  const term = { id: termed, rowId: "row-1", ...sides, sentence, time, note: "" };
  const reverse = { ...term, id: `${termed} back`, front: "熵", back: "entropy" };

  it.each([
    ["term", [asked, term]],
    ["translation", [asked, reverse]],
    ["both", [asked, term, reverse]],
  ] as const)("have the %s of terms in front, and questions always", (direction, expected) => {
    expect(listExportedCards(createCards(), direction)).toEqual(expected);
  });

  it.each([
    ["is left out", { isLeftOut: true }],
    ["has no question", { question: " " }],
    ["has no answer", { answer: "" }],
  ])("are without one that %s", (_, change) => {
    expect(listExportedCards(createCards(change), "term")).toEqual([term]);
  });
});

describe("the file for Anki", () => {
  const card = (change: Partial<ExportedCard>): ExportedCard => ({
    id: "1",
    rowId: "row-1",
    front: "Q",
    back: "A",
    sentence: "S",
    time: "1:01",
    note: "",
    ...change,
  });

  it("has the headers of the manual, columns by their position, and an identifier for each card", () => {
    const equal = [card({ id: "1" }), card({ id: "2", back: "Another" })];
    const { headers, notes } = readAnki(toAnki(equal, "Heat::\tand  work"));
    expect(headers).toEqual({
      separator: "tab",
      html: "true",
      notetype: "Basic",
      "guid column": "1",
      "deck column": "4",
    });
    expect(notes).toEqual([
      ["1", "Q", "A<br><br>[1:01] S", "Heat: and work"],
      ["2", "Q", "Another<br><br>[1:01] S", "Heat: and work"],
    ]);
  });

  it.each([
    [
      "Energy \\(E = mc^2\\), prices $5 and $6, `\\(code\\)`",
      "Energy \\(E = mc^2\\), prices $5 and $6, <code>\\(code\\)</code>",
    ],
    [
      "Sum \\[\\sum_{i=1}^{n} x_i\\] and $a_1*b_1*c$",
      "Sum \\[\\sum_{i=1}^{n} x_i\\] and \\(a_1*b_1*c\\)",
    ],
    ["$$\na < b\n$$ & <b>", "\\[a &lt; b\\] &amp; &lt;b&gt;"],
    ["\\[as he said\\]", "<span>\\</span>[as he said<span>\\</span>]"],
  ])("has formulas for MathJax, and nothing else for it: %s", (front, expected) => {
    const { notes } = readAnki(toAnki([card({ front })], "Deck"));
    expect(notes[0]?.[1]).toBe(expected);
  });

  it("keeps every text as it is, whatever signs it has", () => {
    const text = fc
      .array(
        fc.constantFrom("a", '"', "\t", "\n", "#", "tags:x", ",", ";", "<b>", "&amp;", "熵", " "),
      )
      .map((parts) => parts.join(""));
    const readHtml = (html: string | undefined) => {
      const box = document.createElement("div");
      box.innerHTML = (html ?? "").replaceAll("<br>", "\n");
      return box.textContent;
    };
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text, text), { minLength: 1 }), (texts) => {
        const cards = texts.map(([front, back, sentence]) => card({ front, back, sentence }));
        const { notes } = readAnki(toAnki(cards, "Deck"));
        expect(notes.map(([, front, back]) => [readHtml(front), readHtml(back)])).toEqual(
          cards.map(({ front, back, sentence }) => [
            front,
            `${back}\n\n[1:01]${sentence === "" ? "" : ` ${sentence}`}`,
          ]),
        );
      }),
      { numRuns: countRuns(300) },
    );
  });
});

it("the CSV file has a head and a row for each card, of which no spreadsheet makes a formula", () => {
  const text = toCardsCsv(
    listExportedCards(createCards({ answer: '=1+1, "two"' }), "term"),
    "Heat",
  );
  expect(text.startsWith("\uFEFF")).toBe(true);
  expect(parseTable(text)).toEqual([
    ["question", "answer", "sentence", "time", "note", "lecture"],
    ["Must it?", `'=1+1, "two"`, "It must.", "", "", "Heat"],
    ["entropy", "熵", "Entropy grows.", "1:01", "", "Heat"],
  ]);
});

it("has spoken formulas at the end of a card's sentence, for Anki's MathJax", () => {
  const [row] = createRows("So x squared.") as [TranscriptRow];
  const formulas = [{ words: "x squared", tex: "x^2" }];
  const term = { source: "x", target: "y", language: "en", into: "zh-cn" } as const;
  const source = { id: "t0", row: { ...row, formulas }, before: "", after: "", note: "", term };
  const cards = listExportedCards(listTermCards([source]), "term");
  expect(cards[0]?.sentence).toBe("So x squared. $x^2$");
  expect(toAnki(cards, "Algebra")).toContain("So x squared. \\(x^2\\)");
});
