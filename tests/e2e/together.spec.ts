import type { Page } from "@playwright/test";
import { runSql } from "./support/accounts.ts";
import { findBarriers } from "./support/axe.ts";
import { getToastTitle, signUp } from "./support/journey.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript } from "./support/transcript.ts";

const getRow = (page: Page, text: string) =>
  getTranscript(page).locator("[data-row]", { hasText: text });

async function correct(page: Page, before: string, after: string): Promise<void> {
  await getRow(page, before).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "English" }).fill(after);
  await page.keyboard.press("Control+Enter");
}

// `people.test.ts` holds the rules every time.
test("two people correct a lecture, and each sees what the other has written, until it ends", {
  tag: "@nightly",
}, async ({ visit, site }) => {
  const [owner, ann] = [await visit(), await visit({ viewport: { width: 390, height: 844 } })];
  const [ownersEmail, annsEmail] = [await signUp(owner), await signUp(ann)];
  const [ownersName, annsName] = [ownersEmail, annsEmail].map((email) => email.split("@")[0]);
  await runSql(site, "update users set email_verified_at = now() where email in ($1, $2)", [
    ownersEmail,
    annsEmail,
  ]);
  const title = "Waves in two media";
  const rows = [{ original: "A wave is slow.", translated: "波很慢。" }];
  const id = await storeLecture(owner, rows, { title });

  await owner.goto(`/record?lecture=${id}`);
  await owner.getByRole("main").getByRole("button", { name: "Share live" }).click();
  const dialog = owner.getByRole("dialog", { name: "Share this lecture" });
  await dialog.getByRole("button", { name: "Share with named people" }).click();
  await dialog.getByRole("textbox", { name: "Email address" }).fill(annsEmail);
  await dialog.getByRole("button", { name: "Invite" }).click();
  await expect(dialog.getByRole("status")).toHaveText("Invitation sent");
  expect(await findBarriers(owner)).toEqual([]);
  await owner.keyboard.press("Escape");

  await ann.goto("/shared");
  await ann.getByRole("link", { name: title }).click();
  await expect(getRow(ann, "A wave is slow.")).toBeVisible();
  expect(await findBarriers(ann)).toEqual([]);
  await correct(ann, "A wave is slow.", "A wave slows down.");
  await expect(getRow(owner, "A wave slows down.")).toContainText(`Corrected by ${annsName}`);
  await correct(owner, "A wave slows down.", "A wave slows down in glass.");
  await expect(getRow(ann, "A wave slows down in glass.")).toContainText(
    `Corrected by ${ownersName}`,
  );
  await expect(getRow(owner, "A wave slows down in glass.")).not.toContainText("Corrected by");

  await owner
    .getByRole("main")
    .getByRole("button", { name: /^Shared/ })
    .click();
  await dialog.getByRole("button", { name: "Share with named people" }).click();
  await dialog.getByRole("button", { name: `Remove ${annsEmail}` }).click();
  await expect(getToastTitle(owner, "Access ended")).toBeVisible();
  await expect(ann.getByRole("alert")).toContainText("This lecture is not shared with you");
  await expect(getTranscript(ann)).toBeHidden();
});
