import type { Page } from "@playwright/test";
import type { Glossary, TermPair } from "#shared/glossary.ts";
import { createPdf, createPptx } from "#tests/fixtures/slide-files.ts";
import { findBarriers } from "./support/axe.ts";
import { dropFile } from "./support/dropped-file.ts";
import { type MessageKey, messages } from "./support/interface.ts";
import { continueRecording, createSpeech, signUp, stopRecording } from "./support/journey.ts";
import { getFolder } from "./support/lecture-list.ts";
import { callProcedure, query, storeFolder } from "./support/library.ts";
import { installMicrophone } from "./support/microphone.ts";
import { matchCalls } from "./support/procedures.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

/** From slides and notes to the glossary of a folder. */

const t = (key: MessageKey) => messages.en[key];

const slides = createPptx([
  { lines: ["Walther Flemming", "Mitosis divides one nucleus into two."] },
  { lines: ["Mitosis and cytokinesis"], notes: "Cytokinesis follows mitosis." },
]);
const notes = createPdf(["Meiosis halves the chromosomes.", "Meiosis makes gametes."]);

const getDialog = (page: Page) => page.getByRole("dialog");
const takeTerm = (page: Page, term: string) => getDialog(page).getByLabel(`Take “${term}”`).check();

/** Adds what is taken; the dialog closes. */
async function addTaken(page: Page, count: string): Promise<void> {
  await getDialog(page)
    .getByRole("button", { name: `Add ${count}`, exact: true })
    .click();
  await expect(getDialog(page)).toBeHidden();
}

async function listTerms(page: Page, folderId: string): Promise<object[]> {
  const { terms }: Glossary = await query(page, "glossary.get", { folderId });
  return terms
    .toSorted((a, b) => a.position - b.position)
    .map(({ folderId, term, origin }) => ({ folderId, term, file: origin.name }));
}

