import type { Page } from "@playwright/test";
import { measureFirstVisits } from "#bench/bundle-measure.ts";
import {
  getButton,
  getToastText,
  interfaceTexts,
  runSql,
  showResetForm,
} from "./support/accounts.ts";
import { findBarriers } from "./support/axe.ts";
import { openPlans } from "./support/billing.ts";
import { listControls } from "./support/controls.ts";
import { type MessageKey, messages } from "./support/interface.ts";
import { chooseFromMenu, enterAsGuest, signUp } from "./support/journey.ts";
import { callProcedure, storeFolder } from "./support/library.ts";
import { listSmallFields, measureSidewaysScroll, setLook } from "./support/look.ts";
import { buildDir } from "./support/prepared-files.ts";
import { shareLecture, storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

/**
 * Looks at every page once, in Chinese and dark: all texts are Chinese, there are no barriers and no small fields on a
 * phone, and nothing scrolls sideways on phone or desktop. The other tests show the pages in English and light, and check them there.
 */

/** By the name of the router for pages without a fixed path, and by their path otherwise. */
const paths = {
  signedOut: ["/auth", "/no-such-page", "/email-confirmation", "/reset-password", "/profile"],
  guest: ["/", "/record"],
  user: ["/", "/record", "/profile", "/connect", "/shared"],
  library: ["/", "/?q=light", "/recordings", "/trash", "/glossary", "/ask", "/quiz"],
  lecture: ["/print", "/live/*", "/keep"],
  mockUp: [
    "/record2",
    "/home2",
    "/ai-assistant2",
    "/courses2",
    "/notes2",
    "/knowledge2",
    "/settings2",
    "/subscription2",
    "/profile2",
  ],
} as const;

/** Names, and words that users type as shown, in both languages. */
const names =
  /Dualect 课译|\b(Dualect|AI|Free|Pro|Premium|Markdown|PDF|Word|DOCX|TXT|SRT|VTT|CSV|JSON|ZIP|MB|Stripe|Python|MCP|Webhook|https?:\/\/\S+?\/mcp|Whisper (tiny|base|small)|OPUS-MT|huggingface\.co|delete( all)?|Ctrl|Cmd|Enter|Esc|Tab|Del|Space|Shift|Alt|UTC|GMT[+-]\d+(:\d+)?|[A-Z][a-z]{2} \d{1,2}, \d{4}( \d{1,2}:\d{2} [AP]M)?|\d{1,2}:\d{2} [AP]M|\S+@\S+|\d+[hm])\b/g;

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

/** The page's texts that are not Chinese. */
async function listForeignTexts(page: Page): Promise<string[]> {
  return (await readTexts(page)).filter((text) => /[A-Za-z]{2,}/.test(text.replaceAll(names, "")));
}

type Step = () => Promise<void>;

interface Views {
  /** Goes from the path to what is checked. */
  open?: Step;
  /** Runs at each width. */
  look?: (width: number) => Promise<void>;
  /** Go on to views without an address, one after another; only their texts are checked. */
  next?: readonly Step[];
}

async function checkPage(page: Page, path: string, views: Views = {}): Promise<void> {
  const { open, look, next = [] } = views;
  await page.goto(path);
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-Hans");
  await expect(page.locator("html")).toHaveClass(/dark/);
  await expect(page.getByRole("main").first()).toBeVisible();
  await open?.();
  await checkTexts(page, path);
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expect
      .poll(() => measureSidewaysScroll(page), `${path} at ${width}: scrolls sideways`)
      .toBe(0);
    if (width === 390) {
      expect(await findBarriers(page), path).toEqual([]);
      expect(await listSmallFields(page), `${path}: small letters on a phone`).toEqual([]);
    }
    await look?.(width);
  }
  for (const step of next) {
    await step();
    await checkTexts(page, path);
    expect(await listSmallFields(page), `${path}: small letters in a view`).toEqual([]);
  }
}

