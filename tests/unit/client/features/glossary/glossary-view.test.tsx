// @vitest-environment happy-dom
import { act } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import GlossaryView from "#client/features/glossary/glossary-view.tsx";
import { glossaryMessages } from "#client/features/glossary/messages/index.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { applyChanges, createTerm } from "#client/state/library/glossary.ts";
import { queryClient } from "#client/state/queries.tsx";
import type { Glossary, GlossaryTerm, TermChange } from "#shared/glossary.ts";
import { encodeText } from "#tests/fixtures/encode-text.ts";
import { folder, list } from "#tests/unit/client/kit/folders.ts";
import { showLibrary } from "#tests/unit/client/kit/library.tsx";
import {
  click,
  collectToasts,
  find,
  findButton,
  press,
  settle,
  type,
  waitForText,
} from "#tests/unit/client/kit/page.tsx";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";

const toasts = collectToasts();

beforeEach(async () => {
  localStorage.clear();
  await Promise.all([showLanguage("en"), glossaryMessages.load()]);
});

const term = (
  text: string,
  translation: string,
  more: Partial<GlossaryTerm> = {},
): GlossaryTerm => ({
  ...createTerm(text, "cells"),
  term: text,
  translations: translation ? { "zh-cn": translation } : {},
  ...more,
});

const cell = term("cell", "细胞");
const wall = term("wall", "壁", { position: 1 });
/** Terms of the folder above. */
const inherit = (...texts: string[]) =>
  texts.map((text, position) =>
    term(text, "一", { id: `above ${text}`, folderId: "biology", position }),
  );

/** A server with a glossary of Biology › Cells. `refuse`: what it answers to the next changes. */
function serve(...terms: GlossaryTerm[]) {
  const server = {
    glossary: { folderIds: ["cells", "biology", null], terms } as Glossary,
    refuse: null as Refusal | Error | null,
    changes: [] as TermChange[],
    isGone: false,
  };
  fakeServer({
    "glossary.get": () => (server.isGone ? new Refusal("not_found") : server.glossary),
    "glossary.change": ({ changes }: { changes: TermChange[] }) => {
      if (server.refuse instanceof Error) throw server.refuse;
      if (server.refuse) return server.refuse;
      server.changes.push(...changes);
      server.glossary = applyChanges(server.glossary, "cells", changes);
      return undefined;
    },
    "folders.list": () =>
      list([
        folder("biology", null, { name: "Biology" }),
        folder("cells", "biology", { name: "Cells" }),
      ]),
    "lectures.list": () => ({ items: [], nextCursor: null, total: 0 }),
  });
  return server;
}

async function showGlossary() {
  await showLibrary(<GlossaryView folderId="cells" />);
  await settle(() => expect(document.querySelector("[role=grid]")).not.toBeNull());
}

/** The texts of the own terms' rows, without those of buttons. */
const readRows = () =>
  [...document.querySelectorAll("[role=grid] tbody tr")].map((row) =>
    [...row.querySelectorAll("th, td")]
      .slice(0, 3)
      .map((cell) => cell.querySelector("textarea")?.value ?? cell.textContent),
  );

const newRow = ["Add a term", "", ""];

/** Opens a cell of an own term: rows and columns from 0. */
const openCell = (row: number, column: number) =>
  act(async () => {
    const cell = document.querySelectorAll("[role=grid] tbody tr")[row]?.children[column];
    cell?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true }));
  });

const getField = () => document.querySelector<HTMLTextAreaElement>("[role=grid] textarea");

async function edit(row: number, column: number, text: string): Promise<void> {
  await openCell(row, column);
  await type(getField(), text);
}

/** Into the open cell; without one, onto the page. */
const paste = (text: string) =>
  act(async () => {
    const event = new Event("paste", { bubbles: true, cancelable: true });
    Object.assign(event, { clipboardData: { getData: () => text } });
    (getField() ?? document.body).dispatchEvent(event);
  });

test("shows the folder's path, its own terms, and those above with what became of them", async () => {
  serve(
    term("cell", "电池"),
    term("wall", "", { isLeftOut: true }),
    ...inherit("cell", "wall", "organism"),
  );
  await showGlossary();
  expect(document.querySelector("nav ol")?.textContent).toBe("All lecturesBiologyCells");
  expect(readRows()).toEqual([["cell", "电池", ""], newRow]);
  const rows = [...document.querySelectorAll("section tbody tr")].map((row) => row.textContent);
  expect(rows).toEqual([
    "cell一Overridden in Cells",
    "wall一Left out in CellsUse again",
    "organism一OverrideLeave out",
  ]);
});

