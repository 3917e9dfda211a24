import type { Page } from "@playwright/test";
import en from "../../src/client/i18n/en.json" with { type: "json" };
import zh from "../../src/client/i18n/zh.json" with { type: "json" };
import { showResetForm } from "../e2e/support/accounts.ts";
import { openPlans } from "../e2e/support/billing.ts";
import {
  enterAsGuest,
  heard,
  record,
  recordingOf,
  signUp,
  stopAndSettle,
  toast,
} from "../e2e/support/journey.ts";
import { call, storeFolder, storeMany } from "../e2e/support/library.ts";
import { setLook } from "../e2e/support/look.ts";
import { storeLecture } from "../e2e/support/stored.ts";
import { expect, test } from "../e2e/support/test.ts";

const widths = [390, 768, 1440];
const dictionaries = { en, zh };
type Look = { language: "en" | "zh"; theme: "light" | "dark" };
/** What the interface says for a key, in the language that is being shot. */
type Words = (key: keyof typeof en & keyof typeof zh) => string;
/** Brings a page into the state that is wanted. */
type Bring = (page: Page, words: Words, language: Look["language"]) => Promise<void>;

const looks: readonly Look[] = (["zh", "en"] as const).flatMap((language) =>
  (["dark", "light"] as const).map((theme) => ({ language, theme })),
);
/** Enough for a state of a page whose looks were all seen. */
const twoLooks: readonly Look[] = [
  { language: "zh", theme: "dark" },
  { language: "en", theme: "light" },
];

async function atEachWidth(page: Page, name: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
    await page.screenshot({ path: `screenshots/${name}-${width}.png` });
  }
}

/** The page in each of `inLooks` and at three widths; English and light at the end. */
async function shoot(
  page: Page,
  name: string,
  path: string,
  inLooks = looks,
  bring: Bring = async () => {},
): Promise<void> {
  for (const look of inLooks) {
    const { language, theme } = look;
    await setLook(page, look);
    await page.goto(path);
    await expect(page.locator("main")).toBeVisible();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    await bring(page, (key) => dictionaries[language][key], language);
    await atEachWidth(page, `${name}-${language}-${theme}`);
  }
}

