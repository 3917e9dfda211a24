import { expect, type Locator, type Page } from "@playwright/test";
import { queryDatabase } from "#tests/fixtures/query-database.ts";
import interfaceTexts from "./interface-texts.json" with { type: "json" };
import { createAddress, password } from "./journey.ts";
import type { Site } from "./site.ts";

/** Texts of the pages in both interface languages. */
export { interfaceTexts };

export type InterfaceTexts = (typeof interfaceTexts)[keyof typeof interfaceTexts];

export const getField = (page: Page, label: string) => page.getByLabel(label, { exact: true });
export const getButton = (page: Page | Locator, name: string) =>
  page.getByRole("button", { name, exact: true });
export const getHeading = (page: Page, name: string) => page.getByRole("heading", { name });

/** The title or text of a toast. */
export const getToastText = (
  page: Page,
  text: string,
  { notifications }: InterfaceTexts = interfaceTexts.en,
) => page.getByRole("region", { name: notifications }).getByText(text, { exact: true });

/** Opens the dialog on /auth. Who was sent there from another page finds it open. */
export async function openSignIn(page: Page, texts: InterfaceTexts): Promise<void> {
  await page.waitForURL((url) => url.pathname === "/auth");
  // The dialog of a sign-out may still be closing.
  const field = getField(page, texts.email);
  const wasSent = new URL(page.url()).searchParams.has("redirect");
  if (!wasSent && (await field.isHidden()))
    await getButton(page.getByRole("banner"), texts.signIn).click();
  await expect(field).toBeVisible();
}

/** Submits the sign-in form, without waiting for the result. */
export async function signIn(page: Page, texts: InterfaceTexts, email: string, secret = password) {
  await openSignIn(page, texts);
  await getField(page, texts.email).fill(email);
  await getField(page, texts.password).fill(secret);
  await getButton(page, texts.signIn).click();
}

/** Signs up with the form; ends on the home page. */
export async function signUpOnForm(
  page: Page,
  texts: InterfaceTexts,
  email: string,
): Promise<void> {
  await page.goto("/auth");
  await getButton(page, texts.createAccount).click();
  await getField(page, texts.email).fill(email);
  await getField(page, texts.password).fill(password);
  await getField(page, texts.confirmPassword).fill(password);
  await getButton(page, texts.createAccount).click();
  await expect(getHeading(page, texts.home)).toBeVisible();
}

/** Creates an account without a browser. */
export async function createAccount(site: Site): Promise<string> {
  const email = createAddress();
  const answer = await fetch(`${site.url}/trpc/auth.signUp`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: site.url },
    body: JSON.stringify({ email, password }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return email;
}

/** Requests a password reset link on /auth. */
export async function requestPasswordReset(
  page: Page,
  texts: InterfaceTexts,
  email: string,
): Promise<void> {
  await page.goto("/auth");
  await openSignIn(page, texts);
  await getButton(page, texts.forgot).click();
  await getField(page, texts.email).fill(email);
  await getButton(page, texts.resetPassword).click();
  await expect(getToastText(page, texts.resetSent, texts)).toBeVisible();
}

/** Makes the tab show the form of a reset link, as after a reload. The server does not know of it. */
export const showResetForm = (page: Page) =>
  page.evaluate(() => {
    const expiresAt = new Date(Date.now() + 900_000).toISOString();
    sessionStorage.setItem("recovery", JSON.stringify({ email: "lin@example.edu", expiresAt }));
  });

export async function chooseAccountMenuItem(
  page: Page,
  texts: InterfaceTexts,
  entry: string,
): Promise<void> {
  const menu = page.getByRole("button", { name: texts.menu });
  // The page of a lecture has it among the lectures.
  const lectures = page.locator("[data-head] > button:not([aria-haspopup])");
  await expect(menu.or(lectures).first()).toBeVisible();
  if (!(await menu.isVisible())) await lectures.click();
  await menu.click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}

interface Mail {
  text: string;
}

const fetchMails = async (site: Site, email: string): Promise<Mail[]> => {
  const answer = await fetch(`${site.stackUrl}/mail/outbox.json?to=${encodeURIComponent(email)}`);
  return (await answer.json()).emails;
};

/** Waits for `count` mails to `email`; returns the link in the newest one. */
export async function waitForMailLink(site: Site, email: string, count = 1): Promise<string> {
  await expect.poll(async () => (await fetchMails(site, email)).length).toBe(count);
  const [newest] = await fetchMails(site, email);
  return /https?:\/\/\S+/.exec(newest?.text ?? "")?.[0] ?? "";
}

export const getLinkToken = (link: string) => new URL(link).searchParams.get("token_hash") ?? "";

/** Runs one statement on the site's database. */
export const runSql = ({ stackUrl }: Site, query: string, params: string[]) =>
  queryDatabase(stackUrl, query, params);

/** Makes the sign-ins of `email` old, so that sensitive actions ask for the password. */
export const ageSignIns = (site: Site, email: string) =>
  runSql(
    site,
    `update sessions set created_at = now() - interval '11 minutes'
     where user_id = (select id from users where email = $1)`,
    [email],
  );

/** Expires every link that was sent to `email`. */
export const expireLinks = (site: Site, email: string) =>
  runSql(
    site,
    `update one_time_tokens set expires_at = now() - interval '1 second'
     where user_id = (select id from users where email = $1)`,
    [email],
  );
