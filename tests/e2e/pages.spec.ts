import type { Page } from "@playwright/test";
import { measureFirstVisits } from "#bench/bundle-measure.ts";
import { showResetForm } from "./support/accounts.ts";
import { findBarriers } from "./support/axe.ts";
import { openPlans } from "./support/billing.ts";
import { enterAsGuest, signUp } from "./support/journey.ts";
import { callProcedure, storeFolder } from "./support/library.ts";
import { type Language, setLook } from "./support/look.ts";
import { buildDir } from "./support/prepared-files.ts";
import { shareLecture } from "./support/shared.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

/**
 * Checks every page in English with the light theme and in Chinese with the dark one, because colours do
 * not depend on the language nor sizes on the theme: all texts are in the chosen language, there are no barriers, and
 * nothing scrolls sideways on phone or desktop.
 */

const looks = [
  { language: "en", theme: "light", judged: 1440 },
  { language: "zh", theme: "dark", judged: 390 },
] as const;
const widths = [390, 1440];

/** By the name of the router for pages without a fixed path, and by their path otherwise. */
const paths = {
  signedOut: ["/auth", "/no-such-page", "/email-confirmation", "/reset-password", "/profile"],
  guest: ["/", "/record"],
  user: ["/", "/record", "/profile"],
  library: ["/", "/?q=light", "/recordings", "/trash"],
  lecture: ["/print", "/live/*", "/keep"],
  mockUp: [
    ...["/record2", "/home2", "/ai-assistant2", "/courses2", "/notes2"],
    ...["/knowledge2", "/settings2", "/subscription2", "/profile2"],
  ],
} as const;

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

type Step = (language: Language) => Promise<void>;

interface Views {
  /** Goes from the path to what is checked. */
  open?: Step;
  /** Go on to views without an address, one after another; only their texts are checked. */
  next?: readonly Step[];
}

async function checkPage(page: Page, path: string, { open, next = [] }: Views = {}): Promise<void> {
  for (const { language, theme, judged } of looks) {
    await setLook(page, { language, theme });
    await page.goto(path);
    await expect(page.locator("html")).toHaveAttribute(
      "lang",
      language === "en" ? "en" : "zh-Hans",
    );
    await expect(page.locator("html")).toHaveClass(theme === "dark" ? /dark/ : /^(?!.*dark)/);
    await expect(page.getByRole("main").first()).toBeVisible();
    await open?.(language);
    await checkTexts(page, path, language);
    for (const width of widths) {
      const at = `${path} ${language} ${theme} ${width}`;
      await page.setViewportSize({ width, height: 900 });
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, `${at}: scrolls sideways`).toBe(0);
      if (width === judged) expect(await findBarriers(page), at).toEqual([]);
    }
    for (const step of next) {
      await step(language);
      await checkTexts(page, path, language);
    }
  }
}

async function checkTexts(page: Page, path: string, language: Language): Promise<void> {
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  expect(await listForeignTexts(page, language), `${path} in ${language}`).toEqual([]);
  // By its attributes, because a dialog above hides its role.
  const choice = page.locator('button[lang="zh-Hans"]');
  const isFollowingDevice = path.startsWith("/live/");
  if (!path.endsWith("2") && !isFollowingDevice)
    await expect(choice.first(), `${path}: the switch`).toBeVisible();
}

/** Finds buttons by position, because their texts are tested. */
const press =
  (page: Page, name: { en: string; zh: string }): Step =>
  (language) =>
    page.getByRole("button", { name: name[language], exact: true }).first().click();

test("every page is checked", () => {
  const checked: string[] = Object.values(paths).flat();
  const pages = measureFirstVisits(buildDir).map(({ path }) => path);
  expect(pages.filter((path) => !checked.includes(path))).toEqual([]);
});

