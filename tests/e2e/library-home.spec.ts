import type { Page } from "@playwright/test";
import { messages } from "./support/interface.ts";
import { signUp } from "./support/journey.ts";
import { callProcedure, storeFolder, storeMany } from "./support/library.ts";
import { readMarked } from "./support/marked.ts";
import { expectToast } from "./support/messages.ts";
import { installMicrophone } from "./support/microphone.ts";
import { holdCalls } from "./support/procedures.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

const { en, zh } = messages;

/** The home page: list, filters, an opened lecture, deletion and trash. */

const getChip = (page: Page, name: string) =>
  page.getByRole("toolbar").getByRole("button", { name, exact: true });
const getCard = (page: Page, title: string) =>
  page.getByRole("article").filter({ has: page.getByRole("link", { name: title, exact: true }) });
const openCard = (page: Page, title: string) =>
  page.getByRole("main").getByRole("link", { name: title, exact: true }).click();

/** The lecture whose card is in the middle of the window. */
const readMiddleTitle = (page: Page) =>
  page.evaluate(
    () =>
      document
        .elementFromPoint(innerWidth / 2, innerHeight / 2)
        ?.closest("article")
        ?.querySelector("h2 a")?.textContent ?? "",
  );

test("lists, opens, edits, deletes and restores lectures in folders", async ({
  visit,
  expectConsoleErrors,
}) => {
  // For a lecture that does not exist.
  expectConsoleErrors(/404/);
  const page = await visit();
  await signUp(page);
  await expect(page.getByRole("heading", { name: en["home.empty"] })).toBeVisible();
  await expect(page.getByText(en["home.emptyHint"])).toBeVisible();
  await expect(page.getByRole("link", { name: "New Lecture" })).toHaveAttribute("href", "/record");
  await expect(getChip(page, "All Lectures (0)")).toBeVisible();

  const physics = await storeFolder(page, "Physics");
  await storeFolder(page, "Algebra");
  const heat = await storeLecture(
    page,
    [
      { english: `Heat flows. ${"So it goes on and on. ".repeat(10)}`, translated: "热会流动。" },
      { english: "It never comes back.", translated: "它从不回来。", speaker: "1" },
    ],
    { title: "Heat" },
  );
  await callProcedure(page, "lectures.move", { id: heat, folderId: physics });
  await callProcedure(page, "lectures.change", { id: heat, summary: "Heat is work." });
  await storeLecture(page, [], { title: "Bare" });
  await page.reload();

  // The card's exact text.
  const today = new Date();
  const day = today.toLocaleDateString("en-US", {
    month: "short",
    day: "numeric",
    year: "numeric",
  });
  await expect(getCard(page, "Heat")).toContainText(day);
  await expect(getCard(page, "Heat")).toContainText(/\d{1,2}:\d\d [AP]M/);
  await expect(getCard(page, "Heat")).toContainText("<1 min");
  await expect(getCard(page, "Heat")).toContainText(/Heat flows\. (So it goes on and on\. ?)+.*…/);
  await expect(getCard(page, "Heat")).toContainText("Physics");
  await expect(getCard(page, "Bare")).toContainText("No transcript available");

  // Filters, also in the URL.
  await expect(getChip(page, "All Lectures (2)")).toHaveAttribute("aria-pressed", "true");
  await getChip(page, "Algebra (0)").click();
  await expect(page.getByRole("heading", { name: "No lectures in this folder" })).toBeVisible();
  await expect(page.getByRole("link", { name: "New Lecture" })).toBeVisible();
  await getChip(page, "Uncategorized (1)").click();
  await expect(page.getByRole("article")).toHaveCount(1);
  await getChip(page, "Physics (1)").click();
  await expect(page).toHaveURL(`/?folder=${physics}`);
  await expect(getCard(page, "Heat")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(1);

  // Edit opens it for editing, and Back to Home returns to the same filter.
  await page.getByRole("link", { name: "Edit Heat" }).click();
  await expect(page).toHaveURL(new RegExp(`[?&]lecture=${heat}`));
  await expect(page.getByLabel("Lecture name")).toBeFocused();
  await page.getByLabel("Lecture name").fill("Heat and work");
  await page.keyboard.press("Enter");
  await expectToast(page, "Lecture Renamed");
  await expect(page.getByText("[S1]")).toBeVisible();
  await expect(page.getByRole("link", { name: "Edit Lecture" })).toHaveAttribute(
    "href",
    `/record?lecture=${heat}`,
  );
  // The summary is rendered, edited and saved beside the transcript.
  await page.getByRole("button", { name: "Summary", exact: true }).click();
  const summary = page.getByRole("region", { name: "Summary" });
  await expect(summary.getByRole("article")).toHaveText("Heat is work.");
  await summary.getByRole("button", { name: "Edit" }).click();
  await summary.getByRole("textbox").fill("Heat is **not** work.");
  await summary.getByRole("button", { name: "Save Summary" }).click();
  await expectToast(page, "Saved");
  await expect(summary.locator("strong")).toHaveText("not");

  await page.getByRole("link", { name: "Back to Home" }).click();
  await expect(page).toHaveURL(`/?folder=${physics}`);
  await expect(page.getByRole("link", { name: "Heat and work", exact: true })).toBeFocused();

  // The dialog's text, its pending state, and the undo.
  await page.getByRole("button", { name: "Delete Heat and work" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Delete Lecture" });
  await expect(
    dialog.getByText(
      "Are you sure you want to delete this lecture? This action cannot be undone after 30 days; until then the lecture is in the trash.",
    ),
  ).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Delete Heat and work" }).click();
  const deletion = await holdCalls(page, "lectures.delete");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(dialog.getByRole("button", { name: "Deleting..." })).toBeDisabled();
  await deletion.waitForCall();
  await deletion.release();
  await expect(dialog).toBeHidden();
  await expect(getChip(page, "All Lectures (1)")).toBeVisible();
  await expect(getChip(page, "Physics (0)")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expectToast(page, "Restored", "1 lecture");
  await expect(getChip(page, "Physics (1)")).toBeVisible();
  await expect(getCard(page, "Heat and work")).toBeVisible();

  // Another tab deletes the lecture.
  await openCard(page, "Heat and work");
  await expect(page.getByText("Heat flows.")).toBeVisible();
  await callProcedure(page, "folders.delete", { id: physics, confirmation: "delete" });
  await page.goto(`/?lecture=${heat}`);
  await expectToast(page, "Lecture Not Found", "This lecture no longer exists");
  await expect(page.getByRole("heading", { name: "Lecture Not Found" })).toBeVisible();
  await page.getByRole("link", { name: "Back to Home" }).click();
  await expect(getChip(page, "All Lectures (1)")).toBeVisible();
  await page.getByRole("link", { name: "Trash" }).click();
  await expect(page.getByText("1 lecture, 1 folder")).toBeVisible();
  await expect(page.getByText("30 days left")).toBeVisible();
  await page.getByRole("button", { name: "Restore Physics" }).click();
  await expectToast(page, "Restored", "1 lecture, 1 folder");
  await expect(page.getByRole("heading", { name: "The trash is empty" })).toBeVisible();
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await expect(getChip(page, "Physics (1)")).toBeVisible();
});

test("corrects, finds, copies and continues a stored lecture in place", async ({ visit }) => {
  const page = await visit();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await signUp(page);
  await storeLecture(
    page,
    Array.from({ length: 300 }, (_, at) => ({
      english: at % 100 === 7 ? `The résumé of part ${at}.` : `Sentence ${at}.`,
      translated: at === 150 ? "一份简历（Resume）。" : `第${at}句。`,
      speaker: at < 200 ? "1" : "2",
    })),
    { title: "Long" },
  );
  await page.reload();
  await openCard(page, "Long");
  const row = (at: number) => page.locator(`[data-row="${at}"]`);
  await expect(row(0)).toBeInViewport();

  // Find goes through both languages, whatever the accents, and back to the beginning.
  const status = page.getByRole("search", { name: "Find in lecture" }).getByRole("status");
  await row(3).focus();
  await page.keyboard.press("ControlOrMeta+f");
  await expect(page.getByRole("textbox", { name: "Find in lecture" })).toBeFocused();
  await page.keyboard.type("RESUME");
  await expect(status).toHaveText("1 of 4");
  await expect
    .poll(() => readMarked(page, "hits"))
    .toEqual(["résumé", "résumé", "Resume", "résumé"]);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(status).toHaveText("3 of 4");
  await expect(row(150)).toBeInViewport();
  await expect.poll(() => readMarked(page, "current-hit")).toEqual(["Resume"]);
  await page.keyboard.press("Shift+Enter");
  await expect(row(107)).toBeInViewport();
  await page.keyboard.press("Escape");
  await expect(row(107)).toBeFocused();
  await expect.poll(() => readMarked(page, "hits")).toEqual([]);

  // A correction that is left behind is still being saved at the next visit, and when recording continues.
  const saving = await holdCalls(page, "lectures.appendEntries");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("A short résumé.");
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.getByRole("link", { name: "Back to Home" }).click();
  await openCard(page, "Long");
  await expect(row(107)).toContainText("A short résumé.");
  const menu = (name: string, entry: string) => async () => {
    await page.getByRole("button", { name }).click();
    await page.getByRole("menuitem", { name: entry }).click();
  };
  await menu(en["reading.menu"], en["reading.copy"])();
  await expectToast(page, "Text copied");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^\[S1\] Sentence 0\.\n第0句。\n\nSentence 1\.\n第1句。\n\n/);
  expect(copied).toContain("\n\nA short résumé.\n");
  await saving.waitForCall();
  await menu(en["lecture.menu"], en["lecture.continue"])();
  await expect(page).toHaveURL(/\/record\?lecture=/);
  await saving.release();
  await expect(row(107)).toContainText("A short résumé.");
});

test("键盘操作：筛选、打开、改名、移动、删除与回收站", async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  const physics = await storeFolder(page, "物理");
  await storeFolder(page, "数学");
  const light = await storeLecture(page, [{ english: "Light.", translated: "光。" }], {
    title: "光学",
  });
  await callProcedure(page, "lectures.move", { id: light, folderId: physics });
  await storeLecture(page, [], { title: "空白" });
  await page.evaluate(() => localStorage.setItem("interfaceLanguage", "zh"));
  await page.goto("/");

  // The filters are one tab stop; arrow keys move between them.
  await getChip(page, "全部课堂记录（2）").focus();
  await page.keyboard.press("End");
  await expect(getChip(page, "物理（1）")).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(getChip(page, "数学（0）")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: zh["home.emptyFolder"] })).toBeVisible();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "光学", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Light.")).toBeVisible();

  const menu = page.getByRole("button", { name: zh["lecture.menu"], exact: true });
  const choose = async (entry: string) => {
    await menu.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("menuitem", { name: entry })).toBeVisible();
    await page.getByRole("menuitem", { name: entry }).focus();
    await page.keyboard.press("Enter");
  };
  await choose(zh["lecture.rename"]);
  await expect(page.getByLabel(zh["lecture.name"])).toBeFocused();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("波动光学");
  await page.keyboard.press("Enter");
  await expectToast(page, zh["lecture.renamed"], undefined, {
    notifications: zh["common.notifications"],
  });
  await choose(zh["lecture.move"]);
  const move = page.getByRole("dialog", {
    name: zh["tree.moveTitle"].replace("{name}", "波动光学"),
  });
  await expect(move.getByRole("combobox")).toBeFocused();
  await expect(move.getByRole("option")).toHaveText([zh["tree.uncategorized"], "数学"]);
  await page.keyboard.press("ArrowDown");
  await expect(move.getByRole("option", { selected: true })).toHaveText("数学");
  await page.keyboard.press("Enter");
  await expectToast(page, zh["library.lectureMoved"], undefined, {
    notifications: zh["common.notifications"],
  });
  await choose(zh["lecture.export"]);
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await choose(zh["delete.confirm"]);
  await expect(page.getByText(zh["delete.text"].replace("{days}", "30"))).toBeVisible();
  await page.getByRole("alertdialog").getByRole("button", { name: zh["delete.confirm"] }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/");
  await expect(getChip(page, "全部课堂记录（1）")).toBeVisible();
  await expect(getChip(page, "数学（0）")).toBeVisible();
  await callProcedure(page, "lectures.deleteAll", { confirmation: "delete all" });

  await page.getByRole("button", { name: /^账户菜单/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: zh["trash.title"] }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/trash");
  await expect(page.getByText(zh["trash.allLectures"])).toBeVisible();
  await expect(page.getByText("剩余 30 天")).toHaveCount(2);
  await page.getByRole("button", { name: "永久删除“波动光学”" }).focus();
  await page.keyboard.press("Enter");
  const sure = page.getByRole("alertdialog");
  await expect(sure.getByText("永久删除后，将无法恢复“波动光学”。")).toBeVisible();
  await sure.getByRole("button", { name: zh["trash.remove"] }).focus();
  await page.keyboard.press("Enter");
  await expect(sure).toBeHidden();
  await expect(page.getByText("剩余 30 天")).toHaveCount(1);
  await expect(page.getByRole("button", { name: /^恢复/ })).toBeFocused();
  await page.getByRole("button", { name: zh["trash.empty"] }).focus();
  await page.keyboard.press("Enter");
  await sure.getByRole("button", { name: zh["trash.empty"] }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: zh["trash.none"] })).toBeVisible();
});

