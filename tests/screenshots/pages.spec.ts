import type { Page } from "@playwright/test";
import { showResetForm } from "#tests/e2e/support/accounts.ts";
import { openPlans } from "#tests/e2e/support/billing.ts";
import { messages } from "#tests/e2e/support/interface.ts";
import {
  createSpeech,
  enterAsGuest,
  expectSaved,
  getToastTitle,
  signUp,
} from "#tests/e2e/support/journey.ts";
import { openPart } from "#tests/e2e/support/lecture-parts.ts";
import { callProcedure, storeFolder, storeMany } from "#tests/e2e/support/library.ts";
import { setLook } from "#tests/e2e/support/look.ts";
import { installMicrophone } from "#tests/e2e/support/microphone.ts";
import { storeLecture } from "#tests/e2e/support/stored.ts";
import { expect, test } from "#tests/e2e/support/test.ts";
import { entropy } from "./sentences.ts";
import {
  capture,
  captureEachWidth,
  captureReloaded,
  chooseFromLectureMenu,
  type GetMessage,
  looks,
  type Prepare,
  pressRecord,
  setWidth,
  showSummary,
  twoLooks,
  widths,
} from "./shoot.ts";

/** What is open beside the text of a lecture, or in its place where there is no room beside it. */
const partStates: Record<string, Prepare> = {
  summary: showSummary,
  "summary-editing": async (page, getMessage) => {
    await showSummary(page, getMessage);
    await page.getByRole("button", { name: getMessage("summary.edit"), exact: true }).click();
  },
};

/** Other states of the recording screen after one or two clicks. */
const states: Record<string, Prepare> = {
  "transcript-expanded": async (page) => {
    await refuseFullScreen(page);
    await page.keyboard.press("f");
    await expect(page.locator("[data-overlay]")).toBeVisible();
  },
  "summary-expanded": async (page, getMessage) => {
    await showSummary(page, getMessage);
    await page.getByRole("button", { name: getMessage("summary.edit"), exact: true }).click();
    await page.getByRole("button", { name: getMessage("summary.expand") }).click();
    await expect(page.locator("[data-overlay]")).toBeVisible();
  },
  save: async (page, getMessage) => {
    const controls = page.getByRole("region", { name: getMessage("record.controls") });
    await controls.getByRole("button", { name: getMessage("record.save"), exact: true }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
  },
  retranslate: (page, getMessage) => openForm(page, getMessage, "reading.retranslate"),
  speakers: (page, getMessage) => openForm(page, getMessage, "reading.nameSpeakers"),
};

/** Until the next load, because a window in full screen cannot be resized. The view still covers the page. */
const refuseFullScreen = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, "fullscreenEnabled", { configurable: true, value: false });
  });

async function openForm(
  page: Page,
  getMessage: GetMessage,
  entry: Parameters<GetMessage>[0],
): Promise<void> {
  await chooseFromLectureMenu(page, getMessage, entry);
  await expect(page.getByRole("dialog", { name: getMessage("lecture.improveTitle") })).toBeHidden();
  await expect(page.getByRole("dialog")).toBeVisible();
}

/** The exact name, because that of the transcript's menu contains it. */
const openLectureMenu = (page: Page, getMessage: GetMessage) =>
  page.getByRole("button", { name: getMessage("lecture.menu"), exact: true }).click();

/** The sidebar of lectures, which covers the page on a phone. */
const showTree: Prepare = async (page, getMessage) => {
  const show = page.getByRole("button", { name: getMessage("sidebar.show") });
  await expect(show.or(page.getByRole("tree")).first()).toBeVisible();
  if (await show.isVisible()) await show.click();
  await expect(page.locator("[role=treeitem][aria-current]")).toBeVisible();
};

async function openRowMenu(page: Page): Promise<void> {
  await page.getByRole("treeitem", { level: 1 }).first().click({ button: "right" });
  await expect(page.getByRole("menu")).toBeVisible();
}

