import type { Page } from "@playwright/test";
import { measureFirstVisits } from "#bench/bundle-measure.ts";
import { showResetForm } from "./support/accounts.ts";
import { openPlans } from "./support/billing.ts";
import { buildDir } from "./support/build.ts";
import { enterAsGuest, signUp } from "./support/journey.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

/** Every page says everything in the language that was chosen, and nothing in the other. */

type Language = "en" | "zh";
const languages: readonly Language[] = ["zh", "en"];

/** Names, and words that are typed as they stand, in both languages. */
const names =
  /Dualect 课译|\b(Dualect|AI|Free|Pro|Premium|Markdown|PDF|Word|DOCX|TXT|SRT|VTT|JSON|ZIP|Stripe|delete( all)?|Ctrl|Cmd|Enter|Esc|Tab|Space|Shift|Alt|[A-Z][a-z]{2} \d{1,2}, \d{4}( \d{1,2}:\d{2} [AP]M)?|\d{1,2}:\d{2} [AP]M|\S+@\S+|\d+[hm])\b/g;

/**
 * What the page says in the interface's own language: visible texts, and what is said to screen
 * readers and in hints. What is marked as another language, or is content, has its own `lang`.
 */
const saidBy = (page: Page) =>
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

/** What of a page is in the wrong language. */
async function foreign(page: Page, language: Language): Promise<string[]> {
  const alien = language === "en" ? /\p{Script=Han}/u : /[A-Za-z]{2,}/;
  return (await saidBy(page)).filter((text) => alien.test(text.replaceAll(names, "")));
}

/** Opens `path` in both languages; `open` leads on to a view without an address of its own. */
async function judge(
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
    expect(await foreign(page, language), `${path} in ${language}`).toEqual([]);
    // By its attributes: a dialog over it takes its role.
    const choice = page.locator('button[lang="zh-Hans"]');
    if (!path.endsWith("2")) await expect(choice.first(), `${path}: the switch`).toBeVisible();
  }
  seen.add(new URL(page.url()).pathname);
}

const seen = new Set<string>();

/** Buttons by their place, since their words are what is tested. */
const press = (page: Page, name: { en: string; zh: string }, language: Language) =>
  page.getByRole("button", { name: name[language], exact: true }).first().click();

test("shows every page entirely in the chosen language", async ({ visit, expectConsoleErrors }) => {
  expectConsoleErrors(/^Unknown route: /);
  const page = await visit();
  await page.goto("/auth");
  await judge(page, "/auth");
  await judge(page, "/auth", () => page.getByRole("tab").nth(1).click());
  await judge(page, "/auth", () => page.getByRole("tab").nth(2).click());
  const forgotten = { en: "Forgot password?", zh: "忘记密码？" };
  await judge(page, "/auth", (language) => press(page, forgotten, language));
  await judge(page, "/no-such-page");
  await judge(page, "/email-confirmation");
  await judge(page, "/reset-password");
  await judge(page, "/profile");
  await showResetForm(page);
  await judge(page, "/reset-password");
  for (const path of [
    ...["/record2", "/home2", "/ai-assistant2", "/courses2", "/notes2"],
    ...["/knowledge2", "/settings2", "/subscription2", "/profile2"],
  ])
    await judge(page, path);

  await page.evaluate(() => localStorage.setItem("interfaceLanguage", "en"));
  await enterAsGuest(page);
  await judge(page, "/");
  await judge(page, "/record");

  await page.evaluate(() => localStorage.setItem("interfaceLanguage", "en"));
  await signUp(page);
  await judge(page, "/");
  const id = await storeLecture(page, [{ english: "Good morning.", translated: "早上好。" }], {
    title: "20 21 22",
  });
  await judge(page, "/");
  await judge(page, `/?lecture=${id}`);
  await judge(page, `/print?lecture=${id}`);
  await judge(page, `/record?lecture=${id}`);
  const settings = { en: "Recording Settings", zh: "录音设置" };
  await judge(page, "/record", async (language) => {
    await press(page, settings, language);
    await expect(page.getByRole("dialog")).toBeVisible();
  });
  await judge(page, "/profile");
  const menu = { en: /^Account menu/, zh: /^账户菜单/ };
  await judge(page, "/profile", async (language) => {
    await page.getByRole("button", { name: menu[language] }).click();
    await expect(page.getByRole("menu")).toBeVisible();
  });
  const password = { en: "Change Password", zh: "修改密码" };
  await judge(page, "/profile", (language) => press(page, password, language));
  // In between another page: a reload finds the same view of the profile again.
  for (const path of ["/recordings", "/trash"]) await judge(page, path);
  await judge(page, "/profile", (language) => openPlans(page, language));

  const pages = measureFirstVisits(buildDir).map(({ path }) => path);
  expect(pages.filter((path) => !seen.has(path))).toEqual([]);
});
