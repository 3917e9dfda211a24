import type { Page } from "@playwright/test";
import { messages } from "./support/interface.ts";
import { continueRecording, signUp } from "./support/journey.ts";
import {
  chooseInRow,
  getAllLectures,
  getFolder,
  getLectureRow,
  openLecture,
} from "./support/lecture-list.ts";
import { callProcedure, storeFolder, storeMany } from "./support/library.ts";
import { expectToast } from "./support/messages.ts";
import { installMicrophone } from "./support/microphone.ts";
import { holdCalls, matchCalls } from "./support/procedures.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";
import { readMarked } from "./support/transcript.ts";

const { en } = messages;

/** The home page: a lecture's way through it, an opened lecture, and what the window shows of many. */

/** The lecture whose row is in the middle of the window. */
const readMiddleTitle = (page: Page) =>
  page.evaluate(
    () =>
      document
        .elementFromPoint(innerWidth / 2, innerHeight / 2)
        ?.closest("article")
        ?.querySelector("h3 a")?.textContent ?? "",
  );

test("the document asks for the lecture of its address, and the page does not ask again", async ({
  visit,
}) => {
  const page = await visit();
  await signUp(page);
  // From its session's answer on, the browser knows of the sign-in, without which the document asks for no lecture.
  await expect(page.getByRole("heading", { name: "Your Lectures" })).toBeVisible();
  const id = await storeLecture(page, [{ original: "Heat flows.", translated: "热会流动。" }]);
  const requests: string[] = [];
  page.on("request", (request) => {
    if (matchCalls("lectures.get").test(request.url())) requests.push(request.url());
  });
  // The page's code comes after the answer.
  const answer = page.waitForResponse(matchCalls("lectures.get"));
  await page.route(/\/assets\/record-content/, async (route) => {
    await answer;
    await route.continue();
  });
  await page.goto(`/record?lecture=${id}`);
  await expect(page.getByText("Heat flows.")).toBeVisible();
  expect((await answer).status()).toBe(200);
  expect(requests).toHaveLength(1);
});

// `lecture-list.test.tsx`, `trash-view.test.tsx`, `lecture-actions.test.ts` and `library.test.ts` hold it every time.
test("lists, renames, deletes and restores a lecture of a folder", { tag: "@nightly" }, async ({
  visit,
}) => {
  const page = await visit();
  await signUp(page);
  const physics = await storeFolder(page, "Physics");
  const heat = await storeLecture(page, [{ original: "Heat flows.", translated: "热会流动。" }], {
    title: "Heat",
  });
  await callProcedure(page, "lectures.move", { id: heat, folderId: physics });
  await storeLecture(page, [], { title: "Bare" });
  await page.reload();
  await expect(getFolder(page, "Physics")).toHaveAccessibleDescription("1 lecture");
  await getFolder(page, "Physics").click();
  await expect(page).toHaveURL(`/?folder=${physics}`);
  await expect(page.getByRole("heading", { name: "Physics" })).toBeVisible();
  await expect(getLectureRow(page, "Heat")).toContainText("Heat flows.");
  await expect(page.getByRole("article")).toHaveCount(1);

  // Edit opens it for editing, and Back to Home returns to the same filter.
  await chooseInRow(page, "Heat", "home.edit");
  await expect(page).toHaveURL(new RegExp(`[?&]lecture=${heat}`));
  await expect(page.getByRole("textbox", { name: "Title", exact: true })).toBeFocused();
  await page.getByRole("textbox", { name: "Title", exact: true }).fill("Heat and work");
  await page.keyboard.press("Enter");
  await expectToast(page, "Lecture Renamed");
  await page.getByRole("link", { name: "Back to Home" }).click();
  await expect(page).toHaveURL(`/?folder=${physics}`);
  await expect(page.getByRole("link", { name: "Heat and work", exact: true })).toBeFocused();

  const deleteIt = async () => {
    await chooseInRow(page, "Heat and work", "delete.confirm");
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await expect(getAllLectures(page, 1)).toBeVisible();
  };
  await deleteIt();
  await page.getByRole("button", { name: "Undo" }).click();
  await expectToast(page, "Restored", "1 lecture");
  await expect(getFolder(page, "Physics")).toHaveAccessibleDescription("1 lecture");
  await deleteIt();
  await page.getByRole("link", { name: "Trash" }).click();
  await expect(page.getByText("30 days left")).toBeVisible();
  await page.getByRole("button", { name: "Restore Heat and work" }).click();
  await expect(page.getByRole("heading", { name: "The trash is empty" })).toBeVisible();
  await page.getByRole("link", { name: "Lectures", exact: true }).click();
  await expect(getAllLectures(page, 2)).toBeVisible();
});