test("keeps what is being typed when another term is deleted by its button", async () => {
  const server = serve(cell, wall);
  await showGlossary();
  await edit(0, 1, "单元");
  await click("Delete wall");
  await settle(() => expect(server.changes).toHaveLength(2));
  expect(server.changes).toMatchObject([
    { id: "cell", translations: { "zh-cn": "单元" } },
    { id: "wall", isDeleted: true },
  ]);
  expect(readRows()).toEqual([["cell", "单元", ""], newRow]);
});

test.each([
  ["Ctrl+Z", "z", "KeyZ"],
  ["Ctrl+Z under Caps Lock", "Z", "KeyZ"],
  ["Ctrl+Z of a Cyrillic keyboard", "я", "KeyZ"],
])("changes one field of a term, and undoes it by %s", async (_name, key, code) => {
  const server = serve(cell, wall);
  await showGlossary();
  await openCell(0, 1);
  expect(document.activeElement).toBe(getField());
  await type(getField(), "单元");
  await press("Enter");
  await settle(() =>
    expect(server.changes).toEqual([{ id: "cell", translations: { "zh-cn": "单元" } }]),
  );
  // The cell below has the focus.
  expect(getField()?.value).toBe("壁");
  await press(key, { code, ctrlKey: true });
  await settle(() => expect(readRows()[0]).toEqual(["cell", "细胞", ""]));
  await settle(() =>
    expect(server.changes[1]).toEqual({ id: "cell", translations: { "zh-cn": "细胞" } }),
  );
});

test("takes back by Escape what was typed, and leaves the table by another", async () => {
  const server = serve(cell);
  await showGlossary();
  await edit(0, 0, "cel");
  await press("Escape");
  expect(getField()?.value).toBe("cell");
  await press("Escape");
  expect(document.activeElement?.textContent).toBe(glossaryMessages.t("glossary.keys"));
  expect(getField()).toBeNull();
  expect(server.changes).toEqual([]);
});

test("goes from cell to cell by arrow keys and Tab", async () => {
  serve(cell, wall);
  await showGlossary();
  await openCell(0, 0);
  const label = async (key: string, more?: KeyboardEventInit) => {
    await press(key, more);
    return document.activeElement?.getAttribute("aria-label");
  };
  expect(await label("ArrowDown")).toBe("Term (English): wall");
  expect(await label("ArrowRight")).toBe("Translation (Simplified Chinese): wall");
  expect(await label("ArrowUp")).toBe("Translation (Simplified Chinese): cell");
  expect(await label("Tab")).toBe("Note: cell");
  expect(await label("Tab")).toBe("Term (English): wall");
  expect(await label("Tab", { shiftKey: true })).toBe("Note: cell");
  expect(await label("End", { ctrlKey: true })).toBe("Term (English): new term");
  // While a cell is edited, arrow keys move in its text.
  await press("F2");
  expect(await label("ArrowUp")).toBe("Term (English): new term");
});

test("adds a term in the last row, and Enter goes on to the next one", async () => {
  const server = serve();
  await showGlossary();
  expect(document.body.textContent).toContain(glossaryMessages.t("glossary.empty"));
  await click("Add a term");
  await type(getField(), " ribosome ");
  await press("Tab");
  await type(getField(), "核糖体");
  await press("Enter");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Term (English): new term");
  await settle(() => {
    expect(readRows()).toEqual([
      ["ribosome", "核糖体", ""],
      ["", "", ""],
    ]);
    expect(server.glossary.terms).toMatchObject([
      { term: "ribosome", language: "en", translations: { "zh-cn": "核糖体" }, position: 0 },
    ]);
  });
});

test("says that a row without a term is not in the glossary", async () => {
  const server = serve(cell);
  await showGlossary();
  await edit(1, 1, "壁");
  await press("Escape");
  await type(getField(), "壁");
  await act(async () => getField()?.blur());
  await waitForText(glossaryMessages.t("glossary.termMissing"));
  expect(readRows()[1]).toEqual(["Add a term", "壁", ""]);
  expect(server.changes).toEqual([]);
});

test("tells a conflict in the row, where the text stays", async () => {
  const server = serve(cell, wall);
  await showGlossary();
  await edit(1, 0, "CELL");
  await press("Enter");
  await waitForText(glossaryMessages.t("glossary.clash"));
  expect(server.changes).toEqual([]);
  expect(readRows()[1]).toEqual(["CELL", "壁", ""]);
  await openCell(1, 0);
  expect(getField()?.getAttribute("aria-invalid")).toBe("true");
  await type(getField(), "cell wall");
  await press("Enter");
  await settle(() => expect(server.changes).toEqual([{ id: "wall", term: "cell wall" }]));
  expect(document.body.textContent).not.toContain(glossaryMessages.t("glossary.clash"));
});

