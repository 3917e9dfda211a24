import {
  createAccount,
  expireLinks,
  getButton,
  getField,
  getHeading,
  getLinkToken,
  getToastText,
  injectMailFailure,
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

test("replaces an expired confirmation link from its page", async ({ visit, site }) => {
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

test("confirms nothing by used, forged, foreign or empty links", async ({ visit, site }) => {
  const language = "en";
  const say = interfaceTexts[language];
  const text = messages[language];
  const email = await createAccount(site);
  const used = await waitForMailLink(site, email);
  const reader = await visit({ language });
  await requestPasswordReset(reader, say, email);
  const recovery = getLinkToken(await waitForMailLink(site, email, 2));

  const forged = used.replace(getLinkToken(used), "f".repeat(40));
  const foreign = used.replace(getLinkToken(used), recovery);
  const wrongType = used.replace("type=signup", "type=recovery");
  for (const address of [forged, foreign, wrongType, "/email-confirmation"]) {
    await reader.goto(address);
    await expect(reader.getByText(text["confirmation.errorText"])).toBeVisible();
  }
  await reader.goto(used);
  await expect(getHeading(reader, say.confirmed)).toBeVisible();
  await reader.goto(used);
  await expect(reader.getByText(text["confirmation.errorText"])).toBeVisible();
});

test("retries links that could not be checked after a reload", async ({
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

test("opens no form for expired, used, forged or foreign reset links", async ({ visit, site }) => {
  const language = "zh";
  const say = interfaceTexts[language];
  const text = messages[language];
  const email = await createAccount(site);
  const confirmation = await waitForMailLink(site, email);
  const page = await visit({ language });
  await requestPasswordReset(page, say, email);
  const late = await waitForMailLink(site, email, 2);
  await expireLinks(site, email);
  await page.goto(late);
  await expect(getHeading(page, text["link.expired"])).toBeVisible();
  await expect(page.getByText(text["reset.expiredText"])).toBeVisible();

  await getButton(page, text["reset.newLink"]).click();
  await expect(getHeading(page, text["forgotten.title"])).toBeVisible();
  await getField(page, say.email).fill(email);
  await getButton(page, say.resetPassword).click();
  const used = await waitForMailLink(site, email, 3);
  await page.goto(used);
  await expect(getField(page, say.newPassword)).toBeVisible();

  const reader = await visit({ language });
  const forged = used.replace(getLinkToken(used), "f".repeat(40));
  const foreign = used.replace(getLinkToken(used), getLinkToken(confirmation));
  for (const address of [used, forged, foreign, "/reset-password"]) {
    await reader.goto(address);
    await expect(reader.getByText(text["reset.errorText"])).toBeVisible();
    await expect(getField(reader, say.newPassword)).toHaveCount(0);
  }
});

test("keeps the session when another user's confirmation link is opened", async ({
  visit,
  site,
}) => {
  const other = await createAccount(site);
  const page = await visit();
  const own = await signUp(page);
  await page.goto(await waitForMailLink(site, other));
  await expect(page.getByText(`${other} is confirmed.`)).toBeVisible();
  await expect(page.getByRole("region", { name: say.notConfirmed })).toContainText(own);
});

test("goes to /auth on Retry of an invalid link", async ({ visit }) => {
  const page = await visit();
  await page.goto("/email-confirmation?token_hash=nothing&type=signup");
  await getButton(page, "Retry").click();
  await expect(page).toHaveURL(/\/auth$/);
});

test("sets a password by a recovery in the URL hash, and removes it from the URL", async ({
  visit,
  site,
}) => {
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
  await getField(page, say.newPassword).fill("short");
  expect(page.url()).not.toContain("access_token");
  await getField(page, say.confirmNew).fill("short");
  await getButton(page, say.updatePassword).click();
  await expect(getToastText(page, "Validation Error")).toBeVisible();
  await expect(getToastText(page, "Password must be at least 6 characters")).toBeVisible();
  await getField(page, say.newPassword).fill("battery staple");
  await getField(page, say.confirmNew).fill("battery stable");
  await getButton(page, say.updatePassword).click();
  await expect(getToastText(page, "Passwords don't match")).toBeVisible();
  await getField(page, say.confirmNew).fill("battery staple");
  await getButton(page, say.updatePassword).click();
  await page.waitForURL(/\/auth$/);
  await signIn(page, say, email, "battery staple");
  await expect(getHeading(page, say.home)).toBeVisible();
});

test("reports a mail that could not be sent, and sends it again", async ({ visit, site }) => {
  const email = createAddress();
  await injectMailFailure(site, { to: email, fail: 422, count: 2 });
  const page = await visit();
  await signUpOnForm(page, say, email);
  await expect(page.getByText(`We could not send the email to verify ${email}.`)).toBeVisible();
  await getButton(page, "Send a new link").click();
  await expect(getToastText(page, "The confirmation email was not sent")).toBeVisible();
  await getButton(page, "Send a new link").click();
  await expect(getToastText(page, "Confirmation email sent")).toBeVisible();
  await waitForMailLink(site, email);
});

test("says when to try again after too many links", async ({ visit, site }) => {
  const page = await visit();
  const email = await signUp(page);
  // Five links an hour; the first was sent at sign-up.
  for (let sent = 2; sent <= 5; sent += 1) {
    await getButton(page, "Send a new link").click();
    await waitForMailLink(site, email, sent);
    await expect(getButton(page, "Send a new link")).toBeEnabled();
  }
  await getButton(page, "Send a new link").click();
  await expect(
    getToastText(page, "Too many attempts. Please try again in 60 minutes."),
  ).toBeVisible();
});

test("explains why a password reset is refused", async ({ visit }) => {
  const page = await visit();
  const data = { appCode: "rate_limited", retryAfterSeconds: 60 };
  const body = [{ error: { message: "rate_limited", code: -32_029, data } }];
  await page.route("**/trpc/auth.forgotPassword**", (route) =>
    route.fulfill({ status: 429, json: body }),
  );
  await page.goto("/auth");
  await getButton(page, say.forgot).click();
  await getField(page, say.email).fill("no address");
  await getButton(page, say.resetPassword).click();
  await expect(getToastText(page, "Validation Error")).toBeVisible();
  await expect(getToastText(page, "Invalid email address")).toBeVisible();
  await getField(page, say.email).fill(createAddress());
  await getButton(page, say.resetPassword).click();
  await expect(getToastText(page, "Password Reset Error")).toBeVisible();
  await expect(
    getToastText(page, "Too many attempts. Please try again in 1 minute."),
  ).toBeVisible();
});
