import { expect, type Page } from "@playwright/test";

/** Expects a toast with this exact title and text, then closes it, as the next one may be equal. */
export async function expectToast(
  page: Page,
  title: string,
  text?: string | RegExp,
  { notifications = "Notifications" } = {},
): Promise<void> {
  // By attributes, because toasts are announced by another element. A closed toast fades out.
  const box = page
    .getByRole("region", { name: notifications })
    .locator("[role=group]:not([data-ending-style])")
    .filter({ has: page.getByText(title, { exact: true }) });
  await expect(box.first()).toBeVisible({ timeout: 20_000 });
  if (text !== undefined) await expect(box.first().getByText(text, { exact: true })).toBeVisible();
  // The close button follows the Undo button of some toasts.
  await box.first().locator("button").last().click();
  await expect(box).toHaveCount(0);
}

/** Expects an alert dialog and closes it by the button `answer`. */
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
