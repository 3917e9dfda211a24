import {
  ageSignIns,
  expireLinks,
  getButton,
  getField,
  interfaceTexts,
  runSql,
  signUpOnForm,
  waitForMailLink,
} from "#tests/e2e/support/accounts.ts";
import { getPlan, openCheckout, openPlans } from "#tests/e2e/support/billing.ts";
import { createAddress, password, signUp } from "#tests/e2e/support/journey.ts";
import { type Site, startSite } from "#tests/e2e/support/site.ts";
import { storeLecture } from "#tests/e2e/support/stored.ts";
import { test as base, expect } from "#tests/e2e/support/test.ts";
import { capture, looks, showSummary } from "./shoot.ts";

/** Refusals and confirmations. */
const createTest = (env: Record<string, string>) =>
  base.extend<object, { site: Site }>({
    site: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from this pattern
      async ({}, use) => {
        const site = await startSite({ env });
        await use(site);
        await site.close();
      },
      { scope: "worker", timeout: 120_000 },
    ],
  });

const test = createTest({});
test.beforeEach(({ expectConsoleErrors }) => expectConsoleErrors(/status of 4\d\d/));

test("captures the repeated request for the password", async ({ visit, site }) => {
  const email = createAddress();
  const page = await visit();
  await signUpOnForm(page, interfaceTexts.en, email);
  await ageSignIns(site, email);
  await capture(page, "delete-password", "/profile", looks, async (shown, _say, language) => {
    const say = interfaceTexts[language];
    await getButton(shown, say.deleteAccount).click();
    await getField(shown, say.typeDelete).fill("delete");
    const dialog = shown.getByRole("dialog", { name: say.deleteAccount });
    await dialog.getByRole("button", { name: say.deleteAccount }).click();
    await expect(dialog.getByLabel(say.currentPassword, { exact: true })).toBeVisible();
  });
  await page.goto("/profile");
  await openPlans(page);
  const tab = await openCheckout(page, "Upgrade to Pro");
  await getButton(tab, "Pay $13.99").click();
  await expect(getPlan(page, "Pro")).toContainText("Current plan");
  await tab.close();
  await capture(page, "plan-password", "/profile", looks, async (shown, say, language) => {
    await openPlans(shown, language);
    await getButton(shown, say("plans.upgrade").replace("{plan}", say("plan.premium"))).click();
    const dialog = shown.getByRole("alertdialog");
    await expect(dialog).toBeVisible();
    const secret = dialog.getByLabel(interfaceTexts[language].currentPassword, { exact: true });
    if (await secret.isVisible()) return;
    await dialog.getByRole("button").last().click();
    await expect(secret).toBeVisible();
  });
});

test("captures an expired link, an unknown payment, and an unreadable file", async ({
  visit,
  site,
}) => {
  const email = createAddress();
  const page = await visit();
  await signUpOnForm(page, interfaceTexts.en, email);
  const link = await waitForMailLink(site, email);
  await expireLinks(site, email);
  await capture(page, "new-link", link, looks, async (shown, say) => {
    await getButton(shown, say("confirmation.retry")).click();
    await expect(shown.getByText(email)).toBeVisible();
  });
  await capture(page, "checkout-unknown", "/profile?checkout=success");
  await capture(page, "import-refused", "/", looks, async (shown, say) => {
    await shown.getByRole("button", { name: say("home.import"), exact: true }).click();
    await shown.locator("[role=dialog] input[type=file]").setInputFiles({
      name: "entropy.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from("%PDF"),
    });
    await expect(shown.getByRole("dialog").getByRole("alert")).toBeVisible();
  });
});

test("captures a used-up daily budget", async ({ visit, site }) => {
  const page = await visit();
  const email = await signUp(page);
  const spend = `insert into daily_counters (day, key, amount)
    select current_date, 'model:user:' || id, 1000000000 from users where email = $1`;
  await runSql(site, spend, [email]);
  const id = await storeLecture(page, [{ original: "Energy is conserved.", translated: "" }]);
  await capture(page, "daily-limit", `/record?lecture=${id}`, looks, async (shown, say) => {
    await showSummary(shown, say);
    await getButton(shown, say("summary.generate")).click();
    await expect(shown.getByText(say("notice.modelBudgetExhausted")).first()).toBeVisible();
  });
});

const testWithChallenge = createTest({
  TURNSTILE_SITE_KEY: "3x00000000000000000000FF",
  TURNSTILE_SECRET_KEY: "1x0000000000000000000000000000000AA",
});

testWithChallenge("captures the challenge", async ({ visit, expectConsoleErrors }) => {
  expectConsoleErrors(/status of 4\d\d/);
  const page = await visit();
  await page.goto("/auth");
  await capture(page, "challenge", "/auth", looks, async (shown, _say, language) => {
    const say = interfaceTexts[language];
    await getButton(shown, say.createAccount).click();
    await getField(shown, say.email).fill(createAddress());
    await getField(shown, say.password).fill(password);
    await getField(shown, say.confirmPassword).fill(password);
    await getButton(shown, say.createAccount).click();
    await expect(shown.getByRole("dialog")).toBeVisible();
  });
});