/** States of the recording screen that a person gets to by one or two clicks. */
const states: Record<string, Bring> = {
  "transcript-expanded": (page, words) =>
    page.getByRole("button", { name: words("record.expandTranscript") }).click(),
  "summary-expanded": (page, words) =>
    page.getByRole("button", { name: words("summary.expand") }).click(),
  save: async (page, words) => {
    const dock = page.getByRole("region", { name: words("record.controls") });
    await dock.getByRole("button", { name: words("record.save"), exact: true }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
  },
  settings: async (page, words) => {
    await page.getByRole("button", { name: words("settings.title") }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
  },
  correcting: async (page) => {
    await page.locator('[data-row="1"]').focus();
    await page.keyboard.press("Enter");
    await expect(page.locator("textarea").first()).toBeFocused();
  },
  retranslate: (page, words) => fromMenu(page, words, "record.retranslate"),
  speakers: (page, words) => fromMenu(page, words, "record.nameSpeakers"),
};

async function fromMenu(page: Page, words: Words, entry: Parameters<Words>[0]): Promise<void> {
  await page.getByRole("button", { name: words("record.menu") }).click();
  await page.getByRole("menuitem", { name: words(entry) }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
}

/** The lectures beside the recording; on a phone, over it. */
const showTree: Bring = async (page, words) => {
  const show = page.getByRole("button", { name: words("sidebar.show") });
  await expect(show.or(page.getByRole("tree")).first()).toBeVisible();
  if (await show.isVisible()) await show.click();
  await expect(page.locator("[role=treeitem][aria-current]")).toBeVisible();
};

async function openRowMenu(page: Page): Promise<void> {
  await page.getByRole("treeitem", { level: 1 }).first().click({ button: "right" });
  await expect(page.getByRole("menu")).toBeVisible();
}

test("doors and empty pages", async ({ visit, expectConsoleErrors }) => {
  expectConsoleErrors(/^Unknown route: /);
  const page = await visit();
  await page.goto("/auth");
  await shoot(page, "auth", "/auth");
  await shoot(page, "not-found", "/no-such-page");
  await shoot(page, "email-confirmation", "/email-confirmation");
  await shoot(page, "profile-denied", "/profile");
  await shoot(page, "reset-refused", "/reset-password");
  await showResetForm(page);
  await shoot(page, "reset-password", "/reset-password");
  await enterAsGuest(page);
  await shoot(page, "guest-home", "/");
  await shoot(page, "guest-record", "/record");
  await shoot(page, "guest-no-microphone", "/record", twoLooks, async (guest, words) => {
    await guest.getByRole("button", { name: words("record.start"), exact: true }).click();
    await expect(guest.getByRole("alertdialog")).toBeVisible();
  });
});

test("a plan: none, one that is paid for, one that ends", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  const toPlans: Bring = (visited, _words, language) => openPlans(visited, language);
  await shoot(page, "plans", "/profile", looks, toPlans);
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Simulate Pro payment" }).click();
  await expect(page.getByText(/^Renews/)).toBeVisible();
  await shoot(page, "plans-pro", "/profile", looks, toPlans);
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Simulate downgrade" }).click();
  await expect(page.getByText(/^Access until/)).toBeVisible();
  await shoot(page, "profile-ending", "/profile");
  await shoot(page, "plans-ending", "/profile", looks, toPlans);
});

test("a lecture: while it is recorded, paused, in the list, opened", async ({ visit }) => {
  const { wav, fixture } = await recordingOf({ to: 20, wordsPerSentence: 5 });
  const page = await visit({ wav });
  await signUp(page);
  await shoot(page, "home-empty", "/");
  await shoot(page, "profile", "/profile");
  await page.goto("/record");
  await record(page);
  await heard(page, fixture.sentences[1]?.text ?? "", fixture.durationMs);
  await atEachWidth(page, "recording-en-light");
  await heard(page, fixture.sentences.at(-1)?.text ?? "", fixture.durationMs);
  await stopAndSettle(page);
  await expect(page).toHaveURL(/lecture=/);
  await atEachWidth(page, "paused-en-light");
  await page.getByRole("button", { name: "Generate Summary" }).click();
  await expect(toast(page, "Summary Generated")).toBeVisible();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  const address = new URL(page.url());
  const path = address.pathname + address.search;
  await shoot(page, "record", path);
  for (const [name, bring] of Object.entries(states))
    await shoot(page, `record-${name}`, path, twoLooks, bring);
  await shoot(page, "home", "/");
  await shoot(page, "detail", `/${address.search}`);
});

/** The pages of the mock-up that look unlike each other, and what one click leads to on them. */
test("the library: lists, what is found, one lecture, the trash", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  const folders = ["Thermodynamics", "Linear algebra", "研讨课"];
  const ids = await Promise.all(folders.map((name) => storeFolder(page, name)));
  const sentences = [
    {
      english: "So far we have only asked whether energy is conserved.",
      translated: "到目前为止，我们只问过能量是否守恒。",
    },
    {
      english: "Entropy tells which way the film should run.",
      translated: "熵说明影片该朝哪个方向放。",
      speaker: "2",
    },
  ];
  const entropy = await storeLecture(page, sentences, { title: "Entropy and time" });
  const waves = await storeLecture(page, sentences.slice(0, 1), { title: "波与光" });
  await call(page, "lectures.move", { id: entropy, folderId: ids[0] ?? null });
  await call(page, "lectures.change", {
    id: waves,
    summary: "Waves.\n\n- Entropy is left for later.",
  });
  await shoot(page, "home-filled", "/");
  await shoot(page, "search", "/?q=entropy", twoLooks);
  await shoot(page, "search-nothing", "/?q=nowhere", twoLooks);
  await shoot(page, "detail-landed", `/?lecture=${entropy}&row=1&q=entropy`, twoLooks);
  await shoot(page, "detail-summary", `/?lecture=${waves}&part=summary&q=entropy`, twoLooks);
  await shoot(page, "detail-move", `/?lecture=${entropy}`, twoLooks, async (shown, words) => {
    await shown.getByRole("button", { name: words("detail.menu") }).click();
    await shown.getByRole("menuitem", { name: words("detail.move") }).click();
    await expect(shown.getByRole("dialog")).toBeVisible();
  });
  await shoot(page, "recordings", "/recordings");
  const inTree = `/record?lecture=${entropy}`;
  await shoot(page, "tree", inTree, looks, showTree);
  await shoot(page, "tree-menu", inTree, twoLooks, async (shown, words, language) => {
    await showTree(shown, words, language);
    await openRowMenu(shown);
  });
  for (const [name, entry] of [
    ["tree-rename", "tree.rename"],
    ["tree-move", "tree.moveTo"],
    ["tree-delete-folder", "tree.delete"],
  ] as const)
    await shoot(page, name, inTree, twoLooks, async (shown, words, language) => {
      await showTree(shown, words, language);
      await openRowMenu(shown);
      await shown.getByRole("menuitem", { name: words(entry), exact: true }).click();
      await expect(shown.getByRole("textbox").or(shown.getByRole("combobox")).last()).toBeVisible();
    });
  await shoot(page, "tree-search", inTree, twoLooks, async (shown, words, language) => {
    await showTree(shown, words, language);
    await shown.getByRole("searchbox", { name: words("tree.search") }).fill("en");
    await expect(shown.getByRole("treeitem").first()).toBeVisible();
  });
  await call(page, "lectures.delete", { id: waves });
  await call(page, "folders.delete", { id: ids[0], confirmation: "delete" });
  await shoot(page, "trash", "/trash");
  await storeMany(60, (at) => storeFolder(page, `Week ${at}`));
  await storeMany(60, (at) => storeLecture(page, [], { title: `Lecture ${at}` }));
  await shoot(page, "home-many", "/", twoLooks);
});

test("the mock-up", async ({ visit }) => {
  const page = await visit();
  await page.goto("/auth");
  for (const name of ["record2", "home2", "ai-assistant2", "courses2", "settings2"])
    await shoot(page, name, `/${name}`);
  const press = (role: "tab" | "button" | "radio", index: number) => async (visited: Page) => {
    await visited.locator("main").getByRole(role).nth(index).click();
  };
  await shoot(page, "record2-summary", "/record2", twoLooks, press("tab", 1));
  await shoot(page, "record2-notes", "/record2", twoLooks, press("tab", 3));
  await shoot(page, "courses2-week", "/courses2", twoLooks, press("radio", 1));
  await shoot(page, "courses2-list", "/courses2", looks, async (visited) => {
    await visited.locator("main li").nth(8).scrollIntoViewIfNeeded();
  });
  await shoot(page, "record2-sidebar", "/record2", twoLooks, async (visited, _words, language) => {
    await visited.setViewportSize({ width: 390, height: 844 });
    const names = language === "en" ? ["Show the sidebar", "Folders"] : ["显示侧边栏", "文件夹"];
    for (const name of names) await visited.getByRole("button", { name }).click();
  });
  for (const [index, name] of ["core", "assist", "related", "exit"].entries())
    await shoot(page, `settings2-${name}`, "/settings2", twoLooks, press("tab", index + 1));
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/record2");
  await page.getByRole("button", { name: "Create Meeting" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await atEachWidth(page, "record2-meeting-en-light");
});
