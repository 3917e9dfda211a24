import fc from "fast-check";
import { expect, it } from "vitest";
import { listInherited, listNeedless } from "#client/features/glossary/inherited.ts";
import { createTableChanges } from "#client/features/glossary/table-changes.ts";
import type { TableTerm } from "#client/lib/glossary-table.ts";
import type { GlossaryTerm } from "#shared/glossary.ts";
import { folderTermsMax } from "#shared/limits.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";

const row = (term: string, more: Partial<TableTerm> = {}): TableTerm => ({
  language: "en",
  term,
  translations: {},
  note: "",
  origin: { kind: "table", name: "" },
  ...more,
});

const term = (text: string, more: Partial<GlossaryTerm> = {}): GlossaryTerm => ({
  ...row(text),
  id: text,
  folderId: null,
  position: 0,
  isLeftOut: false,
  ...more,
});

const addTable = (own: readonly GlossaryTerm[], table: readonly TableTerm[]) =>
  createTableChanges(own, table, (id) => own.some((one) => one.id === id));

it("adds new terms behind the folder's, and changes those that it has", () => {
  const own = [term("cell", { translations: { fr: "cellule" }, note: "small", position: 4 })];
  const table = [
    row("Cell", { translations: { "zh-cn": "细胞" } }),
    row("wall"),
    row("WALL", { note: "of plants" }),
  ];
  const { changes, added, changed, refused } = addTable(own, table);
  expect({ added, changed, refused }).toEqual({ added: 1, changed: 1, refused: [] });
  expect(changes).toEqual([
    {
      id: "cell",
      translations: { fr: "cellule", "zh-cn": "细胞" },
      note: "small",
      isLeftOut: false,
    },
    { ...row("wall"), id: expect.any(String), position: 5, note: "of plants", isLeftOut: false },
  ]);
});

it("changes nothing for rows that say nothing new", () => {
  const own = [term("cell", { translations: { "zh-cn": "细胞" } })];
  const table = [row("cell", { translations: { "zh-cn": "细胞" } }), row("cell")];
  expect(addTable(own, table).changes).toEqual([]);
});

it("adds as many terms as the folder has room for, and returns every other row", () => {
  const name = fc.integer({ min: 0, max: folderTermsMax + 20 }).map(String);
  fc.assert(
    fc.property(
      fc.uniqueArray(name),
      fc.integer({ min: 0, max: folderTermsMax }),
      (names, count) => {
        const own = Array.from({ length: count }, (_, index) => term(String(index)));
        const { added, refused } = addTable(
          own,
          names.map((one) => row(one)),
        );
        const unknown = names.filter((one) => Number(one) >= count);
        expect(count + added).toBeLessThanOrEqual(folderTermsMax);
        expect(added + refused.length).toBe(unknown.length);
      },
    ),
    { numRuns: countRuns(40) },
  );
});

it("lists the terms of the folders above, and what stands in their place", () => {
  const terms = [
    term("cell", { id: "own", folderId: "c" }),
    term("wall", { id: "out", folderId: "b", isLeftOut: true }),
    term("CELL", { id: "above", folderId: "b" }),
    term("wall", { id: "top wall" }),
    term("cell", { id: "top cell", position: 1 }),
    term("Zelle", { language: "de" }),
    term("gone", { folderId: "c", isLeftOut: true }),
  ];
  const glossary = { folderIds: ["c", "b", null], terms };
  const groups = listInherited(glossary, "en").map(({ folderId, terms: inherited }) => [
    folderId,
    inherited.map((one) => [one.term.id, one.nearer?.id ?? null]),
  ]);
  expect(groups).toEqual([
    ["b", [["above", "own"]]],
    [
      null,
      [
        ["top wall", "out"],
        ["top cell", "own"],
      ],
    ],
  ]);
  expect(listNeedless(glossary, "en").map(({ id }) => id)).toEqual(["gone"]);
});
