import type { Page } from "@playwright/test";
import { showResetForm } from "../e2e/support/accounts.ts";
import { openPlans } from "../e2e/support/billing.ts";
import {
  enterAsGuest,
  heard,
  record,
  recordingOf,
  signUp,
  stopAndSettle,
} from "../e2e/support/journey.ts";
import { setLook } from "../e2e/support/look.ts";
import { expect, test } from "../e2e/support/test.ts";

const widths = [390, 768, 1440];

/**
 * The page as it stands, in both languages, both themes and three widths; English and light at the
 * end. `open` leads on from `path` to a view without an address of its own.
 */
async function shoot(
  page: Page,
  name: string,
  path: string,
  open: (language: "en" | "zh") => Promise<void> = async () => {},
): Promise<void> {
  for (const language of ["zh", "en"] as const) {
    for (const theme of ["dark", "light"] as const) {
      await setLook(page, { language, theme });
      await page.goto(path);
      await expect(page.locator("main")).toBeVisible();
      await open(language);
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      for (const width of widths) {
        await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
        await page.screenshot({ path: `screenshots/${name}-${language}-${theme}-${width}.png` });
      }
    }
  }
}

test("doors and empty pages", async ({ visit }) => {
  const page = await visit();
  await page.goto("/auth");
  await shoot(page, "auth", "/auth");
  await shoot(page, "not-found", "/no-such-page");
  await shoot(page, "email-confirmation", "/email-confirmation");
  await shoot(page, "profile-denied", "/profile");
  await shoot(page, "reset-refused", "/reset-password");
  await showResetForm(page);
  await shoot(page, "reset-password", "/reset-password");
  await enterAsGuest(page);
  await shoot(page, "guest-home", "/");
  await shoot(page, "guest-record", "/record");
});

test("a plan: none, one that is paid for, one that ends", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  const toPlans = (language: "en" | "zh") => openPlans(page, language);
  await shoot(page, "plans", "/profile", toPlans);
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Simulate Pro payment" }).click();
  await expect(page.getByText(/^Renews/)).toBeVisible();
  await shoot(page, "plans-pro", "/profile", toPlans);
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Simulate downgrade" }).click();
  await expect(page.getByText(/^Access until/)).toBeVisible();
  await shoot(page, "profile-ending", "/profile");
  await shoot(page, "plans-ending", "/profile", toPlans);
});

test("a lecture: while it is recorded, paused, in the list, opened", async ({ visit }) => {
  const { wav, fixture } = await recordingOf({ to: 20, wordsPerSentence: 5 });
  const page = await visit({ wav });
  await signUp(page);
  await shoot(page, "home-empty", "/");
  await shoot(page, "profile", "/profile");
  await page.goto("/record");
  await record(page);
  await heard(page, fixture.sentences[1]?.text ?? "", fixture.durationMs);
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
    await page.screenshot({ path: `screenshots/recording-en-light-${width}.png` });
  }
  await heard(page, fixture.sentences.at(-1)?.text ?? "", fixture.durationMs);
  await stopAndSettle(page);
  await expect(page).toHaveURL(/lecture=/);
  const address = new URL(page.url());
  await shoot(page, "record", address.pathname + address.search);
  await shoot(page, "home", "/");
  await shoot(page, "detail", `/${address.search}`);
});