test.each([
  ["a full glossary", new Refusal("glossary_full"), /maximum number of terms/],
  ["a conflict with another page", new Refusal("conflict"), /in the glossary already/],
  ["no network", new Error("no network"), /cannot be reached/],
])("keeps the text of a term that the server does not take: %s", async (_name, refusal, text) => {
  const server = serve(cell);
  server.refuse = refusal;
  await showGlossary();
  await edit(1, 0, "wall");
  await press("Enter");
  await settle(() => expect(document.querySelector("[role=alert]")?.textContent).toMatch(text));
  expect(readRows()[1]).toEqual(["wall", "", ""]);
  server.refuse = null;
  if (!findButton("Try again")) return;
  await click("Try again");
  await settle(() =>
    expect(server.glossary.terms.map(({ term }) => term)).toEqual(["cell", "wall"]),
  );
  expect(document.querySelector("[role=alert]")).toBeNull();
});

test("discards an edit that the server does not take", async () => {
  const server = serve(cell);
  server.refuse = new Refusal("account_full");
  await showGlossary();
  await edit(0, 1, "单元");
  await press("Enter");
  await click("Discard");
  expect(readRows()).toEqual([
    ["cell", "细胞", ""],
    ["", "", ""],
  ]);
});

test("keeps what is typed while another page changes the glossary, also its term", async () => {
  const server = serve(cell, wall);
  await showGlossary();
  await edit(1, 2, "of plants");
  server.glossary = applyChanges(server.glossary, "cells", [
    { id: "cell", translations: { "zh-cn": "单元" } },
    { id: "wall", isDeleted: true },
  ]);
  await act(async () => queryClient.invalidateQueries());
  await settle(() => expect(readRows()[0]).toEqual(["cell", "单元", ""]));
  expect(getField()?.value).toBe("of plants");
  expect(document.activeElement).toBe(getField());
  await press("Enter");
  await settle(() =>
    expect(server.glossary.terms).toMatchObject([
      { term: "cell" },
      { term: "wall", note: "of plants", translations: { "zh-cn": "壁" } },
    ]),
  );
});

test("deletes a term by Delete, and brings it back by the toast", async () => {
  const server = serve({ ...cell, note: "small" }, wall);
  await showGlossary();
  await openCell(0, 0);
  await press("Delete");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Term (English): wall");
  await settle(() =>
    expect(toasts.at(-1)).toMatchObject({ title: "Term deleted", description: "cell" }),
  );
  expect(server.glossary.terms).toHaveLength(1);
  await act(async () => toasts.at(-1)?.action?.run());
  await settle(() => expect(readRows()[0]).toEqual(["cell", "细胞", "small"]));
  await settle(() => expect(server.glossary.terms).toHaveLength(2));
});

test("adds pasted rows, says which did not enter, and undoes them together", async () => {
  const copied = vi.fn();
  vi.stubGlobal("navigator", { ...navigator, clipboard: { writeText: copied } });
  const server = serve(term("cell", "", { note: "small" }));
  await showGlossary();
  await openCell(1, 0);
  const long = "x".repeat(101);
  await paste(`English\tChinese\r\nCell\t细胞\r\nwall\t"壁"\r\n${long}\t长\r\n`);
  await settle(() =>
    expect(readRows().slice(0, 2)).toEqual([
      ["cell", "细胞", "small"],
      ["wall", "壁", ""],
    ]),
  );
  await settle(() =>
    expect(toasts.at(-1)).toMatchObject({ title: "1 term added", description: "1 term changed" }),
  );
  await waitForText("1 row was not added.1 term is longer than 100 characters");
  await click("Copy these rows");
  expect(copied).toHaveBeenCalledWith(`${long},长\r\n`);
  await act(async () => toasts.find(({ action }) => action)?.action?.run());
  await settle(() => expect(server.glossary.terms).toEqual([term("cell", "", { note: "small" })]));
});

test("adds by a pasted row the term that the server did not take before", async () => {
  const server = serve();
  server.refuse = new Error("no network");
  await showGlossary();
  await edit(0, 0, "wall");
  await press("Enter");
  await settle(() => expect(document.querySelector("[role=alert]")).not.toBeNull());
  server.refuse = null;
  await paste("wall\t壁\n");
  await settle(() => expect(toasts.at(-1)).toMatchObject({ title: "1 term added" }));
  expect(server.glossary.terms).toMatchObject([{ term: "wall", translations: { "zh-cn": "壁" } }]);
  expect(document.querySelector("[role=alert]")).toBeNull();
});

