import { readFile } from "node:fs/promises";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import type { Page } from "@playwright/test";
import type { TranslationLanguage } from "#shared/languages.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { numberRows } from "#tests/fixtures/number-rows.ts";
import { sentences } from "#tests/unit/client/features/export/sample-lectures.ts";
import { findBarriers } from "./support/axe.ts";
import { signUp } from "./support/journey.ts";
import { callProcedure } from "./support/library.ts";
import { setLook } from "./support/look.ts";
import { saveEntries, storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

/** The print view, printed by Chromium and read by PDFium. */

/** The print view uses system fonts; Debian's Chromium comes without one for Hindi. */
const devanagari =
  "node_modules/@fontsource/noto-sans-devanagari/files/noto-sans-devanagari-devanagari-400-normal.woff2";

/** Opens `/print` without a print dialog; `printed()` counts the calls of `window.print`. */
async function openPrint(page: Page, search: string) {
  await page.addInitScript(() => {
    let count = 0;
    window.print = () => {
      count += 1;
      document.documentElement.dataset.prints = String(count);
    };
  });
  await page.route("/devanagari.woff2", async (route) =>
    route.fulfill({ contentType: "font/woff2", body: await readFile(devanagari) }),
  );
  await page.goto(`/print?${search}`);
  await expect(page.locator("html")).toHaveAttribute("data-prints", "1");
  await page.addStyleTag({
    content: `@font-face { font-family: Devanagari; src: url("/devanagari.woff2") }
      :lang(hi) { font-family: Devanagari }`,
  });
  await page.evaluate(() => document.fonts.load("1em Devanagari", "न"));
}

/** The text of each printed page as PDFium reads it. */
async function printPages(page: Page): Promise<string[]> {
  const bytes = await page.pdf({ format: "A4" });
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(bytes);
  // If a font draws two characters alike, PDFium cannot distinguish them.
  const pages = [...document.pages()].map((one) => one.getText().normalize("NFKC"));
  document.destroy();
  library.destroy();
  return pages;
}

/**
 * PDFium's reading of sentences in scripts with joined letters: it swaps the two letters of an Arabic
 * ligature and a letter with its mark, and reads a long Hindi syllable twice.
 */
const pdfiumReadings: Partial<Record<TranslationLanguage, string>> = {
  ar: "بالجميع، هذه هي الجملة",
  hi: "नमस्ते विद्यार्थियो, यह हिन्दी में क्षत्रिय और ज्ञान की",
};

/** Joins lines, because sentences continue over line breaks. */
const removeSpace = (text: string) => text.normalize("NFKC").replace(/\s+/g, "");

// `printed-lecture.test.tsx` and `export/languages.test.tsx` hold what is printed every time.
test("prints every script, with times, speakers and summary", { tag: "@nightly" }, async ({
  visit,
}) => {
  const page = await visit();
  await signUp(page);
  const targets = ["zh-cn", "zh", "ja", "ko", "ar", "hi", "ru"] as const;
  const id = await storeLecture(
    page,
    targets.map((language, at) => ({
      original: `This is the office sentence number ${at}.`,
      translated: sentences[language],
      translatedInto: language,
      speaker: String((at % 2) + 1),
      startMs: at * 61_000,
      endMs: at * 61_000 + 4_000,
    })),
    { title: "机器学习" },
  );
  const summary = "# Points\n\n- **First** point\n- 第二点";
  await callProcedure(page, "lectures.change", { id, speakerNames: { 1: "Ann" }, summary });

  for (const layout of ["columns", "stacked"]) {
    await openPrint(page, `lecture=${id}&layout=${layout}`);
    const text = (await printPages(page)).join("\n");
    const read = removeSpace(text);
    for (const language of targets) {
      const sentence = pdfiumReadings[language] ?? sentences[language];
      expect(sentences[language]).toContain(sentence);
      expect(read).toContain(removeSpace(sentence));
    }
    // PDFium reads columns next to Arabic as one line.
    for (const [at, language] of targets.entries())
      if (layout === "stacked" || language !== "ar")
        expect(text).toContain(`This is the office sentence number ${at}.`);
    expect(text).toMatch(/机器学习.*Summary.*Points.*First point.*第二点.*Transcript/s);
    for (const part of ["Ann", "S2", "0:00", "6:06", "1 / 1"]) expect(text).toContain(part);
    await expect(page).toHaveTitle("机器学习");
    await expect(page.locator("[lang=ar]")).toHaveAttribute("dir", "rtl");
  }

  await openPrint(page, `lecture=${id}&sides=translation&times=false&speakers=false&summary=false`);
  const text = (await printPages(page)).join("\n");
  expect(removeSpace(text)).toContain(removeSpace(sentences.ko));
  for (const part of ["office", "Ann", "6:06", "Points"]) expect(text).not.toContain(part);
});

test("prints 500 unbroken rows in light colours with a repeated head", { tag: "@nightly" }, async ({
  visit,
}) => {
  const page = await visit();
  await signUp(page);
  const rows = Array.from({ length: 500 }, (_, at) => ({
    original: `This is the office sentence number ${at}.`,
    translated: `${sentences["zh-cn"]}（${at}）`,
    startMs: at * 3_000,
    endMs: at * 3_000 + 2_900,
  }));
  const id = await storeLecture(page, rows.slice(0, 200), { title: "A term" });
  for (let from = 200; from < rows.length; from += 200) {
    const entries = rows
      .slice(from, from + 200)
      .map((row) => createEntry(row.original, row.startMs, { ...row, translatedInto: "zh-cn" }));
    await saveEntries(page, id, numberRows(entries, from));
  }
  await setLook(page, { language: "en", theme: "dark" });
  await openPrint(page, `lecture=${id}`);

  const pages = await printPages(page);
  for (const [at, text] of pages.entries()) {
    expect(text).toContain(`${at + 1} / ${pages.length}`);
    expect(text).toMatch(/English\s+简体中文/);
  }
  const found = pages.flatMap((text) => [...text.matchAll(/number\s+(\d+)\./g)]);
  expect(found.map(([, at]) => Number(at))).toEqual(rows.map((_, at) => at));
  // A row is not split: its translation is on the same page as its English.
  for (const text of pages) {
    const read = removeSpace(text);
    for (const [, at] of read.matchAll(/number(\d+)\./g)) expect(read).toContain(`(${at})`);
  }
  expect(pages.length).toBeLessThan(40);
  expect(pages.join("")).not.toContain("Home");

  await page.emulateMedia({ media: "print" });
  const colours = await page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d");
    const brightness = (colour: string) => {
      if (!canvas) throw new Error("No canvas");
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      return canvas.getImageData(0, 0, 1, 1).data[1];
    };
    const ink = getComputedStyle(document.querySelector(".printed td p") ?? document.body).color;
    return {
      ink: brightness(ink),
      paper: brightness(getComputedStyle(document.documentElement).backgroundColor),
    };
  });
  expect(colours.ink).toBeLessThan(80);
  expect(colours.paper).toBeGreaterThan(240);
});

