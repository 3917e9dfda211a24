import type { Page } from "@playwright/test";
import { findBarriers } from "./support/axe.ts";
import {
  chooseLanguage,
  continueRecording,
  enlargeText,
  expectLanguage,
  expectSaved,
  openLectures,
  signUp,
  startNewLecture,
  stopRecording,
} from "./support/journey.ts";
import { getPart, openPart } from "./support/lecture-parts.ts";
import { expectToast } from "./support/messages.ts";
import { installMicrophone, setMicrophoneHanging } from "./support/microphone.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript, readRows } from "./support/transcript.ts";

/** Transitions and messages of the recording screen that need no speech. */

const getStatus = (page: Page, text: string) =>
  expect(page.getByRole("main").getByRole("status").getByText(text, { exact: true })).toBeVisible();
/** Expects at least a second of recorded time. */
const expectRecordedTime = (page: Page) =>
  expect(page.getByTitle("Recorded time")).toHaveText(/0:0[1-9]|0:[1-9]\d/);

test("announces each start, stop, continuation and replacement of a recording", {
  tag: "@nightly",
}, async ({ visit }) => {
  const page = await visit();
  await installMicrophone(page.context());
  await signUp(page, "/record");
  await getStatus(page, "Ready");
  await page.keyboard.press("Control+s");
  await expectToast(page, "No Active Lecture", "Please start recording first");

  await startNewLecture(page);
  await expectToast(page, "New Lecture Created");
  const lectures = (await openLectures(page)).getByRole("treeitem", { level: 2 });
  await expect(lectures).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d{2} [AP]MDraft$/);
  await expect(lectures.getByText("Draft", { exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+s");
  await expectToast(page, "No Content", "Please record some content before saving.");
  await startNewLecture(page);
  await expectToast(page, "New Lecture Created");
  await openLectures(page);
  await expect(lectures).toHaveCount(1);
  await page.keyboard.press("Escape");

  await setMicrophoneHanging(page, true);
  await page.keyboard.press("r");
  await getStatus(page, "Waiting for permission…");
  await page.keyboard.press("s");
  await getStatus(page, "Ready");
  await setMicrophoneHanging(page, false);

  await page.keyboard.press("r");
  await expectToast(page, "Recording Started");
  await getStatus(page, "Recording...");
  await expectRecordedTime(page);
  await page.keyboard.press("s");
  await expectToast(page, "Recording Paused & Auto-Saved");
  await getStatus(page, "Paused");
  expect(await readRows(getTranscript(page))).toEqual([]);
  await openPart(page, "Summary");
  await page.getByRole("button", { name: "Generate Summary" }).click();
  await expectToast(page, "No Content", "Please record some content before summarizing.");

  await page.keyboard.press("r");
  await expectToast(page, "Recording Resumed");
  await startNewLecture(page);
  await expectToast(page, "Recording Stopped");
  await expectToast(page, "New Lecture Created");
  await getStatus(page, "Ready");
  await openLectures(page);
  await expect(lectures).toHaveCount(2);
  await page.keyboard.press("Escape");
  await expect(getPart(page, "Summary")).toBeHidden();

  await enlargeText(page);
  await chooseLanguage(page, "Target language", "Arabic");
  const readSize = (text: string) =>
    page.getByText(text).evaluate((shown) => getComputedStyle(shown).fontSize);
  const larger = await readSize("Good morning, everyone.");
  await page.goto("/record?autostart=true");
  const [size] = await Promise.all([
    // It is shown until the page says that it hears nothing.
    readSize("Listening…"),
    expectToast(page, "Recording Started"),
  ]);
  expect(size).toBe(larger);
  await expect(page).not.toHaveURL(/autostart/);
  await expectLanguage(page, "Target language", "Arabic");
  await expect(page).toHaveTitle(/^(● |⚠ No sound · )0:\d\d · Dualect$/);
  expect(await findBarriers(page)).toEqual([]);
  await page.getByRole("link", { name: "Back to Home" }).click();
  await expect(page.getByRole("heading", { name: "Your Lectures" })).toBeVisible();
  await expect(page).toHaveTitle(/^(● |⚠ No sound · )0/);
  await page.getByRole("link", { name: "A recording is running. Go back to it" }).click();
  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.type());
    void dialog.dismiss();
  });
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => questions).toEqual(["beforeunload"]);
  await getStatus(page, "Recording...");
  await stopRecording(page);
  await expect(page).toHaveTitle(/^❚❚ 0:\d\d · Dualect$/);
});

// `marks.test.tsx` and `session-marks.test.ts` hold it every time.
test("keeps a mark and a note with the lecture, shows them alone and prints them", {
  tag: "@nightly",
}, async ({ visit }) => {
  const page = await visit();
  await installMicrophone(page.context());
  await signUp(page);
  const id = await storeLecture(page, [
    { original: "Light bends in glass.", translated: "光在玻璃中弯曲。" },
    { original: "It bends back where glass ends.", translated: "离开玻璃时又弯回去。" },
    { original: "That is refraction.", translated: "这就是折射。" },
  ]);
  await page.goto(`/record?lecture=${id}`);
  const row = (position: number) => getTranscript(page).locator(`[data-row="${position}"]`);
  await expect(row(2)).toBeVisible();

  await continueRecording(page);
  const flag = page.getByRole("button", { name: "Mark what is being said" });
  await flag.click();
  await expect(flag).toHaveAttribute("aria-pressed", "true");
  await stopRecording(page);
  await expect(row(2).getByRole("button", { name: "Marked: add a note" })).toBeVisible();

  await row(0).focus();
  await page.keyboard.press("n");
  const note = page.getByRole("dialog", { name: "Note" });
  await note.getByRole("textbox").fill("Ask about Snell");
  expect(await findBarriers(page, { within: "[role=dialog]" })).toEqual([]);
  await page.keyboard.press("Control+Enter");
  await expect(row(0)).toBeFocused();
  await expectSaved(page);

  await page.reload();
  await expect(row(0).getByText("Ask about Snell")).toBeVisible();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Show only marked" }).click();
  await expect(row(1)).toBeHidden();
  await expect(row(2)).toContainText("That is refraction.");
  expect(await findBarriers(page)).toEqual([]);

  await page.goto(`/print?lecture=${id}`);
  const printed = page.getByRole("row").filter({ hasText: "⚑" });
  await expect(printed).toHaveCount(2);
  await expect(printed.first()).toContainText("Ask about Snell");
});