test("renders only rows near the window, finds folders and keeps the scroll position in a large library", async ({
  visit,
}) => {
  const page = await visit();
  await signUp(page);
  await storeMany(60, (at) => storeFolder(page, `Week ${String(at).padStart(2, "0")}`));
  const zoology = await storeFolder(page, "Zoology");
  await storeMany(120, async (at) => {
    const id = await storeLecture(page, [], { title: `Lecture ${at}` });
    if (at === 7) await callProcedure(page, "lectures.move", { id, folderId: zoology });
  });
  await page.reload();
  await expect(getChip(page, "All Lectures (120)")).toBeVisible();
  const rows = page.getByRole("list", { name: "Your Lectures" }).getByRole("listitem");
  await expect(rows.first()).toHaveAttribute("aria-setsize", "120");
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect
    .poll(async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      return rows.last().getAttribute("aria-posinset");
    })
    .toBe("120");
  expect(await rows.count()).toBeLessThan(40);

  // The link and the browser's Back both restore the scroll position.
  await page.evaluate(() => scrollBy(0, -1_500));
  let title = "";
  await expect
    .poll(async () => {
      const last = title;
      title = await readMiddleTitle(page);
      return title !== "" && title === last;
    })
    .toBe(true);
  const top = () => getCard(page, title).evaluate((element) => element.getBoundingClientRect().top);
  const before = await top();
  for (const back of [
    () => page.getByRole("link", { name: "Back to Home" }).click(),
    () => page.goBack(),
  ]) {
    await openCard(page, title);
    await expect(page.getByLabel("Lecture name")).toHaveValue(title);
    await back();
    await expect(page.getByRole("link", { name: title, exact: true })).toBeFocused();
    await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThan(3);
  }

  // A folder far along the row is found by its name, and stays visible when chosen.
  await page.evaluate(() => scrollTo(0, 0));
  await page.getByRole("button", { name: "Find a folder" }).click();
  await page.getByRole("searchbox", { name: "Find a folder" }).fill("zoo");
  await expect(page.getByRole("toolbar").getByRole("button")).toHaveCount(3);
  await getChip(page, "Zoology (1)").click();
  await expect(page.getByRole("article")).toHaveCount(1);
  await page.reload();
  await expect(getChip(page, "Zoology (1)")).toBeInViewport();
  await expect(getChip(page, "Zoology (1)")).toHaveAttribute("aria-pressed", "true");
  await expect(getCard(page, "Lecture 7")).toBeVisible();

  // The other list of the same data.
  await page.getByRole("link", { name: "View as table" }).click();
  await expect(page.getByText("120 lectures in 61 folders")).toBeVisible();
  const folders = page.getByRole("navigation", { name: "Folders, newest first" });
  await expect(folders.getByRole("link").first()).toHaveText("Zoology1");
  const newest = page.getByRole("list", { name: "All Lectures" }).getByRole("listitem").first();
  await expect(newest).toHaveAttribute("aria-setsize", "120");
  await folders.getByRole("link", { name: "Zoology" }).click();
  await expect(page).toHaveURL(`/?folder=${zoology}`);
  await openCard(page, "Lecture 7");
  await page.goBack();
  await page.goBack();
  await newest.getByRole("link").click();
  await expect(page.getByLabel("Lecture name")).toHaveValue(/^Lecture 11\d$/);
  await page.goBack();
  await expect(newest.getByRole("link")).toBeFocused();
});