test("pages without a user", async ({ visit, expectConsoleErrors }) => {
  expectConsoleErrors(/^Unknown route: /);
  const page = await visit();
  await page.goto("/auth");
  const views: Partial<Record<string, Views>> = {
    "/auth": {
      next: [
        press(page, { en: "Forgot password?", zh: "忘记密码？" }),
        async () => void (await page.reload()),
        () => page.getByRole("tab").nth(1).click(),
        () => page.getByRole("tab").nth(2).click(),
      ],
    },
  };
  for (const path of paths.signedOut) await checkPage(page, path, views[path]);
  await showResetForm(page);
  await checkPage(page, "/reset-password");
});

test("a guest's pages", async ({ visit }) => {
  const page = await visit();
  await enterAsGuest(page);
  for (const path of paths.guest) await checkPage(page, path);
});

test("a new user's pages", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  const views: Partial<Record<string, Views>> = {
    "/record": {
      next: [
        async (language) => {
          await press(page, { en: "Recording Settings", zh: "录音设置" })(language);
          await expect(page.getByRole("dialog")).toBeVisible();
        },
      ],
    },
    "/profile": {
      next: [
        async (language) => {
          const menu = { en: /^Account menu/, zh: /^账户菜单/ };
          await page.getByRole("button", { name: menu[language] }).click();
          await expect(page.getByRole("menu")).toBeVisible();
        },
        async (language) => {
          await page.keyboard.press("Escape");
          await press(page, { en: "Change Password", zh: "修改密码" })(language);
        },
      ],
    },
  };
  for (const path of paths.user) await checkPage(page, path, views[path]);
});

test("the plans", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  await checkPage(page, "/profile", { open: (language) => openPlans(page, language) });
});

/** A lecture in a folder, and one in the trash. Returns the first one's id. */
async function storeLibrary(page: Page): Promise<string> {
  await signUp(page);
  const folder = await storeFolder(page, "31");
  const light = await storeLecture(
    page,
    [{ english: "Light bends.", translated: "光会弯曲。", speaker: "1" }],
    { title: "20 21 22" },
  );
  await callProcedure(page, "lectures.move", { id: light, folderId: folder });
  const gone = await storeLecture(page, [], { title: "23" });
  await callProcedure(page, "lectures.delete", { id: gone });
  return light;
}

test("the lists of lectures", async ({ visit }) => {
  const page = await visit();
  await storeLibrary(page);
  const open = () => expect(page.getByRole("main").getByRole("listitem").first()).toBeVisible();
  for (const path of paths.library) await checkPage(page, path, { open });
});

test("a stored lecture", async ({ visit }) => {
  const page = await visit();
  const light = await storeLibrary(page);
  await checkPage(page, `/?lecture=${light}&row=0&q=light`, {
    open: () => expect(page.locator("[data-row][data-hit]")).toBeVisible(),
  });
  await checkPage(page, `/record?lecture=${light}`, {
    open: async (language) => {
      // On a phone the sidebar covers the page and is hidden at first.
      const show = page.getByRole("button", {
        name: language === "en" ? "Show lectures" : "显示课堂记录列表",
      });
      const tree = page.getByRole("tree");
      await expect(show.or(tree).first()).toBeVisible();
      if (await show.isVisible()) await show.click();
      await expect(tree.getByRole("treeitem", { name: "31" })).toBeVisible();
      await expect(tree.getByRole("treeitem", { level: 2 })).toBeVisible();
    },
  });
  const [print, , keep] = paths.lecture;
  await checkPage(page, `${print}?lecture=${light}`, {
    open: () => expect(page.getByRole("article")).toBeVisible(),
  });
  await checkPage(page, await shareLecture(page, light));
  await checkPage(page, keep);
});

for (const part of [paths.mockUp.slice(0, 4), paths.mockUp.slice(4)])
  test(`the mock-up: ${part.join(", ")}`, async ({ visit }) => {
    const page = await visit();
    await page.goto("/auth");
    for (const path of part) await checkPage(page, path);
  });
