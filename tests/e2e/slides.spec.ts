import type { Locator, Page } from "@playwright/test";
import { createPdf } from "#tests/fixtures/slide-files.ts";
import { findBarriers } from "./support/axe.ts";
import { signUp } from "./support/journey.ts";
import { callProcedure, query } from "./support/library.ts";
import { measureSidewaysScroll } from "./support/look.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

const sentences = [
  "Good morning, and welcome back.",
  "Let us begin with photosynthesis.",
  "In photosynthesis, chlorophyll takes up light.",
  "Now we turn to the mitochondria.",
  "Mitochondria burn glucose for the cell.",
  "And at last the ribosomes, which read messenger RNA.",
  "Ribosomes make proteins of it.",
];
const pages = [
  "Photosynthesis\nChlorophyll takes up light",
  "Mitochondria\nGlucose in the cell",
  "Ribosomes\nProteins from messenger RNA",
];

const openSlides = async (page: Page): Promise<Locator> => {
  await page.getByRole("button", { name: "More actions" }).first().click();
  await page.getByRole("menuitem", { name: "Improve text and speakers…" }).click();
  await page.getByRole("button", { name: "Slides…" }).click();
  return page.getByRole("dialog", { name: "Slides" });
};

const listTops = (rows: Locator) =>
  rows.evaluateAll((all) => all.map((row) => Math.round(row.getBoundingClientRect().top)));

test("places the pages of a PDF at the sentences that speak of them, and keeps them", {
  tag: "@nightly",
}, async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  const id = await storeLecture(
    page,
    sentences.map((original, at) => ({
      original,
      translated: "译文。",
      startMs: at * 4_000,
      endMs: at * 4_000 + 3_500,
    })),
    { title: "The cell" },
  );
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/record?lecture=${id}`);
  const rows = page.locator("[data-row]");
  await expect(rows).toHaveCount(sentences.length);
  const tops = await listTops(rows);

  await test.step("from a file, without moving a sentence", async () => {
    const dialog = await openSlides(page);
    await expect(dialog).toContainText("There are no slides yet.");
    await dialog.getByLabel("Add PDF or pictures").setInputFiles({
      name: "cell.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from(createPdf(pages)),
    });
    await expect(dialog.getByRole("listitem")).toHaveCount(3);
    await expect(dialog.getByRole("listitem").nth(1)).toContainText(
      "Now we turn to the mitochondria.",
    );
    expect(await findBarriers(page), "the dialog").toEqual([]);
    await expect(dialog.getByText("to be sent")).toHaveCount(0);
    await page.keyboard.press("Escape");
    for (const [at, row] of [1, 3, 5].entries())
      await expect(
        rows.nth(row).getByRole("button", { name: "Show slide" }),
        `page ${at}`,
      ).toBeVisible();
    expect(await listTops(rows)).toEqual(tops);
  });

  await test.step("large beside the text, and moved by hand", async () => {
    await rows.nth(3).getByRole("button", { name: "Show slide" }).click();
    const view = page.getByRole("region", { name: "Slide 2 of 3" });
    await expect(view).toContainText("Glucose in the cell");
    const picture = view.getByRole("img");
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalHeight))
      .toBe(1_280);
    await view.getByRole("button", { name: "One sentence later" }).click();
    await expect(rows.nth(4).getByRole("button", { name: "Show slide" })).toBeVisible();
    await view.getByRole("button", { name: "Choose its sentence" }).click();
    await rows.nth(6).click();
    await expect(rows.nth(6).getByRole("button", { name: "Show slide" })).toBeVisible();
    expect(await findBarriers(page), "the column").toEqual([]);
    await page.keyboard.press("Escape");
    await expect(view).toBeHidden();
  });

  await test.step("which readers of a share see, if they may", async () => {
    const { code } = await callProcedure(page, "shares.create", {
      lectureId: id,
      mode: "until_revoked",
      mayCopy: false,
      showsSlides: true,
    });
    const reader = await visit();
    await reader.goto(`/live/${code}`);
    const shared = reader.locator("[data-row]");
    await shared.nth(5).getByRole("button", { name: "Show slide" }).click();
    const picture = reader.getByRole("img", { name: /^Ribosomes/ });
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalHeight))
      .toBe(1_280);
    await expect(reader.getByRole("button", { name: "Delete slide" })).toHaveCount(0);
  });

  await test.step("and they are there again, also on a phone", async () => {
    await page.setViewportSize({ width: 320, height: 720 });
    await page.reload();
    await rows.nth(1).getByRole("button", { name: "Show slide" }).click();
    const sheet = page.getByRole("dialog", { name: "Slide 1 of 3" });
    await expect(sheet).toContainText("Chlorophyll");
    await expect.poll(() => measureSidewaysScroll(page)).toBe(0);
    await sheet.getByRole("button", { name: "Delete slide" }).click();
    await expect
      .poll(async () =>
        (await query(page, "slides.list", { lectureId: id })).map(
          ({ page: number, placedBy }: { page: number; placedBy: string }) => [number, placedBy],
        ),
      )
      .toEqual([
        [3, "words"],
        [2, "person"],
      ]);
  });
});