test("opens the print view in a new tab from PDF in the export dialog", {
  tag: "@nightly",
}, async ({ visit, expectConsoleErrors }) => {
  // Of lectures that do not exist.
  expectConsoleErrors(/40[04]/);
  const page = await visit();
  await signUp(page);
  const id = await storeLecture(page, [{ original: "Good morning.", translated: "早上好。" }], {
    title: "Optics",
  });
  await page.goto(`/?lecture=${id}`);
  await page.getByRole("button", { name: "More actions", exact: true }).click();
  await page.getByRole("menuitem", { name: "Export", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Export lecture" });
  await dialog.getByRole("radio", { name: "PDF", exact: true }).check();
  await dialog.getByRole("radio", { name: "One below the other" }).check();
  await dialog.getByRole("checkbox", { name: "Times" }).uncheck();
  expect(await findBarriers(page, { within: "[role=dialog]" })).toEqual([]);
  const opening = page.context().waitForEvent("page");
  await dialog.getByRole("link", { name: "Print or save as PDF" }).press("Enter");
  const pages = await opening;
  await expect(pages.getByRole("heading", { name: "Optics" })).toBeVisible();
  await expect(pages).toHaveTitle("Optics");
  await expect(pages.getByText("早上好。")).toBeVisible();
  await expect(pages.getByText("0:00")).toBeHidden();
  // The original page does not change.
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(`/record?lecture=${id}`);
  await pages.getByRole("link", { name: "Back to lecture" }).click();
  await expect(pages).toHaveURL(`/record?lecture=${id}`);

  for (const search of ["", `lecture=${crypto.randomUUID()}`]) {
    await page.goto(`/print?${search}`);
    await expect(page.getByRole("alert")).toContainText("Lecture Not Found");
  }
});