test("corrects, finds, copies and continues a stored lecture in place", async ({ visit }) => {
  const page = await visit();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await installMicrophone(page.context());
  await signUp(page);
  await storeLecture(
    page,
    Array.from({ length: 300 }, (_, at) => ({
      original: at % 100 === 7 ? `The résumé of part ${at}.` : `Sentence ${at}.`,
      translated: at === 150 ? "一份简历（Resume）。" : `第${at}句。`,
      speaker: at < 200 ? "1" : "2",
    })),
    { title: "Long" },
  );
  await page.reload();
  await openLecture(page, "Long");
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
  const saving = await holdCalls(page, "lectures.saveRows");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("A short résumé.");
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.getByRole("link", { name: "Back to Home" }).click();
  await openLecture(page, "Long");
  await expect(row(107)).toContainText("A short résumé.");
  const menu = (name: string, entry: string) => async () => {
    await page.getByRole("button", { name }).click();
    await page.getByRole("menuitem", { name: entry }).click();
  };
  await menu(en["lecture.menu"], en["lecture.export"])();
  await page.getByRole("dialog").getByRole("button", { name: en["export.copy"] }).click();
  await expectToast(page, "Text copied");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^\[S1\] Sentence 0\.\n第0句。\n\nSentence 1\.\n第1句。\n\n/);
  expect(copied).toContain("\n\nA short résumé.\n");
  await saving.waitForCall();
  await continueRecording(page);
  await saving.release();
  await expectToast(page, "Recording Resumed");
  await expect(row(107)).toContainText("A short résumé.");
});

test("renders only rows near the window, and keeps the scroll position and the chosen folder", {
  tag: "@nightly",
}, async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  await storeMany(12, (at) => storeFolder(page, `Week ${String(at).padStart(2, "0")}`));
  const zoology = await storeFolder(page, "Zoology");
  await storeMany(70, async (at) => {
    const id = await storeLecture(page, [], { title: `Lecture ${at}` });
    if (at === 7) await callProcedure(page, "lectures.move", { id, folderId: zoology });
  });
  await page.reload();
  await expect(getAllLectures(page, 70)).toBeVisible();
  const rows = page.getByRole("list", { name: "Your Lectures" }).getByRole("listitem");
  await expect(rows.first()).toHaveAttribute("aria-setsize", "70");
  await expect
    .poll(async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      return rows.last().getAttribute("aria-posinset");
    })
    .toBe("70");
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
  const top = () =>
    getLectureRow(page, title).evaluate((element) => element.getBoundingClientRect().top);
  const before = await top();
  for (const back of [
    () => page.getByRole("link", { name: "Back to Home" }).click(),
    () => page.goBack(),
  ]) {
    await openLecture(page, title);
    await expect(page.getByRole("textbox", { name: "Title", exact: true })).toHaveValue(title);
    await back();
    await expect(page.getByRole("link", { name: title, exact: true })).toBeFocused();
    await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThan(3);
  }

  // Among many folders one is found by its name, and it stays visible when it is chosen.
  await page.evaluate(() => scrollTo(0, 0));
  await page.getByRole("searchbox", { name: "Find a folder" }).fill("zoo");
  await expect(page.getByRole("treeitem")).toHaveCount(1);
  await getFolder(page, "Zoology").click();
  await expect(page.getByRole("article")).toHaveCount(1);
  await page.reload();
  await expect(getFolder(page, "Zoology")).toBeInViewport();
  await expect(getFolder(page, "Zoology")).toHaveAttribute("aria-current", "true");
  await expect(getLectureRow(page, "Lecture 7")).toBeVisible();

  // The same list with the newest folders first.
  await page.goto("/recordings");
  await expect(getAllLectures(page, 70)).toBeVisible();
  await expect(page.getByRole("treeitem").first()).toHaveAccessibleName("Zoology");
  await getFolder(page, "Uncategorized").click();
  await expect(page).toHaveURL(/\/recordings\?folder=none/);
});

// `session-saving.test.ts`, `show-notice.test.ts` and `user-channel.test.ts` hold it every time.
test("deletes a lecture that another tab records", { tag: "@nightly" }, async ({
  visit,
  expectConsoleErrors,
}) => {
  // The page stores what became of the take's sound, and learns that the lecture is gone.
  expectConsoleErrors(/status of 404.*takes\.store/);
  const page = await visit();
  await installMicrophone(page.context());
  await signUp(page);
  await page.goto("/record");
  const status = page.getByRole("main").getByRole("status");
  await expect(status.getByText("Ready", { exact: true })).toBeVisible();
  await page.keyboard.press("r");
  await expectToast(page, "Recording Started");
  await expect(page).toHaveURL(/lecture=/);
  const other = await page.context().newPage();
  await other.goto("/");
  await chooseInRow(other, "Untitled Lecture", "delete.confirm");
  await other.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expectToast(other, "Lecture Deleted");
  await expect(page.getByRole("alertdialog", { name: "Lecture Not Found" })).toBeVisible();
  await expect(getAllLectures(other, 0)).toBeVisible();
});
