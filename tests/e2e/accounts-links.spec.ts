import {
  createAccount,
  expireLinks,
  getButton,
  getField,
  getHeading,
  getLinkToken,
  getToastText,
  interfaceTexts,
  requestPasswordReset,
  signIn,
  signUpOnForm,
  waitForMailLink,
} from "./support/accounts.ts";
import { messages } from "./support/interface.ts";
import { createAddress, signUp } from "./support/journey.ts";
import { callProcedure } from "./support/library.ts";
import { expect, test } from "./support/test.ts";

const say = interfaceTexts.en;
const refused = /status of 4\d\d/;

test.beforeEach(({ expectConsoleErrors }) => expectConsoleErrors(refused));

// `link-pages.test.tsx` and `accounts/confirmation.test.ts` hold both halves every time.
test("replaces an expired confirmation link from its page", { tag: "@nightly" }, async ({
  visit,
  site,
}) => {
  const language = "zh";
  const say = interfaceTexts[language];
  const text = messages[language];
  const email = createAddress();
  const page = await visit({ language });
  await signUpOnForm(page, say, email);
  const link = await waitForMailLink(site, email);
  await expireLinks(site, email);
  await page.goto(link);
  await expect(getHeading(page, text["link.expired"])).toBeVisible();
  await expect(page.getByText(text["confirmation.expiredText"])).toBeVisible();

  // Also on /auth for a signed-in user.
  await getButton(page, text["confirmation.retry"]).click();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(getHeading(page, text["newLink.title"])).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();
  await getButton(page, text["confirm.resend"]).click();
  await expect(getToastText(page, text["confirm.sent"], say)).toBeVisible();
  const fresh = await waitForMailLink(site, email, 2);
  // /verify is the same page.
  await page.goto(fresh.replace("/email-confirmation", "/verify"));
  await expect(getHeading(page, say.confirmed)).toBeVisible();
  await expect(getHeading(page, say.home)).toBeVisible();
  await page.goto(fresh);
  await expect(page.getByText(text["confirmation.errorText"])).toBeVisible();
});

// `link-pages.test.tsx` and `mail-link.test.ts` hold it every time.
test("retries links that could not be checked after a reload", { tag: "@nightly" }, async ({
  visit,
  site,
  expectConsoleErrors,
}) => {
  const language = "en";
  const say = interfaceTexts[language];
  const text = messages[language];
  expectConsoleErrors(/net::ERR_FAILED|status of 502/);
  const page = await visit({ language });
  const email = await signUp(page);
  const confirmation = await waitForMailLink(site, email);
  await page.route("**/trpc/auth.verify**", (route) => route.abort());
  await page.goto(confirmation);
  await expect(getHeading(page, text["confirmation.error"])).toBeVisible();
  await expect(page).toHaveURL(/\/email-confirmation$/);
  await page.unroute("**/trpc/auth.verify**");
  await page.reload();
  await expect(getHeading(page, say.confirmed)).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.getItem("mailLink"))).toBeNull();
  await expect(getHeading(page, say.home)).toBeVisible();

  // A signed-in user can also request a new password there.
  await page.goto("/reset-password?token_hash=nothing&type=recovery");
  await getButton(page, text["reset.newLink"]).click();
  await expect(page).toHaveURL(/\/auth$/);
  await getField(page, say.email).fill(email);
  await getButton(page, say.resetPassword).click();
  const reset = await waitForMailLink(site, email, 2);
  await page.route("**/trpc/auth.verify**", (route) => route.fulfill({ status: 502 }));
  await page.goto(reset);
  await expect(getHeading(page, text["reset.error"])).toBeVisible();
  await page.unroute("**/trpc/auth.verify**");
  await page.reload();
  await expect(getField(page, say.newPassword)).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.getItem("mailLink"))).toBeNull();
});

// `mail-link.test.ts` and `accounts/recovery.test.ts` hold both halves every time.
test("sets a password by a recovery in the URL hash, and removes it from the URL", {
  tag: "@nightly",
}, async ({ visit, site }) => {
  const email = await createAccount(site);
  const page = await visit();
  await requestPasswordReset(page, say, email);
  const tokenHash = getLinkToken(await waitForMailLink(site, email, 2));
  const verification = { tokenHash, type: "recovery", tokens: true };
  const { tokens } = await callProcedure(page, "auth.verify", verification);
  const hash = new URLSearchParams({
    access_token: tokens.accessToken,
    refresh_token: tokens.refreshToken,
    type: "recovery",
  });
  await page.goto(`/reset-password#${hash}`);
  await getField(page, say.newPassword).fill("battery staple");
  expect(page.url()).not.toContain("access_token");
  await getField(page, say.confirmNew).fill("battery staple");
  await getButton(page, say.updatePassword).click();
  await page.waitForURL(/\/auth$/);
  await signIn(page, say, email, "battery staple");
  await expect(getHeading(page, say.home)).toBeVisible();
});