test("changes by a pasted row the term of its name, not one whose new name clashes with it", async () => {
  const server = serve(cell, wall);
  await showGlossary();
  await edit(1, 0, "CELL");
  await press("Enter");
  await waitForText(glossaryMessages.t("glossary.clash"));
  await paste("cell\t电池\n");
  await settle(() => expect(toasts.at(-1)).toMatchObject({ description: "1 term changed" }));
  expect(server.glossary.terms).toMatchObject([
    { term: "cell", translations: { "zh-cn": "电池" } },
    { term: "wall", translations: { "zh-cn": "壁" } },
  ]);
  expect(readRows()[1]).toEqual(["CELL", "壁", ""]);
});

test("says which pasted rows the server did not take, also where only a note is new", async () => {
  const server = serve(cell, wall);
  server.refuse = new Refusal("account_full");
  await showGlossary();
  await paste("cell\t细胞\tsmall\n");
  await waitForText("1 row was not added.");
});

test("adds rows that are pasted while no cell is open", async () => {
  const server = serve();
  await showGlossary();
  await paste("cell\t细胞\nwall\t壁\n");
  await settle(() =>
    expect(server.glossary.terms.map((one) => one.term)).toEqual(["cell", "wall"]),
  );
});

async function chooseTable(content: BlobPart) {
  const input = document.querySelector<HTMLInputElement>("input[type=file]");
  const file = new File([content], "words.csv");
  Object.defineProperty(input, "files", { value: [file], configurable: true });
  await act(async () => input?.dispatchEvent(new Event("change", { bubbles: true })));
}

test.each([
  ["euc-kr", "circuit,회로\ninformation,정보\n", ["circuit", "회로", ""]],
  ["windows-1251", "circuit;схема\nentropy;энтропия\n", ["circuit", "схема", ""]],
] as const)("imports a CSV file in %s without a question", async (encoding, text, row) => {
  serve();
  await showGlossary();
  await chooseTable(encodeText(text, encoding));
  await settle(() => expect(readRows()[0]).toEqual(row));
});

test("shows how a few words read where several encodings are likely, and imports what is confirmed", async () => {
  const server = serve();
  await showGlossary();
  await chooseTable(encodeText("circuit,迴路\ninformation,資訊\n", "big5"));
  await waitForText("Is this text right?");
  expect(server.changes).toEqual([]);
  if (!document.body.textContent?.includes("迴路")) {
    await click("Text encoding", "[role=combobox]");
    await click("Big5 · Traditional Chinese", "[role=option]");
  }
  await waitForText("circuit,迴路");
  await click("Import");
  await settle(() => expect(readRows()[0]).toEqual(["circuit", "迴路", ""]));
  expect(document.body.textContent).not.toContain("Is this text right?");
});

test("imports a CSV file, and shows the language of its terms", async () => {
  const server = serve(cell);
  await showGlossary();
  await chooseTable("German;French\nZelle;cellule\n");
  await settle(() => expect(readRows()[0]).toEqual(["Zelle", "cellule", ""]));
  await settle(() =>
    expect(server.glossary.terms[1]).toMatchObject({
      language: "de",
      origin: { kind: "table", name: "words.csv" },
    }),
  );
  await click("English (1)");
  expect(readRows()[0]).toEqual(["cell", "", ""]);
});

test("overrides an inherited term, leaves one out, and uses it again", async () => {
  const server = serve(...inherit("cell", "wall"));
  await showGlossary();
  await click("Override cell here");
  expect(document.activeElement?.getAttribute("aria-label")).toBe(
    "Translation (Simplified Chinese): cell",
  );
  await type(getField(), "电池");
  await press("Enter");
  await click("Leave out wall here");
  await settle(() =>
    expect(server.glossary.terms.filter(({ folderId }) => folderId === "cells")).toMatchObject([
      { term: "cell", translations: { "zh-cn": "电池" }, isLeftOut: false },
      { term: "wall", translations: {}, isLeftOut: true },
    ]),
  );
  await waitForText("Left out in Cells");
  expect(readRows()).toHaveLength(2);
  await click("Use wall again");
  await find("button", "Leave out wall here");
  await settle(() => expect(server.glossary.terms).toHaveLength(3));
});

test("adds a term that was left out", async () => {
  const server = serve(term("wall", "", { id: "out", isLeftOut: true }), ...inherit("wall"));
  await showGlossary();
  await edit(0, 0, "Wall");
  await press("Enter");
  await settle(() => {
    expect(server.changes[0]).toEqual({ id: "out", isDeleted: true });
    expect(readRows()[0]).toEqual(["Wall", "", ""]);
  });
});

test("says that a folder is gone", async () => {
  serve().isGone = true;
  await showLibrary(<GlossaryView folderId="cells" />);
  await waitForText(glossaryMessages.t("glossary.gone"));
});