test("deletes a lecture during its recording, in this tab and in another", async ({
  visit,
  expectConsoleErrors,
}) => {
  // The page stores what became of the take's sound, and learns that the lecture is gone.
  expectConsoleErrors(/status of 404.*takes\.store/);
  const page = await visit();
  await installMicrophone(page.context());
  await signUp(page);
  const recordedIn = (tab: Page) => tab.getByRole("button", { name: "Delete Untitled Lecture" });
  const status = (tab: Page, text: string) =>
    expect(
      tab.getByRole("main").getByRole("status").getByText(text, { exact: true }),
    ).toBeVisible();
  const confirm = (tab: Page) =>
    tab
      .getByRole("alertdialog", { name: "Delete Lecture" })
      .getByRole("button", { name: "Delete" });

  await page.goto("/record");
  await status(page, "Ready");
  await page.keyboard.press("r");
  await expectToast(page, "Recording Started");
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await expect(page.getByRole("link", { name: en["nav.backToRecording"] })).toBeVisible();
  await recordedIn(page).click();
  await confirm(page).click();
  await expectToast(page, "Lecture Deleted");
  await expect(page.getByRole("heading", { name: "No lectures yet" })).toBeVisible();
  await expect(page.getByRole("link", { name: en["nav.backToRecording"] })).toBeHidden();

  await page.getByRole("link", { name: "Recordings", exact: true }).click();
  await status(page, "Ready");
  await page.keyboard.press("r");
  await expectToast(page, "Recording Started");
  await expect(page).toHaveURL(/lecture=/);
  const other = await page.context().newPage();
  await other.goto("/");
  await recordedIn(other).click();
  await confirm(other).click();
  await expectToast(other, "Lecture Deleted");
  await expect(page.getByRole("alertdialog", { name: "Lecture Not Found" })).toBeVisible();
  await expect(getChip(other, "All Lectures (0)")).toBeVisible();
});
