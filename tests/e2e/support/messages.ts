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
  const wanted =
    text === undefined ? box : box.filter({ has: page.getByText(text, { exact: true }) });
  await expect(wanted.first()).toBeVisible({ timeout: 20_000 });
  // The close button follows the Undo button of some toasts. On a busy machine the toast may have closed by itself.
  await wanted
    .first()
    .locator("button")
    .evaluateAll((buttons: HTMLElement[]) => buttons.at(-1)?.click());
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
