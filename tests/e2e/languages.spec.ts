import type { Page } from "@playwright/test";
import { measureFirstVisits } from "#bench/bundle-measure.ts";
import { showResetForm } from "./support/accounts.ts";
import { openPlans } from "./support/billing.ts";
import { buildDir } from "./support/build.ts";
import { enterAsGuest, signUp } from "./support/journey.ts";
import { shareLecture } from "./support/shared.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

/** Every page shows all texts in the chosen language. */

type Language = "en" | "zh";
const languages: readonly Language[] = ["zh", "en"];

/** Names, and words that users type as shown, in both languages. */
const names =
  /Dualect 课译|\b(Dualect|AI|Free|Pro|Premium|Markdown|PDF|Word|DOCX|TXT|SRT|VTT|JSON|ZIP|MB|Stripe|delete( all)?|Ctrl|Cmd|Enter|Esc|Tab|Space|Shift|Alt|[A-Z][a-z]{2} \d{1,2}, \d{4}( \d{1,2}:\d{2} [AP]M)?|\d{1,2}:\d{2} [AP]M|\S+@\S+|\d+[hm])\b/g;

/**
 * The page's texts in the interface language: visible texts, hints, and texts for screen readers.
 * Content and texts in another language have their own `lang`.
 */
const readTexts = (page: Page) =>
  page.evaluate(() => {
    const texts = new Set<string>([document.title]);
    const own = (element: Element | null) =>
      element?.closest("[lang]") === document.documentElement &&
      element.closest("script, style, template, noscript") === null;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent?.trim();
      if (text && own(node.parentElement)) texts.add(text);
    }
    const attributes = [
      "placeholder",
      "aria-label",
      "aria-description",
      "aria-valuetext",
      "title",
      "alt",
    ];
    for (const name of attributes)
      for (const element of document.querySelectorAll(`[${name}]`)) {
        const text = element.getAttribute(name)?.trim();
        if (text && own(element)) texts.add(text);
      }
    return [...texts];
  });

/** The page's texts in the wrong language. */
async function listForeignTexts(page: Page, language: Language): Promise<string[]> {
  const alien = language === "en" ? /\p{Script=Han}/u : /[A-Za-z]{2,}/;
  return (await readTexts(page)).filter((text) => alien.test(text.replaceAll(names, "")));
}

/** Opens `path` in both languages; `open` goes on to a view without its own URL. */
async function checkTexts(
  page: Page,
  path: string,
  open: (language: Language) => Promise<void> = async () => {},
): Promise<void> {
  for (const language of languages) {
    await page.evaluate((next) => localStorage.setItem("interfaceLanguage", next), language);
    await page.goto(path);
    await expect(page.locator("html")).toHaveAttribute(
      "lang",
      language === "en" ? "en" : "zh-Hans",
    );
    await expect(page.getByRole("main").first()).toBeVisible();
    await open(language);
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    expect(await listForeignTexts(page, language), `${path} in ${language}`).toEqual([]);
    // By its attributes, because a dialog above hides its role.
    const choice = page.locator('button[lang="zh-Hans"]');
    const isFollowingDevice = path.startsWith("/live/");
    if (!path.endsWith("2") && !isFollowingDevice)
      await expect(choice.first(), `${path}: the switch`).toBeVisible();
  }
  seen.add(new URL(page.url()).pathname.replace(/^\/live\/.*/, "/live/*"));
}

const seen = new Set<string>();

/** Finds buttons by position, because their texts are tested. */
const press = (page: Page, name: { en: string; zh: string }, language: Language) =>
  page.getByRole("button", { name: name[language], exact: true }).first().click();

test("shows every page entirely in the chosen language", async ({ visit, expectConsoleErrors }) => {
  expectConsoleErrors(/^Unknown route: /);
  const page = await visit();
  await page.goto("/auth");
  await checkTexts(page, "/auth");
  await checkTexts(page, "/auth", () => page.getByRole("tab").nth(1).click());
  await checkTexts(page, "/auth", () => page.getByRole("tab").nth(2).click());
  const forgotten = { en: "Forgot password?", zh: "忘记密码？" };
  await checkTexts(page, "/auth", (language) => press(page, forgotten, language));
  await checkTexts(page, "/no-such-page");
  await checkTexts(page, "/email-confirmation");
  await checkTexts(page, "/reset-password");
  await checkTexts(page, "/profile");
  await showResetForm(page);
  await checkTexts(page, "/reset-password");
  for (const path of [
    ...["/record2", "/home2", "/ai-assistant2", "/courses2", "/notes2"],
    ...["/knowledge2", "/settings2", "/subscription2", "/profile2"],
  ])
    await checkTexts(page, path);

  await page.evaluate(() => localStorage.setItem("interfaceLanguage", "en"));
  await enterAsGuest(page);
  await checkTexts(page, "/");
  await checkTexts(page, "/record");

  await page.evaluate(() => localStorage.setItem("interfaceLanguage", "en"));
  await signUp(page);
  await checkTexts(page, "/");
  const id = await storeLecture(page, [{ english: "Good morning.", translated: "早上好。" }], {
    title: "20 21 22",
  });
  await checkTexts(page, "/");
  await checkTexts(page, `/?lecture=${id}`);
  await checkTexts(page, `/print?lecture=${id}`);
  await checkTexts(page, `/record?lecture=${id}`);
  await checkTexts(page, await shareLecture(page, id));
  await checkTexts(page, "/keep");
  const settings = { en: "Recording Settings", zh: "录音设置" };
  await checkTexts(page, "/record", async (language) => {
    await press(page, settings, language);
    await expect(page.getByRole("dialog")).toBeVisible();
  });
  await checkTexts(page, "/profile");
  const menu = { en: /^Account menu/, zh: /^账户菜单/ };
  await checkTexts(page, "/profile", async (language) => {
    await page.getByRole("button", { name: menu[language] }).click();
    await expect(page.getByRole("menu")).toBeVisible();
  });
  const password = { en: "Change Password", zh: "修改密码" };
  await checkTexts(page, "/profile", (language) => press(page, password, language));
  // Visit another page in between, because a reload would restore the view of the profile.
  for (const path of ["/recordings", "/trash"]) await checkTexts(page, path);
  await checkTexts(page, "/profile", (language) => openPlans(page, language));

  const pages = measureFirstVisits(buildDir).map(({ path }) => path);
  expect(pages.filter((path) => !seen.has(path))).toEqual([]);
});
