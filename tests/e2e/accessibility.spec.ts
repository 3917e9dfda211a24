import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { showResetForm } from "./support/accounts.ts";
import { openPlans } from "./support/billing.ts";
import { enterAsGuest, signUp } from "./support/journey.ts";
import { call, storeFolder } from "./support/library.ts";
import { setLook } from "./support/look.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

/**
 * Every page in each language and theme, and in each language and each theme at the widths of a phone and
 * of a desk. Nothing scrolls sideways at either width.
 */

const widths = [390, 1440];

/** `open` leads on from `path` to a view without an address of its own. */
async function judge(
  page: Page,
  path: string,
  open: (language: "en" | "zh") => Promise<void> = async () => {},
): Promise<void> {
  for (const language of ["en", "zh"] as const) {
    for (const theme of ["light", "dark"] as const) {
      await setLook(page, { language, theme });
      await page.goto(path);
      await expect(page.locator("html")).toHaveAttribute("lang", language === "en" ? "en" : /^zh/);
      await expect(page.locator("html")).toHaveClass(theme === "dark" ? /dark/ : /^(?!.*dark)/);
      await expect(page.locator("main")).toBeVisible();
      await open(language);
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      for (const width of widths) {
        const at = `${path} ${language} ${theme} ${width}`;
        await page.setViewportSize({ width, height: 900 });
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(overflow, `${at}: scrolls sideways`).toBe(0);
        const turn = (language === "en") === (theme === "light") ? 1440 : 390;
        if (width !== turn) continue;
        const { violations } = await new AxeBuilder({ page }).analyze();
        const grave = violations.filter(
          ({ impact }) => impact === "serious" || impact === "critical",
        );
        expect(grave, at).toEqual([]);
      }
    }
  }
}

test("the doors: sign-in and not found", async ({ visit, expectConsoleErrors }) => {
  expectConsoleErrors(/^Unknown route: /);
  const page = await visit();
  await page.goto("/auth");
  await judge(page, "/auth");
  await judge(page, "/no-such-page");
});

test("the pages behind links, and the profile of nobody", async ({ visit }) => {
  const page = await visit();
  await page.goto("/auth");
  await judge(page, "/email-confirmation");
  await judge(page, "/profile");
  await showResetForm(page);
  await judge(page, "/reset-password");
});

test("a guest's pages", async ({ visit }) => {
  const page = await visit();
  await enterAsGuest(page);
  await judge(page, "/");
  await judge(page, "/record");
});

test("a user's pages", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  await judge(page, "/record");
  await judge(page, "/profile");
});

test("the library", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  const folder = await storeFolder(page, "Optics");
  const light = await storeLecture(page, [
    { english: "Light bends.", translated: "光会弯曲。", speaker: "1" },
  ]);
  await call(page, "lectures.move", { id: light, folderId: folder });
  const gone = await storeLecture(page, [], { title: "Gone" });
  await call(page, "lectures.delete", { id: gone });
  const shown = () => expect(page.getByRole("main").getByRole("listitem").first()).toBeVisible();
  await judge(page, "/", shown);
  await judge(page, "/?q=light", shown);
  await judge(page, `/?lecture=${light}&row=0&q=light`, () =>
    expect(page.locator("[data-row] mark")).toBeVisible(),
  );
  await judge(page, `/record?lecture=${light}`, async (language) => {
    // On a phone the lectures lie over the page, and begin hidden.
    const show = page.getByRole("button", {
      name: language === "en" ? "Show lectures" : "显示课程列表",
    });
    const tree = page.getByRole("tree");
    await expect(show.or(tree).first()).toBeVisible();
    if (await show.isVisible()) await show.click();
    await expect(tree.getByRole("treeitem", { name: "Optics" })).toBeVisible();
    await expect(tree.getByRole("treeitem", { level: 2 })).toBeVisible();
  });
  await judge(page, "/recordings", shown);
  await judge(page, "/trash", shown);
});

test("the plans", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  await judge(page, "/profile", (language) => openPlans(page, language));
});

test("the mock-up", async ({ visit }) => {
  const page = await visit();
  await page.goto("/auth");
  for (const path of ["/record2", "/courses2", "/ai-assistant2", "/settings2", "/home2"])
    await judge(page, path);
});
