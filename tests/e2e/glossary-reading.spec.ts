import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { getToastTitle, openTextCard, signUp } from "./support/journey.ts";
import { callProcedure } from "./support/library.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

const readRowBoxes = (page: Page) =>
  page.locator("[data-row]").evaluateAll((rows) =>
    rows.map((row) => {
      const { x, y, width, height } = row.getBoundingClientRect();
      return [x, y, width, height].map(Math.round);
    }),
  );

/** Double-clicks `word` in the transcript. */
async function selectWord(page: Page, word: string): Promise<void> {
  const place = await page.evaluate((word) => {
    const paragraphs = [...document.querySelectorAll("[data-row] p")];
    const paragraph = paragraphs.find(({ textContent }) => textContent?.includes(word));
    const text = [...(paragraph?.childNodes ?? [])].find((node) => node instanceof Text);
    if (!text) throw new Error(`No ${word}`);
    const range = document.createRange();
    const from = text.data.indexOf(word);
    range.setStart(text, from);
    range.setEnd(text, from + word.length);
    const { x, y, width, height } = range.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  }, word);
  await page.mouse.dblclick(place.x, place.y);
}

test("looks up a word of a stored lecture, adds it to its folder's glossary, and moves no row", {
  tag: "@nightly",
}, async ({ visit }) => {
  const page = await visit();
  await signUp(page, "/");
  const lectureId = await storeLecture(
    page,
    [
      { original: "Cells divide by mitosis.", translated: "细胞通过有丝分裂进行分裂。" },
      {
        original: "Each daughter gets the same chromosomes.",
        translated: "每个子细胞得到相同的染色体。",
      },
    ],
    { title: "Cell division" },
  );
  const folderId = randomUUID();
  await callProcedure(page, "folders.create", {
    id: folderId,
    name: "Cells",
    parentFolderId: null,
  });
  await callProcedure(page, "lectures.move", { id: lectureId, folderId });
  await page.goto(`/record?lecture=${lectureId}`);
  await expect(page.locator("[data-row]")).toHaveCount(2);
  const before = await readRowBoxes(page);

  await selectWord(page, "mitosis");
  const bar = page.getByRole("toolbar", { name: "Selected words" });
  await bar.getByRole("button", { name: "Look up" }).click();
  const lookUp = page.getByRole("dialog", { name: "Look up" });
  await expect(lookUp).toContainText("mitosis: Cells divide by mitosis.");
  expect(await readRowBoxes(page)).toEqual(before);
  await lookUp.getByRole("button", { name: "Add to glossary" }).click();
  const card = page.getByRole("dialog", { name: "Add to glossary" });
  await expect(card.getByLabel("Term (English)")).toHaveValue("mitosis");
  await card.getByLabel(/^Translation/).fill("有丝分裂");
  expect(await readRowBoxes(page)).toEqual(before);
  await page.keyboard.press("Enter");
  await expect(getToastTitle(page, "“mitosis” is in the glossary")).toBeVisible();
  expect(await readRowBoxes(page)).toEqual(before);

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Export" }).click();
  const form = page.getByRole("dialog", { name: "Export lecture" });
  await form.getByText("Markdown").click();
  await expect(form.getByLabel("Terms")).toBeChecked();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    form.getByRole("button", { name: "Export" }).click(),
  ]);
  expect(await readFile(await download.path(), "utf8")).toContain(
    "## Terms\n\n- **mitosis** – 有丝分裂\n",
  );

  await openTextCard(page);
  await page.getByRole("link", { name: "1 term from Cells" }).click();
  await expect(page).toHaveURL(`/glossary?folder=${folderId}`);
  await expect(page.getByRole("main")).toContainText("mitosis");
});

// The browser closes the connection, and the runtime does not see that before it sends something.
test("ends the model's work when the person closes what they wait for", {
  tag: "@nightly",
}, async ({ visit, site }) => {
  const page = await visit();
  await signUp(page, "/");
  const sentence = "Cells also divide by meiosis.";
  const lectureId = await storeLecture(
    page,
    [{ original: sentence, translated: "细胞也通过减数分裂进行分裂。" }],
    { title: "Cell division" },
  );
  const fault = { match: sentence, delayMs: 120_000 };
  await fetch(`${site.stackUrl}/llm/control`, { method: "POST", body: JSON.stringify(fault) });
  const countOpen = async (): Promise<number> => {
    const url = `${site.stackUrl}/llm/open?match=${encodeURIComponent(sentence)}`;
    return (await (await fetch(url)).json()).open;
  };
  await page.goto(`/record?lecture=${lectureId}`);
  await expect(page.locator("[data-row]")).toHaveCount(1);
  await selectWord(page, "meiosis");
  const bar = page.getByRole("toolbar", { name: "Selected words" });
  await bar.getByRole("button", { name: "Look up" }).click();
  const lookUp = page.getByRole("dialog", { name: "Look up" });
  await expect(lookUp).toBeVisible();
  await expect.poll(countOpen).toBe(1);
  await page.keyboard.press("Escape");
  await expect(lookUp).toBeHidden();
  await expect.poll(countOpen).toBe(0);
});