test("takes terms of slides and notes into folders, and undoes it", { tag: "@nightly" }, async ({
  visit,
}) => {
  const page = await visit();
  await signUp(page);
  const biology = await storeFolder(page, "Biology");
  const cells = await storeFolder(page, "Cells", biology);
  await page.goto(`/?folder=${biology}`);
  await expect(getFolder(page, "Biology")).toBeVisible();
  const dialog = getDialog(page);

  // What takes dropped files comes after the first paint.
  await expect(async () => {
    await dropFile(page, "main", { name: "cells.pptx", bytes: slides });
    await expect(dialog).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(dialog.getByText("2 slides with text")).toBeVisible();
  await expect(dialog.getByText(t("proposals.sent"))).toBeVisible();
  await dialog.getByRole("button", { name: t("proposals.propose") }).click();
  const list = dialog.getByRole("list", { name: t("proposals.list") });
  await expect(list.getByLabel(t("proposals.term")).first()).toHaveValue("Walther Flemming");
  await expect(list.getByRole("checkbox", { checked: true })).toHaveCount(0);
  await expect(list).toContainText("Slide 1: Mitosis divides one nucleus into two.");
  expect(await findBarriers(page)).toEqual([]);
  await takeTerm(page, "Walther Flemming");
  await takeTerm(page, "mitosis");
  await addTaken(page, "2 terms");
  const taken = [
    { folderId: biology, term: "Walther Flemming", file: "cells.pptx" },
    { folderId: biology, term: "mitosis", file: "cells.pptx" },
  ];
  expect(await listTerms(page, biology)).toEqual(taken);

  // A file that is not what it seems, and then the notes, which are for the folder below.
  await dropFile(page, "main", { name: "notes.pdf", bytes: Buffer.from("<html>") });
  await expect(dialog.getByText(t("proposals.refused.misnamed"))).toBeVisible();
  await dialog
    .locator("input[type=file]")
    .setInputFiles({ name: "notes.pdf", mimeType: "application/pdf", buffer: Buffer.from(notes) });
  await expect(dialog.getByText("2 pages with text")).toBeVisible();
  await dialog.getByRole("combobox", { name: t("proposals.folder") }).click();
  await page.getByRole("option", { name: "Biology › Cells" }).click();
  await dialog.getByRole("button", { name: t("proposals.propose") }).click();
  await takeTerm(page, "gametes");
  await addTaken(page, "1 term");
  const below = { folderId: cells, term: "gametes", file: "notes.pdf" };
  expect(await listTerms(page, cells)).toEqual(expect.arrayContaining([...taken, below]));

  await page
    .getByRole("button", { name: t("proposals.undo") })
    .last()
    .click();
  await expect.poll(() => listTerms(page, cells)).toEqual(taken);
});

/** What the page asks to be translated. */
function watchTranslations(page: Page): { text: string; terms?: TermPair[] }[] {
  const inputs: { text: string; terms?: TermPair[] }[] = [];
  page.on("request", (request) => {
    if (!matchCalls("ai.translate").test(request.url())) return;
    // One request may make other calls too, whose input has no text.
    const calls = Object.values<Partial<(typeof inputs)[number]>>(request.postDataJSON());
    for (const { text, ...rest } of calls) if (text !== undefined) inputs.push({ text, ...rest });
  });
  return inputs;
}

// `glossary/queries.test.ts`, `session-terms.test.ts` and `speech-terms.test.ts` hold it every time.
test("gives a folder's terms to a lecture two folders below, and the nearest ones", {
  tag: "@nightly",
}, async ({ visit, site }) => {
  // Number words, three in a sentence.
  const fixture = createSpeech({ to: 9, wordsPerSentence: 3, sentencesPerSpeaker: 0 });
  const page = await visit();
  await installMicrophone(page.context(), fixture);
  await signUp(page);
  const biology = await storeFolder(page, "Biology");
  const cells = await storeFolder(page, "Cells", biology);
  const week = await storeFolder(page, "Week 1", cells);
  const id = await storeLecture(page, [{ original: "Welcome.", translated: "欢迎。" }]);
  await callProcedure(page, "lectures.move", { id, folderId: week });
  await page.goto(`/record?lecture=${id}`);

  /** Drops slides on a folder of the sidebar, and adds `terms` with their translations. */
  async function addFrom(folderId: string, terms: Record<string, string>): Promise<void> {
    const row = `[data-drop-folder="${folderId}"][role=treeitem]`;
    await expect(page.locator(row).first()).toBeVisible();
    const bytes = createPptx([{ lines: Object.keys(terms) }]);
    await expect(async () => {
      await dropFile(page, row, { name: "numbers.pptx", bytes });
      await expect(getDialog(page)).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await getDialog(page)
      .getByRole("button", { name: t("proposals.propose") })
      .click();
    for (const [at, [term, translation]] of Object.entries(terms).entries()) {
      await takeTerm(page, term);
      await getDialog(page).getByLabel(t("proposals.translation")).nth(at).fill(translation);
    }
    const { length } = Object.keys(terms);
    await addTaken(page, length === 1 ? "1 term" : `${length} terms`);
  }
  const translations = watchTranslations(page);
  const findTerms = (word: string) =>
    translations.findLast(({ text }) => text.toLowerCase().includes(word))?.terms;

  await addFrom(biology, { three: "叁", seven: "柒" });
  await continueRecording(page);
  await expect.poll(() => findTerms("three")).toEqual([{ source: "three", target: "叁" }]);
  await expect.poll(() => findTerms("seven")).toEqual([{ source: "seven", target: "柒" }]);
  const start = (await (await fetch(`${site.stackUrl}/soniox/control`)).json()).sessions.at(
    -1,
  )?.start;
  expect(start).toMatchObject({
    context: {
      terms: expect.arrayContaining(["three", "seven"]),
      translation_terms: expect.arrayContaining([{ source: "three", target: "叁" }]),
    },
  });
  await stopRecording(page);

  const { terms }: Glossary = await query(page, "glossary.get", { folderId: biology });
  const removed = terms.find(({ term }) => term === "seven")?.id;
  const change = { folderId: biology, changes: [{ id: removed, isDeleted: true }] };
  await callProcedure(page, "glossary.change", change);
  await addFrom(cells, { three: "仨" });
  translations.length = 0;
  await continueRecording(page);
  await expect.poll(() => findTerms("three")).toEqual([{ source: "three", target: "仨" }]);
  await expect.poll(() => translations.some(({ text }) => /seven/i.test(text))).toBe(true);
  expect(findTerms("seven")).toBeUndefined();
});