test("captures sign-in and empty pages", async ({ visit, expectConsoleErrors }) => {
  expectConsoleErrors(/^Unknown route: |the server responded with a status of 404/);
  const page = await visit();
  await page.goto("/auth");
  await capture(page, "auth", "/auth");
  await capture(page, "auth-errors", "/auth", looks, async (visited, getMessage) => {
    const name = getMessage("auth.createAccount");
    await visited.getByRole("button", { name, exact: true }).click();
    await expect(visited.getByRole("dialog")).toBeVisible();
    await visited.getByRole("dialog").getByRole("button", { name, exact: true }).click();
    await expect(visited.getByRole("textbox").first()).toBeFocused();
  });
  await capture(page, "not-found", "/no-such-page");
  await capture(page, "email-confirmation", "/email-confirmation");
  await capture(page, "profile-denied", "/profile");
  await capture(page, "reset-refused", "/reset-password");
  await showResetForm(page);
  await capture(page, "reset-password", "/reset-password");
  await enterAsGuest(page);
  await capture(page, "guest-home", "/");
  await capture(page, "guest-record", "/record");
  await capture(page, "guest-no-microphone", "/record", twoLooks, async (guest, getMessage) => {
    await guest.getByRole("button", { name: getMessage("record.start"), exact: true }).click();
    await expect(guest.getByRole("alertdialog")).toBeVisible();
  });
});

test("captures no plan, a paid plan, and a plan that ends", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  const toPlans: Prepare = (visited, _getMessage, language) => openPlans(visited, language);
  await capture(page, "plans", "/profile", looks, toPlans);
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Simulate Pro payment" }).click();
  await expect(page.getByText(/^Renews/)).toBeVisible();
  await capture(page, "plans-pro", "/profile", looks, toPlans);
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Simulate downgrade" }).click();
  await expect(page.getByText(/^Access until/)).toBeVisible();
  await capture(page, "profile-ending", "/profile");
  await capture(page, "plans-ending", "/profile", looks, toPlans);
});

test("captures a recording, and pauses it", async ({ visit }) => {
  const page = await visit();
  await installMicrophone(page.context(), createSpeech({ to: 120 }));
  await signUp(page);
  for (const look of looks) {
    const say = messages[look.language];
    await setLook(page, look);
    await page.goto("/record");
    await pressRecord(page);
    await expect(page.locator("[data-row='4']")).toBeVisible({ timeout: 60_000 });
    await captureEachWidth(page, `recording-${look.language}-${look.theme}`);
    await page.keyboard.press("s");
    await expect(page.getByRole("button", { name: say["record.save"], exact: true })).toBeVisible();
    await expect(page.locator("[data-live-line]")).toHaveCount(0);
    await captureEachWidth(page, `paused-${look.language}-${look.theme}`);
    // What the microphone gives is known once it was opened.
    await chooseFromLectureMenu(page, (key) => say[key], "lecture.sound");
    const given = (["raw", "processed", "unknown"] as const)
      .map((kind) => page.getByText(say[`settings.soundGiven.${kind}`].split("{")[0] ?? ""))
      .reduce((all, one) => all.or(one))
      .first();
    for (const width of widths) {
      await setWidth(page, width);
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      await given.scrollIntoViewIfNeeded();
      const picture = `sound-${look.language}-${look.theme}-${width}.png`;
      await page.screenshot({ path: `screenshots/${picture}` });
    }
  }
});

/** Opens a lecture with a summary; returns its address. */
async function openSummarized(page: Page): Promise<URL> {
  const id = await storeLecture(page, entropy.slice(0, 8), { title: "Entropy" });
  await page.goto(`/record?lecture=${id}`);
  await openPart(page, "Summary");
  await page.getByRole("button", { name: "Generate Summary" }).click();
  await expect(getToastTitle(page, "Summary Generated")).toBeVisible();
  await expectSaved(page);
  return new URL(page.url());
}

test("captures a lecture in the list, and open", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  await capture(page, "home-empty", "/");
  await capture(page, "profile", "/profile");
  const { pathname, search } = await openSummarized(page);
  // On a page that is opened in a narrow window no summary covers the rows.
  await captureReloaded(page, "record", pathname + search, async () => {}, looks);
  await capture(page, "home", "/");
  await captureReloaded(page, "detail", `/${search}`, async () => {}, looks);
});

