import type { Page } from "@playwright/test";
import { findBarriers } from "./support/axe.ts";
import { signUp } from "./support/journey.ts";
import { storeFolder } from "./support/library.ts";
import { expect, test } from "./support/test.ts";

const getCell = (page: Page, row: number, column: number) =>
  page.getByRole("grid").getByRole("row").nth(row).locator("th, td").nth(column);

// `glossary-view.test.tsx`, `glossary/queries.test.ts` and `user-channel.test.ts` hold it every time.
test("two tabs edit one glossary, and each shows what the other has changed", {
  tag: "@nightly",
}, async ({ visit }) => {
  const first = await visit();
  await signUp(first, "/");
  const folder = await storeFolder(first, "Cells");
  const second = await first.context().newPage();
  for (const page of [first, second]) {
    await page.goto(`/glossary?folder=${folder}`);
    await expect(page.getByRole("grid")).toBeVisible();
  }
  // Enter in the last row goes on to the next term.
  await getCell(first, 1, 0).click();
  for (const [term, translation] of [
    ["ribosome", "核醣体"],
    ["cell", "细胞"],
  ] as const) {
    await first.keyboard.type(term);
    await first.keyboard.press("Tab");
    await first.keyboard.type(translation);
    await first.keyboard.press("Enter");
  }
  await expect(getCell(second, 2, 1)).toHaveText("细胞");

  // A note that is being typed stays while the other tab corrects the translation, and both are kept.
  await getCell(second, 1, 2).click();
  await second.keyboard.type("makes proteins");
  await getCell(first, 1, 1).click();
  await first.keyboard.type("核糖体");
  await first.keyboard.press("Enter");
  await expect(getCell(second, 1, 1)).toHaveText("核糖体");
  const note = second.getByRole("textbox", { name: "Note: ribosome" });
  await expect(note).toBeFocused();
  await expect(note).toHaveValue("makes proteins");
  await second.keyboard.press("Enter");
  await expect(getCell(first, 1, 2)).toHaveText("makes proteins");

  // What one tab deletes, it brings back for both.
  await getCell(second, 1, 0).click();
  await second.keyboard.press("Delete");
  await expect(getCell(first, 1, 0)).toHaveText("cell");
  await second.keyboard.press("ControlOrMeta+z");
  await expect(getCell(first, 1, 0)).toHaveText("ribosome");
  await expect(getCell(first, 1, 1)).toHaveText("核糖体");

  // A folder below has both from above.
  const below = await storeFolder(first, "Plants", folder);
  await first.goto(`/glossary?folder=${below}`);
  await first.getByRole("button", { name: "Leave out cell here" }).click();
  await expect(first.getByText("Left out in Plants")).toBeVisible();
  await getCell(first, 1, 0).click();
  expect(await findBarriers(first)).toEqual([]);
});
