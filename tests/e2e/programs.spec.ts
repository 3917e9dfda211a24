import {
  ageSignIns,
  createAccount,
  getButton,
  getField,
  interfaceTexts,
  openSignIn,
  signIn,
} from "./support/accounts.ts";
import { findBarriers } from "./support/axe.ts";
import { enterAsGuest, password, signUp } from "./support/journey.ts";
import { measureSidewaysScroll, setLook } from "./support/look.ts";
import { openProgram } from "./support/oauth-program.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

const say = interfaceTexts.en;

test("a program asks to read lectures, is let in after the sign-in, listed, and revoked", async ({
  visit,
  site,
}) => {
  const email = await createAccount(site);
  const program = await openProgram(site, "Notes assistant");
  const page = await visit();
  await enterAsGuest(page);

  await page.goto(await program.ask());
  await openSignIn(page, say);
  await signIn(page, say, email);
  await expect(
    page.getByRole("heading", { name: "Let “Notes assistant” read your lectures?" }),
  ).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/connect");
  const main = page.getByRole("main");
  await expect(main).toContainText(email);
  await expect(main).toContainText("a program on this device");
  await storeLecture(page, [{ original: "Light bends.", translated: "光会弯曲。" }], {
    title: "Optics",
  });
  await getButton(page, "Allow").click();

  await expect(page.getByRole("heading", { name: "Back in the program" })).toBeVisible();
  await expect(page.locator("#referrer")).toHaveText("no referrer");
  expect((await program.returned).searchParams.get("state")).toBe("1e3");
  const client = await program.connect();
  const found = await client.callTool({ name: "search", arguments: { query: "bends" } });
  expect(JSON.stringify(found)).toContain("Optics");

  await page.goto("/profile");
  const entry = page.getByRole("listitem").filter({ hasText: "Notes assistant" });
  await expect(entry).toContainText("Read");
  await entry.getByRole("button", { name: "Revoke Notes assistant" }).click();
  const question = page.getByRole("alertdialog");
  await getButton(question, "Revoke").click();
  // What is behind an open question has no role.
  await expect(question).toHaveCount(0);
  await expect(entry).toHaveCount(0);
  await expect(client.callTool({ name: "list_folders", arguments: {} })).rejects.toThrow();
  await client.close();
  await program.close();
});

test("a program is refused, and the password is asked for long after the sign-in", {
  tag: "@nightly",
}, async ({ visit, site, expectConsoleErrors }) => {
  expectConsoleErrors(/status of 403/);
  const page = await visit();
  const email = await signUp(page);
  const refused = await openProgram(site, "Refused");
  await page.goto(await refused.ask());
  await getButton(page, "Don’t allow").click();
  await expect(page.getByRole("heading", { name: "Back in the program" })).toBeVisible();
  const { searchParams } = await refused.returned;
  expect(Object.fromEntries(searchParams)).toEqual({
    error: "access_denied",
    state: "1e3",
    iss: site.url,
  });
  await refused.close();

  await ageSignIns(site, email);
  const allowed = await openProgram(site, "Allowed");
  await page.goto(await allowed.ask());
  await getButton(page, "Allow").click();
  await getField(page, "Current password").fill(password);
  await getButton(page, "Allow").click();
  await expect(page.getByRole("heading", { name: "Back in the program" })).toBeVisible();
  expect((await allowed.returned).searchParams.has("code")).toBe(true);
  await allowed.close();
});

test("the question is readable in Chinese on a dark phone, and no site can frame it", {
  tag: "@nightly",
}, async ({ visit, site }) => {
  const page = await visit({ viewport: { width: 390, height: 844 } });
  await signUp(page);
  await setLook(page, { language: "zh", theme: "dark" });
  const name = `${"很长的名称".repeat(6)}${"x".repeat(30)}`;
  const program = await openProgram(site, name);
  const address = await program.ask();
  const answer = await page.goto(address);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("读取你的课吗");
  expect(answer?.headers()).toMatchObject({
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
  });
  await expect.poll(() => measureSidewaysScroll(page)).toBe(0);
  expect(await findBarriers(page)).toEqual([]);

  const elsewhere = new URL(address);
  elsewhere.searchParams.set("redirect_uri", "https://evil.example/");
  await page.goto(elsewhere.href);
  await expect(page.getByRole("alert")).toContainText("没有注册的地址");
  expect(new URL(page.url()).origin).toBe(site.url);
  await program.close();
});
