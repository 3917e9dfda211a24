import {
  ageSignIns,
  chooseAccountMenuItem,
  createAccount,
  getButton,
  getField,
  getHeading,
  getToastText,
  interfaceTexts,
  requestPasswordReset,
  signIn,
  signUpOnForm,
  waitForMailLink,
} from "./support/accounts.ts";
import { messages } from "./support/interface.ts";
import { createAddress, password, signUp } from "./support/journey.ts";
import { expect, test } from "./support/test.ts";

const newPassword = "battery staple";
const refused = /status of (400|401|403)/;

test("signs up, and signs in another browser by the confirmation link", { tag: "@core" }, async ({
  visit,
  site,
}) => {
  const language = "en";
  const say = interfaceTexts[language];
  const email = createAddress();
  const page = await visit({ language });
  await signUpOnForm(page, say, email);
  await expect(getToastText(page, say.created, say)).toBeVisible();
  const notice = page.getByRole("region", { name: say.notConfirmed });
  await expect(notice).toContainText(email);
  await expect(notice.getByRole("link")).toHaveAttribute("href", `${site.stackUrl}/mail/`);

  const link = await waitForMailLink(site, email);
  const elsewhere = await visit({ language });
  await elsewhere.goto(link);
  await expect(getHeading(elsewhere, say.confirmed)).toBeVisible();
  expect(new URL(elsewhere.url()).search).toBe("");
  await expect(getHeading(elsewhere, say.home)).toBeVisible();
  await expect(elsewhere.getByRole("region", { name: say.notConfirmed })).toHaveCount(0);

  await page.reload();
  await expect(getHeading(page, say.home)).toBeVisible();
  await expect(notice).toHaveCount(0);
});

// `link-pages.test.tsx`, `password-view.test.ts` and `accounts/recovery.test.ts` hold it every time.
test("resets a forgotten password by mail and refuses the old one", { tag: "@nightly" }, async ({
  visit,
  site,
  expectConsoleErrors,
}) => {
  const language = "zh";
  const say = interfaceTexts[language];
  expectConsoleErrors(refused);
  const owner = await visit({ language });
  const email = await signUp(owner);

  const page = await visit({ language });
  await requestPasswordReset(page, say, email);
  await expect(getToastText(page, say.resetSentText, say)).toBeVisible();
  await page.goto(await waitForMailLink(site, email, 2));
  await getField(page, say.newPassword).fill(newPassword);
  expect(new URL(page.url()).search).toBe("");
  // The link is used up, and the recovery survives a reload.
  await page.reload();
  await getField(page, say.newPassword).fill(newPassword);
  await getField(page, say.confirmNew).fill(newPassword);
  await getButton(page, say.updatePassword).click();
  await expect(getHeading(page, say.updated)).toBeVisible();
  await page.waitForURL(/\/auth$/);

  await signIn(page, say, email, password);
  await expect(getToastText(page, say.wrongCredentials, say)).toBeVisible();
  await expect(getField(page, say.password)).toBeFocused();
  await expect(getField(page, say.password)).toHaveAccessibleDescription(say.wrongCredentials);
  await signIn(page, say, email, newPassword);
  await expect(getHeading(page, say.home)).toBeVisible();
  await owner.reload();
  await expect(owner).toHaveURL(/\/auth/);
});

// `password-view.test.ts` and `accounts/changes.test.ts` hold both halves every time.
test("asks for the current password to change it, and signs out other browsers", {
  tag: "@nightly",
}, async ({ visit, expectConsoleErrors }) => {
  const language = "en";
  const say = interfaceTexts[language];
  expectConsoleErrors(refused);
  const other = await visit({ language });
  const email = await signUp(other);
  const page = await visit({ language });
  await page.goto("/auth");
  await signIn(page, say, email);
  await expect(getToastText(page, say.welcome, say)).toBeVisible();
  await chooseAccountMenuItem(page, say, say.settings);
  await getButton(page, say.changePassword).click();

  const change = async (current: string) => {
    await getField(page, say.currentPassword).fill(current);
    await getField(page, say.newPassword).fill(newPassword);
    await getField(page, say.confirmNew).fill(newPassword);
    await getButton(page, say.changePassword).click();
  };
  await change("wrong horse");
  await expect(getToastText(page, say.incorrect, say)).toBeVisible();
  await expect(getToastText(page, say.incorrectText, say)).toBeVisible();
  await change(password);
  await expect(getToastText(page, say.changed, say)).toBeVisible();

  await page.reload();
  await expect(page.getByText(email, { exact: true })).toBeVisible();
  await other.reload();
  await expect(other).toHaveURL(/\/auth/);
  await signIn(other, say, email, password);
  await expect(getToastText(other, say.wrongCredentials, say)).toBeVisible();
  await signIn(other, say, email, newPassword);
  await expect(getHeading(other, say.home)).toBeVisible();
});

test("returns to the page that was asked for, and deletes the account, here and in the other tab", async ({
  visit,
  site,
  expectConsoleErrors,
}) => {
  const language = "zh";
  const say = interfaceTexts[language];
  const text = messages[language];
  // One of the lectures does not exist.
  expectConsoleErrors(/status of 40[0134]/);
  const email = await createAccount(site);
  const page = await visit({ language });
  await page.goto("/profile");
  await expect(getHeading(page, text["profile.denied"])).toBeVisible();
  await getButton(page, say.signIn).click();
  await expect(page).toHaveURL("/auth?redirect=%2Fprofile");
  await page.goto("/?lecture=3f0c1f5e-3c0a-4a3f-9a34-4a8c8a1f7d11");
  await expect(page).toHaveURL(/\/auth\?redirect=/);
  await signIn(page, say, email);
  await expect(page).toHaveURL(/\/record\?lecture=3f0c1f5e/);
  await expect(getHeading(page, text["lecture.notFound"])).toBeVisible();

  const tab = await page.context().newPage();
  await tab.goto("/");
  await expect(getHeading(tab, say.home)).toBeVisible();
  await page.goto("/profile");
  await getButton(page, say.deleteAccount).click();
  const dialog = page.getByRole("dialog", { name: say.deleteAccount });
  const confirm = dialog.getByRole("button", { name: say.deleteAccount });
  const confirmationField = getField(page, say.typeDelete);
  await expect(confirm).toBeDisabled();
  await confirmationField.fill("delet");
  await confirmationField.press("Enter");
  await expect(getToastText(page, say.invalidConfirmation, say)).toBeVisible();
  await expect(confirm).toBeDisabled();
  await confirmationField.fill("DELETE");
  await ageSignIns(site, email);
  await confirm.click();
  const secret = dialog.getByLabel(say.currentPassword, { exact: true });
  await secret.fill("battery staple");
  await confirm.click();
  await expect(getToastText(page, say.incorrectText, say)).toBeVisible();
  await secret.fill(password);
  await confirm.click();
  await expect(getToastText(page, say.deleted, say)).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(tab).toHaveURL(/\/auth/);

  await signIn(page, say, email);
  await expect(getToastText(page, say.wrongCredentials, say)).toBeVisible();
});