async function checkTexts(page: Page, path: string): Promise<void> {
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  expect(await listForeignTexts(page), path).toEqual([]);
  // By its attributes, because a dialog above hides its role. In the site's head the account menu has it.
  const choice = page.locator(
    'button[lang="zh-Hans"], header > button[lang="en"], header button[aria-haspopup="menu"]',
  );
  const isFollowingDevice = path.startsWith("/live/");
  // Of a lecture's page it is among the lectures.
  const isLecture = path.includes("/record") || path.includes("?lecture=");
  if (!path.endsWith("2") && !isFollowingDevice && !isLecture)
    await expect(choice.first(), `${path}: the switch`).toBeVisible();
}

const press = (page: Page, name: string) => () => getButton(page, name).first().click();
/** Chinese and dark from the next load on. */
const setDarkChinese = (page: Page) => setLook(page, { language: "zh", theme: "dark" });

test("every page is checked", () => {
  const checked: string[] = Object.values(paths).flat();
  const pages = measureFirstVisits(buildDir).map(({ path }) => path);
  expect(pages.filter((path) => !checked.includes(path))).toEqual([]);
});

test("pages without a user", async ({ visit, expectConsoleErrors }) => {
  expectConsoleErrors(/^Unknown route: |the server responded with a status of 404/);
  const page = await visit();
  await page.goto("/auth");
  await setDarkChinese(page);
  const views: Partial<Record<string, Views>> = {
    "/auth": {
      next: [
        press(page, "登录"),
        press(page, "忘记密码？"),
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
  await setDarkChinese(page);
  for (const path of paths.guest) await checkPage(page, path);
});

test("a new user's pages, and the plans", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  await setDarkChinese(page);
  await checkPage(page, "/profile", { open: () => openPlans(page, "zh") });
  const views: Partial<Record<string, Views>> = {
    "/record": {
      next: [
        async () => {
          await press(page, "更多操作")();
          await page.getByRole("menuitem", { name: "麦克风与声音…" }).click();
          await expect(page.getByRole("dialog")).toBeVisible();
        },
      ],
    },
    "/profile": {
      next: [
        async () => {
          await page.getByRole("button", { name: /^账户菜单/ }).click();
          await expect(page.getByRole("menu")).toBeVisible();
        },
        async () => {
          await page.keyboard.press("Escape");
          await press(page, "修改密码")();
        },
      ],
    },
  };
  for (const path of paths.user) await checkPage(page, path, views[path]);
});

/** Where a page begins: at its folders, if these stand beside what it lists, else at its heading. */
async function readLeftEdge(page: Page): Promise<number | undefined> {
  const folders = page.getByRole("navigation", { name: /^(Folders|文件夹)$/ }).getByRole("tree");
  const heading = page.getByRole("heading", { level: 1 });
  const box = await ((await folders.isVisible()) ? folders : heading).boundingBox();
  return box?.x;
}

/** Titles of the pages of the library. */
const titles = {
  "/": "title.home",
  "/?q=light": "title.home",
  "/recordings": "title.home",
  "/trash": "title.trash",
  "/glossary": "title.glossary",
  "/ask": "title.ask",
  "/quiz": "title.quiz",
} as const satisfies Record<(typeof paths.library)[number], MessageKey>;

test("the lists of lectures, which begin at one left edge, and a stored lecture", async ({
  visit,
  site,
}) => {
  const page = await visit();
  const email = await signUp(page);
  // Nothing asks for it any more.
  await runSql(site, "update users set email_verified_at = now() where email = $1", [email]);
  const folder = await storeFolder(page, "31");
  const light = await storeLecture(
    page,
    [{ original: "Light bends.", translated: "光会弯曲。", speaker: "1" }],
    { title: "20 21 22" },
  );
  await callProcedure(page, "lectures.move", { id: light, folderId: folder });
  const gone = await storeLecture(page, [], { title: "23" });
  await callProcedure(page, "lectures.delete", { id: gone });
  await setDarkChinese(page);
  const open = () => {
    const list = page.getByRole("main").getByRole("listitem");
    const controls = ["textbox", "button"] as const;
    const own = controls.map((role) => page.getByRole("main").getByRole(role));
    return expect(own.reduce((all, one) => all.or(one), list).first()).toBeVisible();
  };
  const edges = new Map<number, Set<number | undefined>>();
  const look = async (width: number) => {
    // Questions are in the middle of a window.
    if (["/ask", "/quiz"].includes(new URL(page.url()).pathname)) return;
    edges.set(width, (edges.get(width) ?? new Set()).add(await readLeftEdge(page)));
    if (new URL(page.url()).pathname !== "/" || page.url().includes("?")) return;
    const controls = await listControls(page);
    expect(controls, controls.join(", ")).toHaveLength(width === 390 ? 10 : 12);
    const title = await page.getByRole("article").first().getByRole("heading").boundingBox();
    if (width === 390) expect((title?.y ?? 900) + (title?.height ?? 0)).toBeLessThan(844 / 3);
  };
  const { zh } = messages;
  for (const path of paths.library) {
    await checkPage(page, path, { open, look });
    await expect(page, path).toHaveTitle(zh[titles[path]]);
    const current = page.getByRole("banner").locator("nav a[aria-current]");
    await expect(current, path).toHaveText(zh[path === "/ask" ? "nav.ask" : "nav.lectures"]);
  }
  expect([...edges.values()].map(({ size }) => size)).toEqual([1, 1]);

  await checkPage(page, `/?lecture=${light}&row=0&q=light`, {
    open: () => expect(page.locator("[data-row][data-hit]")).toBeVisible(),
  });
  await checkPage(page, `/record?lecture=${light}`, {
    open: async () => {
      await getButton(page, "显示我的课").click();
      const tree = page.getByRole("tree");
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

test("no small fields in what opens over a page on a phone", { tag: "@nightly" }, async ({
  visit,
}) => {
  const page = await visit({ viewport: { width: 390, height: 844 } });
  await signUp(page);
  const id = await storeLecture(
    page,
    [{ original: "Light bends.", translated: "光会弯曲。", speaker: "1" }],
    { title: "Light" },
  );
  const choose = (entry: string) => async () => {
    await chooseFromMenu(page, entry);
    // Some entries are in it.
    await expect(page.getByRole("dialog", { name: "Improve text and speakers" })).toBeHidden();
  };
  const note = async () => {
    await page.locator("[data-row]").first().focus();
    await page.keyboard.press("n");
  };
  const views: [path: string, opens: Step[]][] = [
    [
      `/record?lecture=${id}`,
      [
        ...["Languages and text…", "Export", "Move to folder", "Share…"].map(choose),
        ...["Name speakers…", "Flashcards…"].map(choose),
        note,
        press(page, "Save"),
      ],
    ],
    ["/", [press(page, "Your Lectures")]],
  ];
  for (const [path, opens] of views) {
    await page.goto(path);
    await expect(page.getByText("Light").first()).toBeVisible();
    for (const [at, open] of opens.entries()) {
      await open();
      await expect(page.getByRole("dialog"), `${path}, ${at}`).toBeVisible();
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      expect(await listSmallFields(page), `${path}, ${at}`).toEqual([]);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog"), `${path}, ${at}`).toBeHidden();
    }
  }
});

// The test of the lists looks at the most of it every time.
test("every page begins at one left edge, and marks its place", { tag: "@nightly" }, async ({
  visit,
  expectConsoleErrors,
}) => {
  expectConsoleErrors(/^Unknown route: |the server responded with a status of 404/);
  const page = await visit();
  await signUp(page);
  await storeLecture(page, [{ original: "Light bends.", translated: "光会弯曲。" }]);
  const places = [
    ["/", "Lectures", "Lectures"],
    ["/?q=light", "Lectures", "Lectures"],
    ["/recordings", "Lectures", "Lectures"],
    ["/trash", "Trash", "Lectures"],
    ["/glossary", "Glossary", "Lectures"],
    ["/ask", "Ask", "Ask"],
    ["/profile", "Profile Settings", "Account menu"],
    ["/no-such-page", "Page Not Found", null],
    ["/email-confirmation", "Email confirmation", null],
    ["/reset-password", "Reset password", null],
  ] as const;
  const edges: Record<number, Set<number | undefined>> = {};
  for (const [path, title, active] of places) {
    await page.goto(path);
    await expect(page, path).toHaveTitle(`${title} · Dualect`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const current = page.getByRole("banner").locator(":is(nav a, button)[aria-current]");
    if (active === null) await expect(current, path).toHaveCount(0);
    else await expect(current, path).toHaveAccessibleName(new RegExp(`^${active}`));
    // Questions are in the middle of a window.
    if (path === "/ask") continue;
    for (const width of [390, 768, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      edges[width] ??= new Set();
      edges[width].add(await readLeftEdge(page));
    }
  }
  expect(Object.values(edges).map(({ size }) => size)).toEqual([1, 1, 1, 1]);
});

/** The page's requests other than for its files. */
function recordRequests(page: Page): string[] {
  const requests: string[] = [];
  let origin: string | null = null;
  page.on("request", (request) => {
    const { origin: of, pathname } = new URL(request.url());
    if (request.isNavigationRequest()) origin ??= of;
    if (of !== origin || /^\/(trpc|api)\b/.test(pathname)) requests.push(request.url());
  });
  page.on("websocket", (socket) => requests.push(socket.url()));
  return requests;
}

/** Presses all buttons at once. What they change on the device does not stay. */
async function pressAll(page: Page, path: string): Promise<void> {
  // It comes when the page has noticed the width.
  await expect(getButton(page, "创建会议")).toBeVisible();
  await page.evaluate(() => {
    const kept = { ...localStorage };
    const buttons = "button:enabled, input[type=radio]";
    for (const button of document.querySelectorAll<HTMLElement>(buttons)) button.click();
    addEventListener("pagehide", () => {
      localStorage.clear();
      Object.assign(localStorage, kept);
    });
  });
  await expect(page.getByRole("dialog"), path).toBeVisible();
  await expect(page.getByRole("region", { name: /^(Notifications|通知)$/ })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`${path}$`));
}

for (const part of [paths.mockUp.slice(0, 4), paths.mockUp.slice(4)])
  test(`the mock-up, which sends nothing by any button: ${part.join(", ")}`, {
    tag: "@nightly",
  }, async ({ visit }) => {
    const page = await visit();
    await page.goto("/auth");
    await setDarkChinese(page);
    await page.goto("about:blank");
    const requests = recordRequests(page);
    for (const path of part) {
      await checkPage(page, path);
      await pressAll(page, path);
    }
    expect(requests).toEqual([]);
  });

test("the mock-up's menu and calendar on a phone", { tag: "@nightly" }, async ({ visit }) => {
  const page = await visit({ language: "zh", viewport: { width: 390, height: 844 } });
  await page.goto("/record2");
  const menu = page.getByRole("navigation", { name: "示例页面" });
  await expect(menu).toBeHidden();
  await press(page, "显示侧边栏")();
  await press(page, "创建会议")();
  const dialog = page.getByRole("dialog", { name: "创建会议" });
  await dialog.getByRole("button", { name: "创建", exact: true }).click();
  await expect(getToastText(page, "请输入会议名称", interfaceTexts.zh)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await page.getByRole("link", { name: "课程日历" }).click();
  await expect(menu).toBeHidden();
  await expect(page.getByRole("heading", { name: "2025年10月", exact: true })).toBeVisible();
  await expect(page.getByRole("columnheader")).toHaveText([..."日一二三四五六"]);
  await expect(page.getByText("15 门课程")).toBeVisible();
});
