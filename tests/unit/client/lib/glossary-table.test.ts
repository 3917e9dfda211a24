import fc from "fast-check";
import { expect, it } from "vitest";
import { readTable, toCsv } from "#client/lib/glossary-table.ts";
import { type GlossaryTerm, termOrigins } from "#shared/glossary.ts";
import { spokenLanguages, translationLanguages } from "#shared/languages.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const pasted = { kind: "table", name: "" } as const;
const options = { language: "en", target: "zh-cn", origin: pasted } as const;
const read = (text: string) => readTable(text, options);

const createTerm = (fields: Partial<GlossaryTerm>): GlossaryTerm => ({
  id: "id",
  folderId: null,
  language: "en",
  term: "cell",
  translations: {},
  note: "",
  origin: { kind: "person", name: "" },
  position: 0,
  isLeftOut: false,
  ...fields,
});

it("reads term, translation and note of a table without names", () => {
  const text = 'cell\t细胞\t"of life\nsmall"\nnucleus\t细胞核\t\n\nwall';
  expect(read(text).terms).toEqual([
    {
      term: "cell",
      translations: { "zh-cn": "细胞" },
      note: "of life\nsmall",
      language: "en",
      origin: pasted,
    },
    {
      term: "nucleus",
      translations: { "zh-cn": "细胞核" },
      note: "",
      language: "en",
      origin: pasted,
    },
    { term: "wall", translations: {}, note: "", language: "en", origin: pasted },
  ]);
});

it.each([
  "English\tChinese\ncell\t细胞",
  "Chinese (Simplified),English\n细胞,cell",
  "术语;译文\ncell;细胞",
  "en,zh-Hans\ncell,细胞",
  "英语\t简体中文\ncell\t细胞",
])("takes a first row that names columns for no term: %j", (text) => {
  const { terms } = read(text);
  expect(terms).toMatchObject([
    { term: "cell", language: "en", translations: { "zh-cn": "细胞" } },
  ]);
});

it("takes the script for Chinese that translations have", () => {
  const { terms } = readTable("English\tChinese\ncell\t細胞", { ...options, target: "zh" });
  expect(terms[0]?.translations).toEqual({ zh: "細胞" });
});

it("reads the terms of another language than the table's", () => {
  const { terms } = read("German;French\nZelle;cellule");
  expect(terms).toMatchObject([{ term: "Zelle", language: "de", translations: { fr: "cellule" } }]);
});

it.each(["ID\tTerm\tTranslation", "No\tEnglish\tChinese"])(
  "takes a column that numbers the rows for no language: %s",
  (head) => {
    const { terms } = read(`${head}\n1\tcell\t细胞\n2\tnucleus\t细胞核`);
    expect(terms.map(({ term, translations }) => ({ term, translations }))).toEqual([
      { term: "cell", translations: { "zh-cn": "细胞" } },
      { term: "nucleus", translations: { "zh-cn": "细胞核" } },
    ]);
  },
);

it.each(["id", "no"] as const)("reads terms in the language %s", (target) => {
  const { terms } = read(`en\t${target}\ncell\tsel 1`);
  expect(terms).toMatchObject([{ term: "cell", translations: { [target]: "sel 1" } }]);
});

it("keeps further cells in the note", () => {
  expect(read("cell\t细胞\tsmall\tchapter 1").terms[0]?.note).toBe("small; chapter 1");
});

it("makes one line of a term's line breaks", () => {
  expect(read('"cell \n wall"\t"细胞\t壁"').terms).toMatchObject([
    { term: "cell wall", translations: { "zh-cn": "细胞 壁" } },
  ]);
});

it("says which rows are no terms, and reads the rest", () => {
  const long = (length: number) => "x".repeat(length);
  const languages = translationLanguages.slice(0, 14);
  const { terms, refused } = read(
    [`${long(101)}\tb\t`, `a\t${long(201)}\t`, `a\tb\t${long(501)}`, "\tb\t", "cell\t细胞\t"].join(
      "\n",
    ),
  );
  expect(terms.map(({ term }) => term)).toEqual(["cell"]);
  expect(refused.map(({ reason }) => reason)).toEqual(["term", "translation", "note", "noTerm"]);
  const many = [
    ["term", ...languages],
    ["cell", ...languages],
  ]
    .map((row) => row.join(","))
    .join("\n");
  expect(read(many).refused).toMatchObject([{ reason: "translations" }]);
  expect(read("language,term\nKlingon,cell").refused).toMatchObject([
    { reason: "language", cells: ["Klingon", "cell"] },
  ]);
});

it("writes a table that a spreadsheet opens", () => {
  const csv = toCsv([
    createTerm({ term: "-ase, an ending", translations: { "zh-cn": "酶", zh: "酶" } }),
    createTerm({ term: "out", isLeftOut: true }),
    createTerm({ note: 'a "note"', origin: { kind: "file", name: "slides.pptx" } }),
  ]);
  expect(csv).toBe(
    `\uFEFFlanguage,term,zh-Hant,zh-Hans,note,origin\r\n${[
      'en,"\'-ase, an ending",酶,酶,,person',
      'en,cell,,,"a ""note""",file: slides.pptx',
    ].join("\r\n")}\r\n`,
  );
});

it("reads back the terms that it has written", () => {
  const text = (maxLength: number) =>
    fc
      .string({ unit: fc.constantFrom(..."ab \"',;:=-+@é课"), maxLength })
      .map((one) => one.trim())
      .filter(Boolean);
  const term = fc.record({
    language: fc.constantFrom(...spokenLanguages),
    term: text(100),
    translations: fc.dictionary(fc.constantFrom(...translationLanguages), text(200), {
      maxKeys: 3,
    }),
    note: fc.oneof(
      fc.constant(""),
      text(200),
      fc.tuple(text(99), text(99)).map((lines) => lines.join("\n")),
    ),
    origin: fc.record({
      kind: fc.constantFrom(...termOrigins),
      name: fc.oneof(fc.constant(""), text(90)),
    }),
  });
  fc.assert(
    fc.property(fc.array(term, { maxLength: 4 }), (terms) => {
      const { terms: found, refused } = read(toCsv(terms.map(createTerm)));
      expect(refused).toEqual([]);
      expect(found).toEqual(terms);
    }),
    { numRuns: countRuns(400) },
  );
});

// With a pattern that tries each blank anew this takes minutes.
it("reads a cell of blanks in one go", () => {
  const cell = `a${" ".repeat(400_000)}b`;
  expect(read(`cell\t细胞\n${cell}\t膜`).refused).toEqual([
    { cells: [cell, "膜"], reason: "term" },
  ]);
  expect(read('cell\t细胞\n"cell  \n  wall"\t细胞  壁').terms.map(({ term }) => term)).toEqual([
    "cell",
    "cell wall",
  ]);
});
