import { expect, type Locator, type Page } from "@playwright/test";

/** A part of the lecture that is shown: in the column beside its text, or in the place of that. */
export const getPart = (page: Page, name: "Summary" | "Ask"): Locator =>
  page.getByRole("tabpanel", { name, exact: true });

/** Opens the column beside the text if it is closed, and in any case the part. Returns it. */
export async function openPart(page: Page, name: "Summary" | "Ask"): Promise<Locator> {
  const tab = page.getByRole("tab", { name, exact: true });
  const column = page.getByRole("button", { name: "Summary and questions" });
  await expect(tab.or(column).first()).toBeVisible();
  if (await tab.isHidden()) await column.click();
  await tab.click();
  await expect(getPart(page, name)).toBeVisible();
  return getPart(page, name);
}
