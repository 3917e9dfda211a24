import { randomUUID } from "node:crypto";
import { signUp } from "#tests/e2e/support/journey.ts";
import { callProcedure, storeFolder } from "#tests/e2e/support/library.ts";
import { expect, test } from "#tests/e2e/support/test.ts";
import { capture, looks, twoLooks } from "./shoot.ts";

type Row = readonly [term: string, translation: string, note?: string, file?: string];

const biology: readonly Row[] = [
  ["cell", "细胞"],
  ["organism", "生物体", "A single living being"],
  ["membrane", "膜", "", "01-introduction.pptx"],
];

const cells: readonly Row[] = [
  ["mitochondrion", "线粒体", "Plural: mitochondria", "02-organelles.pptx"],
  [
    "endoplasmic reticulum",
    "内质网",
    "Rough: with ribosomes; smooth: without",
    "02-organelles.pptx",
  ],
  ["ATP synthase", "ATP 合酶"],
  [
    "cell",
    "电池",
    "In the chapter on bioelectricity this folder means a battery, not a living cell.",
  ],
];

const toChanges = (rows: readonly Row[]) =>
  rows.map(([term, translation, note = "", file], position) => ({
    id: randomUUID(),
    language: "en",
    term,
    translations: { "zh-cn": translation },
    note,
    position,
    isLeftOut: false,
    origin: file ? { kind: "file", name: file } : { kind: "person", name: "" },
  }));

test("captures a glossary", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  await capture(page, "glossary-empty", "/glossary", twoLooks);
  const upper = await storeFolder(page, "Biology");
  const lower = await storeFolder(page, "Cells", upper);
  await callProcedure(page, "glossary.change", { folderId: upper, changes: toChanges(biology) });
  const changes = [
    ...toChanges(cells),
    ...toChanges([["membrane", "膜"]]).map((term) => ({ ...term, isLeftOut: true })),
  ];
  await callProcedure(page, "glossary.change", { folderId: lower, changes });
  const path = `/glossary?folder=${lower}`;
  await capture(page, "glossary", path, looks);
  await capture(page, "glossary-editing", path, twoLooks, async (shown) => {
    const grid = shown.getByRole("grid");
    await grid.getByRole("rowheader").nth(1).click();
    await shown.keyboard.press("Enter");
    await shown.keyboard.type(" (ER)");
  });
  await capture(page, "glossary-conflict", path, twoLooks, async (shown) => {
    const grid = shown.getByRole("grid");
    await grid.getByRole("rowheader").nth(1).click();
    await shown.keyboard.type("Mitochondrion");
    await shown.keyboard.press("Enter");
    await expect(grid.getByRole("alert")).toBeVisible();
  });
});
