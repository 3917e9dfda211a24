import {
  askForReset,
  button,
  choose,
  endRecentSignIns,
  field,
  heading,
  linkTo,
  signIn,
  signUpIn,
  told,
  words,
} from "./support/accounts.ts";
import { newAddress, password, signUp } from "./support/journey.ts";
import { expect, test } from "./support/test.ts";

const fresh = "battery staple";
const refused = /status of (400|401|403)/;

test("sign up, confirm by the mail elsewhere, be signed in there", async ({ visit, site }) => {
  const language = "en";
  const say = words[language];
  const email = newAddress();
  const page = await visit({ language });
  await signUpIn(page, say, email);
  await expect(told(page, say.created, say)).toBeVisible();
  const notice = page.getByRole("region", { name: say.notConfirmed });
  await expect(notice).toContainText(email);
  await expect(notice.getByRole("link")).toHaveAttribute("href", `${site.stackUrl}/mail/`);

  const link = await linkTo(site, email);
  const elsewhere = await visit({ language });
  await elsewhere.goto(link);
  await expect(heading(elsewhere, say.confirmed)).toBeVisible();
  expect(new URL(elsewhere.url()).search).toBe("");
  await expect(heading(elsewhere, say.home)).toBeVisible();
  await expect(elsewhere.getByRole("region", { name: say.notConfirmed })).toHaveCount(0);

  await page.reload();
  await expect(heading(page, say.home)).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test("forget the password, set a new one by the mail; the old one is refused", async ({
  visit,
  site,
  expectConsoleErrors,
}) => {
  const language = "zh";
  const say = words[language];
  expectConsoleErrors(refused);
  const owner = await visit({ language });
  const email = await signUp(owner);

  const page = await visit({ language });
  await askForReset(page, say, email);
  await expect(told(page, say.resetSentText, say)).toBeVisible();
  await page.goto(await linkTo(site, email, 2));
  await field(page, say.newPassword).fill(fresh);
  expect(new URL(page.url()).search).toBe("");
  // The link is used up, and the recovery goes on over a reload.
  await page.reload();
  await field(page, say.newPassword).fill(fresh);
  await field(page, say.confirmNew).fill(fresh);
  await button(page, say.updatePassword).click();
  await expect(heading(page, say.updated)).toBeVisible();
  await page.waitForURL(/\/auth$/);

  await signIn(page, say, email, password);
  await expect(told(page, say.wrongCredentials, say)).toBeVisible();
  await signIn(page, say, email, fresh);
  await expect(heading(page, say.home)).toBeVisible();
  await owner.reload();
  await expect(owner).toHaveURL(/\/auth/);
});

test("change the password: the current one is asked for, other browsers are signed out", async ({
  visit,
  expectConsoleErrors,
}) => {
  const language = "en";
  const say = words[language];
  expectConsoleErrors(refused);
  const other = await visit({ language });
  const email = await signUp(other);
  const page = await visit({ language });
  await page.goto("/auth");
  await signIn(page, say, email);
  await expect(told(page, say.welcome, say)).toBeVisible();
  await choose(page, say, say.settings);
  await button(page, say.changePassword).click();

  const change = async (current: string) => {
    await field(page, say.currentPassword).fill(current);
    await field(page, say.newPassword).fill(fresh);
    await field(page, say.confirmNew).fill(fresh);
    await button(page, say.changePassword).click();
  };
  await change("wrong horse");
  await expect(told(page, say.incorrect, say)).toBeVisible();
  await expect(told(page, say.incorrectText, say)).toBeVisible();
  await change(password);
  await expect(told(page, say.changed, say)).toBeVisible();

  await page.reload();
  await expect(page.getByText(email, { exact: true })).toBeVisible();
  await other.reload();
  await expect(other).toHaveURL(/\/auth/);
  await signIn(other, say, email, password);
  await expect(told(other, say.wrongCredentials, say)).toBeVisible();
  await signIn(other, say, email, fresh);
  await expect(heading(other, say.home)).toBeVisible();
});

test("delete the account: it is gone, here and in the other tab", async ({
  visit,
  site,
  expectConsoleErrors,
}) => {
  const language = "zh";
  const say = words[language];
  expectConsoleErrors(refused);
  const page = await visit({ language });
  const email = await signUp(page);
  const tab = await page.context().newPage();
  await tab.goto("/");
  await expect(heading(tab, say.home)).toBeVisible();

  await page.goto("/profile");
  await button(page, say.deleteAccount).click();
  const dialog = page.getByRole("dialog", { name: say.deleteAccount });
  const confirm = dialog.getByRole("button", { name: say.deleteAccount });
  const typed = field(page, say.typeDelete);
  await expect(confirm).toBeDisabled();
  await typed.fill("delet");
  await typed.press("Enter");
  await expect(told(page, say.invalidConfirmation, say)).toBeVisible();
  await expect(confirm).toBeDisabled();
  await typed.fill("DELETE");
  await endRecentSignIns(site, email);
  await confirm.click();
  const secret = dialog.getByLabel(say.currentPassword, { exact: true });
  await secret.fill("battery staple");
  await confirm.click();
  await expect(told(page, say.incorrectText, say)).toBeVisible();
  await secret.fill(password);
  await confirm.click();
  await expect(told(page, say.deleted, say)).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(tab).toHaveURL(/\/auth/);

  await signIn(page, say, email);
  await expect(told(page, say.wrongCredentials, say)).toBeVisible();
});
