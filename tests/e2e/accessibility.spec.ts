import type { Page } from "@playwright/test";
import { showResetForm } from "./support/accounts.ts";
import { findBarriers } from "./support/axe.ts";
import { openPlans } from "./support/billing.ts";
import { enterAsGuest, signUp } from "./support/journey.ts";
import { callProcedure, storeFolder } from "./support/library.ts";
import { setLook } from "./support/look.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

/**
 * Checks every page in English with the light theme and in Chinese with the dark one, because colours do
 * not depend on the language nor sizes on the theme. No page may scroll sideways on phone or desktop.
 */

const looks = [
  { language: "en", theme: "light", judged: 1440 },
  { language: "zh", theme: "dark", judged: 390 },
] as const;
const widths = [390, 1440];

/** `open` goes from `path` to a view without its own URL. */
async function checkPages(
  page: Page,
  path: string,
  open: (language: "en" | "zh") => Promise<void> = async () => {},
): Promise<void> {
  for (const { language, theme, judged } of looks) {
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
      if (width === judged) expect(await findBarriers(page), at).toEqual([]);
    }
  }
}

test("has no barriers on the sign-in and not-found pages", async ({
  visit,
  expectConsoleErrors,
}) => {
  expectConsoleErrors(/^Unknown route: /);
  const page = await visit();
  await page.goto("/auth");
  await checkPages(page, "/auth");
  await checkPages(page, "/no-such-page");
});

test("has no barriers on link pages and the signed-out profile", async ({ visit }) => {
  const page = await visit();
  await page.goto("/auth");
  await checkPages(page, "/email-confirmation");
  await checkPages(page, "/profile");
  await showResetForm(page);
  await checkPages(page, "/reset-password");
});

test("has no barriers on a guest's pages", async ({ visit }) => {
  const page = await visit();
  await enterAsGuest(page);
  await checkPages(page, "/");
  await checkPages(page, "/record");
});

test("has no barriers on a user's pages", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  await checkPages(page, "/record");
  await checkPages(page, "/profile");
});

/** A lecture in a folder, and one in the trash. Returns the first one's id. */
async function storeLibrary(page: Page): Promise<string> {
  await signUp(page);
  const folder = await storeFolder(page, "Optics");
  const light = await storeLecture(page, [
    { english: "Light bends.", translated: "光会弯曲。", speaker: "1" },
  ]);
  await callProcedure(page, "lectures.move", { id: light, folderId: folder });
  const gone = await storeLecture(page, [], { title: "Gone" });
  await callProcedure(page, "lectures.delete", { id: gone });
  return light;
}

const createListCheck = (page: Page) => () =>
  expect(page.getByRole("main").getByRole("listitem").first()).toBeVisible();

test("has no barriers on the lists of lectures", async ({ visit }) => {
  const page = await visit();
  await storeLibrary(page);
  for (const path of ["/", "/?q=light", "/recordings", "/trash"])
    await checkPages(page, path, createListCheck(page));
});

test("has no barriers on a stored lecture", async ({ visit }) => {
  const page = await visit();
  const light = await storeLibrary(page);
  await checkPages(page, `/?lecture=${light}&row=0&q=light`, () =>
    expect(page.locator("[data-row][data-hit]")).toBeVisible(),
  );
  await checkPages(page, `/record?lecture=${light}`, async (language) => {
    // On a phone the sidebar covers the page and is hidden at first.
    const show = page.getByRole("button", {
      name: language === "en" ? "Show lectures" : "显示课堂记录列表",
    });
    const tree = page.getByRole("tree");
    await expect(show.or(tree).first()).toBeVisible();
    if (await show.isVisible()) await show.click();
    await expect(tree.getByRole("treeitem", { name: "Optics" })).toBeVisible();
    await expect(tree.getByRole("treeitem", { level: 2 })).toBeVisible();
  });
  await checkPages(page, `/print?lecture=${light}`, () =>
    expect(page.getByRole("article")).toBeVisible(),
  );
});

test("has no barriers on the plans page", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  await checkPages(page, "/profile", (language) => openPlans(page, language));
});

for (const paths of [
  ["/record2", "/courses2"],
  ["/ai-assistant2", "/settings2", "/home2"],
])
  test(`the mock-up: ${paths.join(", ")}`, async ({ visit }) => {
    const page = await visit();
    await page.goto("/auth");
    for (const path of paths) await checkPages(page, path);
  });