test("captures what is done with a lecture", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  const { pathname, search } = await openSummarized(page);
  const path = pathname + search;
  await captureReloaded(page, "record-correcting", path, async (shown) => {
    await shown.locator('[data-row="1"]').focus();
    await shown.keyboard.press("Enter");
    await expect(shown.locator("textarea").first()).toBeFocused();
  });
  for (const [name, prepare] of Object.entries(partStates))
    await captureReloaded(page, `record-${name}`, path, prepare);
  for (const [name, prepare] of Object.entries(states))
    await capture(page, `record-${name}`, path, twoLooks, prepare);
});

test("captures a long lecture", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  const id = await storeLecture(page, entropy, { title: "Entropy: counting the ways" });
  await callProcedure(page, "lectures.change", { id, speakerNames: { "1": "Dr. Okafor" } });
  await capture(page, "record-long", `/record?lecture=${id}`);
  await capture(page, "detail-long", `/?lecture=${id}`);
  await capture(page, "detail-find", `/?lecture=${id}`, twoLooks, async (shown, getMessage) => {
    await shown.locator("[data-row]").first().focus();
    await shown.keyboard.press("ControlOrMeta+f");
    await shown.getByRole("textbox", { name: getMessage("find.label") }).fill("ENTROPY");
    await expect(shown.getByRole("search").getByRole("status")).toContainText("1");
  });
  await capture(page, "delete", "/", twoLooks, async (shown, getMessage) => {
    const label = getMessage("home.moreNamed").replace("{title}", "Entropy: counting the ways");
    await shown.getByRole("button", { name: label }).click();
    await shown.getByRole("menuitem", { name: getMessage("delete.confirm") }).click();
    await expect(shown.getByRole("alertdialog")).toBeVisible();
  });
});

test("captures lists, search results, a lecture, and the trash", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  const folders = ["Thermodynamics", "Linear algebra", "研讨课"];
  const ids = await Promise.all(folders.map((name) => storeFolder(page, name)));
  const sentences = [
    {
      original: "So far we have only asked whether energy is conserved.",
      translated: "到目前为止，我们只问过能量是否守恒。",
    },
    {
      original: "Entropy tells which way the film should run.",
      translated: "熵说明影片该朝哪个方向放。",
      speaker: "2",
    },
  ];
  const entropy = await storeLecture(page, sentences, { title: "Entropy and time" });
  const waves = await storeLecture(page, sentences.slice(0, 1), { title: "波与光" });
  await callProcedure(page, "lectures.move", { id: entropy, folderId: ids[0] ?? null });
  await callProcedure(page, "lectures.change", {
    id: waves,
    summary: "Waves.\n\n- Entropy is left for later.",
  });
  await capture(page, "home-filled", "/");
  await capture(page, "search", "/?q=entropy", twoLooks);
  await capture(page, "search-nothing", "/?q=nowhere", twoLooks);
  await capture(page, "detail-landed", `/?lecture=${entropy}&row=1&q=entropy`, twoLooks);
  await capture(page, "detail-summary", `/?lecture=${waves}&part=summary&q=entropy`);
  await capture(
    page,
    "detail-move",
    `/?lecture=${entropy}`,
    twoLooks,
    async (shown, getMessage) => {
      await openLectureMenu(shown, getMessage);
      await shown.getByRole("menuitem", { name: getMessage("lecture.move") }).click();
      await expect(shown.getByRole("dialog")).toBeVisible();
    },
  );
  await capture(page, "recordings", "/recordings");
  const inTree = `/record?lecture=${entropy}`;
  await captureReloaded(page, "tree", inTree, showTree);
  await captureReloaded(page, "tree-menu", inTree, async (shown, getMessage, language) => {
    await showTree(shown, getMessage, language);
    await openRowMenu(shown);
  });
  for (const [name, entry] of [
    ["tree-rename", "tree.rename"],
    ["tree-move", "tree.moveTo"],
    ["tree-delete-folder", "tree.delete"],
  ] as const)
    await captureReloaded(page, name, inTree, async (shown, getMessage, language) => {
      await showTree(shown, getMessage, language);
      await openRowMenu(shown);
      await shown.getByRole("menuitem", { name: getMessage(entry), exact: true }).click();
      await expect(shown.locator("input:focus")).toBeVisible();
    });
  await captureReloaded(page, "tree-search", inTree, async (shown, getMessage, language) => {
    await showTree(shown, getMessage, language);
    await shown.getByRole("searchbox", { name: getMessage("tree.search") }).fill("en");
    await expect(shown.getByRole("treeitem", { name: "波与光" })).toHaveCount(0);
    await expect(shown.getByRole("treeitem").first()).toBeVisible();
  });
  await callProcedure(page, "lectures.delete", { id: waves });
  await callProcedure(page, "folders.delete", { id: ids[0], confirmation: "delete" });
  await capture(page, "trash", "/trash");
  await storeMany(60, (at) => storeFolder(page, `Week ${at}`));
  await storeMany(60, (at) => storeLecture(page, [], { title: `Lecture ${at}` }));
  await capture(page, "home-many", "/", twoLooks);
});

