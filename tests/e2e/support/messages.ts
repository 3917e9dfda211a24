import { expect, type Page } from "@playwright/test";

/** A toast, word for word, which is then closed: the next one may say the same. */
export async function expectToast(
  page: Page,
  title: string,
  text?: string | RegExp,
  { notifications = "Notifications" } = {},
): Promise<void> {
  // By attributes: what a toast says is announced elsewhere, and its button is none to announce. One
  // that was closed takes a moment to go.
  const box = page
    .getByRole("region", { name: notifications })
    .locator("[role=group]:not([data-ending-style])")
    .filter({ has: page.getByText(title, { exact: true }) });
  await expect(box.first()).toBeVisible({ timeout: 20_000 });
  if (text !== undefined) await expect(box.first().getByText(text, { exact: true })).toBeVisible();
  // Behind the way back that some offer.
  await box.first().locator("button").last().click();
  await expect(box).toHaveCount(0);
}

/** An alert that stays, answered by `answer`. */
export async function answerAlert(
  page: Page,
  title: string,
  text: string,
  answer: string,
): Promise<void> {
  const alert = page.getByRole("alertdialog", { name: title });
  await expect(alert.getByText(text, { exact: true })).toBeVisible();
  await alert.getByRole("button", { name: answer }).click();
  await expect(alert).toBeHidden();
}
