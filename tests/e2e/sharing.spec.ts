import type { Page } from "@playwright/test";
import { findBarriers } from "./support/axe.ts";
import {
  chooseFromMenu,
  getToastTitle,
  openLectures,
  password,
  signUp,
} from "./support/journey.ts";
import { callProcedure } from "./support/library.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

/** The owner's side of a shared lecture, without speech. */

const shareDialog = (page: Page) => page.getByRole("dialog", { name: "Share this lecture" });
const linkField = (page: Page) => page.getByRole("textbox", { name: "Link for readers" });
const shareButton = (page: Page, name = "Share live") =>
  page.getByRole("main").getByRole("button", { name, exact: true });

// `share-dialog.test.tsx` holds it every time, and `sharing-class.spec.ts` shares and stops.
test("shares before anything is recorded, by keyboard, on a projector, and stops", {
  tag: "@nightly",
}, async ({ visit }) => {
  const page = await visit();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await signUp(page, "/record");
  await shareButton(page).focus();
  await page.keyboard.press("Enter");
  await expect(linkField(page)).toHaveValue(/\/live\/[\w-]{22}$/);
  await shareDialog(page).getByRole("radio", { name: "While I record" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(shareDialog(page)).toContainText("The lecture stays readable after the recording");
  await page.keyboard.press("ArrowLeft");
  await expect(shareDialog(page)).toContainText("Ends when you save the lecture");
  const link = await linkField(page).inputValue();
  expect(await findBarriers(page)).toEqual([]);
  await shareDialog(page).getByRole("button", { name: "Copy" }).press("Enter");
  await expect(getToastTitle(page, "Link copied")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);

  const showLarge = shareDialog(page).getByRole("button", { name: "Show the code large" });
  await showLarge.press("Enter");
  const large = page.getByRole("dialog", { name: "Scan to read along" });
  await expect(large).toContainText(link.replace("http://", ""));
  await expect(large).toContainText("0 readers");
  for (const theme of ["dark", "light"] as const) {
    await page.evaluate(
      (dark) => document.documentElement.classList.toggle("dark", dark),
      theme === "dark",
    );
    expect(await findBarriers(page)).toEqual([]);
  }
  await page.keyboard.press("Escape");
  await expect(large).toBeHidden();
  await expect(showLarge).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(shareButton(page, "Shared · 0 readers")).toBeFocused();
  // The lecture was created for it.
  await expect((await openLectures(page)).getByRole("treeitem", { level: 2 })).toHaveCount(1);

  await page.reload();
  await shareButton(page, "Shared · 0 readers").click();
  await expect(linkField(page)).toHaveValue(link);
  await shareDialog(page).getByRole("button", { name: "Stop sharing" }).click();
  await expect(getToastTitle(page, "No longer shared")).toBeVisible();
  await expect(shareButton(page)).toBeVisible();
});

// `share-links.test.ts` and `share-dialog.test.tsx` hold it every time.
test("shows the link only where it was made, and renews it elsewhere", { tag: "@nightly" }, async ({
  visit,
}) => {
  const page = await visit();
  const email = await signUp(page);
  const id = await storeLecture(page, [{ original: "Heat flows.", translated: "热会流动。" }]);
  await page.goto(`/?lecture=${id}`);
  await shareButton(page).click();
  await expect(linkField(page)).toHaveValue(/\/live\/[\w-]{22}$/);
  // It is not being recorded: nothing but the person ends the share.
  await expect(shareDialog(page).getByRole("radio")).toHaveCount(0);
  const link = await linkField(page).inputValue();
  await page.keyboard.press("Escape");
  await expect(shareButton(page, "Shared · 0 readers")).toBeVisible();
  expect(await findBarriers(page)).toEqual([]);

  const other = await visit({ viewport: { width: 390, height: 844 } });
  await callProcedure(other, "auth.signIn", { email, password });
  await other.goto(`/record?lecture=${id}`);
  await chooseFromMenu(other, "Share…");
  await expect(shareDialog(other)).toContainText("shown only on the device that made it");
  await expect(linkField(other)).toBeHidden();
  expect(await findBarriers(other)).toEqual([]);
  await shareDialog(other).getByRole("button", { name: "New link" }).click();
  const question = other.getByRole("alertdialog", { name: "Make a new link?" });
  await question.getByRole("button", { name: "New link" }).click();
  await expect(linkField(other)).not.toHaveValue(link);
  await expect(linkField(other)).toHaveValue(/\/live\/[\w-]{22}$/);

  // The first device has the old link, which nobody can use any more.
  await page.reload();
  await shareButton(page, "Shared · 0 readers").click();
  await expect(shareDialog(page)).toContainText("shown only on the device that made it");
  await page.keyboard.press("Escape");
  const stored = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(await stored()).toContain(link.slice(-22));
  await (await openLectures(page)).getByRole("button", { name: /^Account menu/ }).click();
  await page.getByRole("menuitem", { name: "Sign Out" }).click();
  await page.waitForURL((url) => url.pathname === "/auth");
  expect(await stored()).not.toContain(link.slice(-22));
});