/** A bilingual file for the import with an unreadable line. */
const subtitles = `1
00:00:01,000 --> 00:00:04,000
Entropy tells which way the film should run.
熵说明影片该朝哪个方向放。

2
00:00:04,000 --> 00:00:07,500
Then where does the direction come from?
那么方向从哪里来？

Loose words.
`;

test("captures export, import and interruptions", async ({ visit, expectConsoleErrors }) => {
  expectConsoleErrors(/net::ERR_FAILED|40\d|^PageLoadError|^TRPCClientError/);
  const page = await visit();
  await signUp(page);
  const sentences = [{ original: "Energy is conserved.", translated: "能量守恒。" }];
  const store = (title: string, from = sentences) => storeLecture(page, from, { title });
  const id = await store("Entropy and time");
  await capture(page, "export", `/?lecture=${id}`, twoLooks, async (shown, getMessage) => {
    await openLectureMenu(shown, getMessage);
    await shown.getByRole("menuitem", { name: getMessage("lecture.export") }).click();
    await expect(shown.getByRole("dialog")).toBeVisible();
  });
  const openImport: Prepare = async (shown, getMessage) => {
    await shown.getByRole("button", { name: getMessage("home.import"), exact: true }).click();
    await expect(shown.getByRole("dialog")).toBeVisible();
  };
  await capture(page, "import", "/", twoLooks, openImport);
  await capture(page, "import-preview", "/", twoLooks, async (shown, getMessage, language) => {
    await openImport(shown, getMessage, language);
    await shown.locator("[role=dialog] input[type=file]").setInputFiles({
      name: "entropy.srt",
      mimeType: "text/plain",
      buffer: Buffer.from(subtitles),
    });
    await expect(shown.getByRole("switch", { name: getMessage("import.bilingual") })).toBeVisible();
  });
  const untimed = await storeLecture(
    page,
    ["A file without times.", "It shows none."].map((original) => ({
      original,
      translated: "没有时间的文件。",
      startMs: 0,
      endMs: 0,
    })),
    { title: "Without times" },
  );
  await capture(page, "detail-untimed", `/?lecture=${untimed}`, twoLooks);
  await capture(page, "record-untimed", `/record?lecture=${untimed}`, twoLooks);
  await capture(page, "bar-offline", "/", twoLooks, async (shown, getMessage) => {
    await shown.route("/api/health", (route) => route.abort());
    await shown.evaluate(() => {
      Object.defineProperty(navigator, "onLine", { configurable: true, get: () => false });
      dispatchEvent(new Event("offline"));
    });
    await expect(shown.getByText(getMessage("bar.offline")).first()).toBeVisible();
    await expect(shown.getByText(getMessage("stored.readable")).first()).toBeVisible();
  });
  for (const look of twoLooks) {
    const gone = await store("Soon deleted");
    await capture(page, "deleted-elsewhere", `/record?lecture=${gone}`, [look], async (shown) => {
      await callProcedure(shown, "lectures.delete", { id: gone });
      await shown.locator('[data-row="0"]').focus();
      await shown.keyboard.press("Enter");
      await shown.locator("textarea").first().fill("Energy is always conserved.");
      await shown.keyboard.press("Control+Enter");
      await expect(shown.getByRole("main").getByRole("alert")).toBeVisible();
    });
  }
  await page.route(/\/assets\/profile-[\w-]+\.js$/, (route) => route.abort());
  await capture(page, "failed", "/profile");
});
