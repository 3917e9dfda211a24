import type { Page } from "@playwright/test";
import { findBarriers } from "./support/axe.ts";
import {
  continueRecording,
  enterAsGuest,
  expectSaved,
  getToastTitle,
  record,
  save,
  signUp,
  stopRecording,
} from "./support/journey.ts";
import { answerAlert, expectToast } from "./support/messages.ts";
import { failMicrophone, installMicrophone, unplugMicrophone } from "./support/microphone.ts";
import { holdCalls, matchCalls, replaceResponse } from "./support/procedures.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript, readRows } from "./support/transcript.ts";

/** Transitions and messages of the recording screen that need no speech. */

const getStatus = (page: Page, text: string) =>
  expect(page.getByRole("main").getByRole("status").getByText(text, { exact: true })).toBeVisible();
/** Expects at least a second of recorded time. */
const expectRecordedTime = (page: Page) =>
  expect(page.getByTitle("Recorded time")).toHaveText(/0:0[1-9]|0:[1-9]\d/);
const getSidebar = (page: Page) => page.getByRole("complementary");
const clickNewLecture = (page: Page) =>
  getSidebar(page).getByRole("button", { name: "New Lecture" }).click();
const clickGenerateSummary = (page: Page) =>
  page.getByRole("button", { name: "Generate Summary" }).click();
const saveDialog = (page: Page) => page.getByRole("dialog", { name: "Save Lecture" });

test.afterEach(({ site }) => site.control("llm", { reset: true }));

test("announces each start, stop, continuation and replacement of a recording", async ({
  visit,
}) => {
  const page = await visit();
  await installMicrophone(page.context());
  await signUp(page, "/record");
  await getStatus(page, "Ready");
  await page.keyboard.press("Control+s");
  await expectToast(page, "No Active Lecture", "Please start recording first");

  await clickNewLecture(page);
  await expectToast(page, "New Lecture Created");
  const lectures = getSidebar(page).getByRole("treeitem", { level: 2 });
  await expect(lectures).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d{2} [AP]M$/);
  await expect(lectures.getByRole("img", { name: "Draft" })).toBeVisible();
  await page.keyboard.press("Control+s");
  await expectToast(page, "No Content", "Please record some content before saving.");
  await clickNewLecture(page);
  await expectToast(page, "New Lecture Created");
  await expect(lectures).toHaveCount(1);

  await failMicrophone(page, "never");
  await page.keyboard.press("r");
  await getStatus(page, "Waiting for the microphone...");
  await page.keyboard.press("s");
  await getStatus(page, "Ready");
  await failMicrophone(page, "none");

  await page.keyboard.press("r");
  await expectToast(page, "Recording Started");
  await getStatus(page, "Recording...");
  await expectRecordedTime(page);
  await page.keyboard.press("s");
  await expectToast(page, "Recording Paused & Auto-Saved");
  await getStatus(page, "Paused");
  expect(await readRows(getTranscript(page))).toEqual([]);
  await clickGenerateSummary(page);
  await expectToast(page, "No Content", "Please record some content before summarizing.");

  await page.keyboard.press("r");
  await expectToast(page, "Recording Resumed");
  await clickNewLecture(page);
  await expectToast(page, "Recording Stopped");
  await expectToast(page, "New Lecture Created");
  await getStatus(page, "Ready");
  await expect(lectures).toHaveCount(2);
  await expect(page.getByRole("button", { name: "Generate Summary" })).toBeHidden();

  await page.getByRole("button", { name: "Larger text" }).first().click();
  await page.getByRole("combobox", { name: "Target language" }).click();
  await page.getByRole("option", { name: "Arabic" }).click();
  const size = () =>
    page
      .getByText("Ready when you are")
      .or(page.getByText("Listening..."))
      .evaluate((text) => getComputedStyle(text).fontSize);
  const larger = await size();
  await page.goto("/record?autostart=true");
  await expectToast(page, "Recording Started");
  await expect(page).not.toHaveURL(/autostart/);
  expect(await size()).toBe(larger);
  await expect(page.getByRole("combobox", { name: "Target language" })).toHaveText("Arabic");
  await expect(page).toHaveTitle(/^● 0:\d\d · Dualect$/);
  await page.getByRole("link", { name: "Home" }).click();
  await expect(page.getByRole("heading", { name: "Your Lectures" })).toBeVisible();
  await expect(page).toHaveTitle(/^● /);
  await page.getByRole("link", { name: "A recording is running. Go back to it" }).click();
  await expect(page.getByText(/^We hear nothing\. Check /)).toBeVisible({ timeout: 15_000 });
  await page.getByRole("main").getByRole("button", { name: "Change", exact: true }).last().click();
  await expect(page.getByRole("combobox", { name: "Microphone" })).toBeVisible();
  await page.keyboard.press("Escape");

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

test("reports unavailable microphones and a server that falls behind", async ({
  visit,
  expectConsoleErrors,
}) => {
  expectConsoleErrors(/ERR_FAILED|status of 401|HTTP Authentication failed/);
  const page = await visit();
  await installMicrophone(page.context());
  await signUp(page, "/record");
  await failMicrophone(page, "NotAllowedError");
  await record(page);
  await answerAlert(
    page,
    "Microphone not allowed",
    "Your browser is blocking the microphone for this site. Click the icon to the left of the address, " +
      "set the microphone to Allow, then try again. If it is already allowed there, check the privacy " +
      "settings of your system.",
    "Close",
  );
  await failMicrophone(page, "NotFoundError");
  await record(page);
  await answerAlert(
    page,
    "No microphone found",
    "Connect a microphone or turn it on, then try again.",
    "Close",
  );
  await failMicrophone(page, "UnknownError");
  await record(page);
  await expectToast(page, "Error", "Failed to start recording");
  await failMicrophone(page, "NotReadableError");
  await record(page);
  const busy = page.getByRole("alertdialog", { name: "The microphone is in use" });
  await expect(busy.getByRole("button", { name: "Choose another" })).toBeVisible();
  await failMicrophone(page, "none");
  await answerAlert(
    page,
    "The microphone is in use",
    "Another program is using it. End the call or recording there and try again, or choose another " +
      "microphone.",
    "Try again",
  );
  await expectToast(page, "Recording Started");
  await expectRecordedTime(page);
  await unplugMicrophone(page);
  await answerAlert(
    page,
    "Microphone lost",
    "It was unplugged or turned off. Everything until then is kept. Reconnect it or choose another " +
      "one, then continue.",
    "Continue",
  );
  await expectToast(page, "Recording Resumed");
  await stopRecording(page);

  await page.route(matchCalls("lectures.create"), (route) => route.abort());
  await clickNewLecture(page);
  await expectToast(page, "Error", "Failed to create new lecture");
  await page.unroute(matchCalls("lectures.create"));
  await page.context().clearCookies();
  await record(page);
  await expect(page).toHaveURL(/\/auth/);
  await expectToast(page, "Session expired", "Please sign in again to continue");
});

test("opens a lecture by its URL, corrects, summarises and saves it, or says why not", async ({
  visit,
  site,
  expectConsoleErrors,
}) => {
  expectConsoleErrors(/status of (404|502|503)|ERR_FAILED|HTTP Authentication failed/);
  const page = await visit();
  await signUp(page);
  const foreign = await storeLecture(page, []);
  // Pending requests of the first user would be refused.
  await page.goto("about:blank");
  await page.context().clearCookies();
  await signUp(page);
  const id = await storeLecture(
    page,
    [
      { english: "Greek has three genders.", translated: "希腊语有三种性。" },
      { english: "Nouns are declined.", translated: "[Translation Failed]" },
    ],
    { title: "Nov 20, 2026 9:02 AM", titleSource: "date" },
  );

  await page.goto(`/record?lecture=${foreign}`);
  await expectToast(page, "Lecture Not Found", "This lecture no longer exists");
  const data = { code: "SERVICE_UNAVAILABLE", httpStatus: 503, appCode: "unavailable" };
  await replaceResponse(page, "lectures.get", {
    error: { code: -32_603, message: "unavailable", data },
  });
  await page.goto(`/record?lecture=${id}`);
  await expectToast(
    page,
    "Failed to Load Lecture",
    "Dualect cannot be reached right now. Please try again.",
  );
  await page.unroute(matchCalls("lectures.get"));
  await replaceResponse(page, "lectures.get", { result: { data: {} } });
  await page.reload();
  await expectToast(page, "Load Error", "Failed to load lecture");
  await page.unroute(matchCalls("lectures.get"));
  await page.reload();
  await getStatus(page, "Paused");
  const rows = () => readRows(getTranscript(page));
  const texts = async () => (await rows()).map(({ english, translated }) => [english, translated]);
  await expect.poll(texts).toContainEqual(["Greek has three genders.", "希腊语有三种性。"]);

  await site.control("llm", { fail: 500, match: "Nouns", count: 100 });
  await page.getByRole("button", { name: "Translate again" }).click();
  await expect(getToastTitle(page, "Translation Error")).toBeVisible({ timeout: 30_000 });
  await expectToast(page, "Translation Error", "Failed to translate text. Please try again.");
  await clickGenerateSummary(page);
  await expectToast(page, "Summary Error", "Failed to generate summary. Please try again.");
  await site.control("llm", { reset: true, answer: "[Summary Failed]", match: "Nouns" });
  await clickGenerateSummary(page);
  await expectToast(page, "Summary Error", "Failed to generate summary. Please try again.");
  await site.control("llm", { reset: true });
  await page.getByRole("button", { name: "Translate again" }).click();
  await expect
    .poll(texts)
    .toContainEqual(["Nouns are declined.", "〔简体中文·演示〕 Nouns are declined。"]);
  await clickGenerateSummary(page);
  await expectToast(page, "Summary Generated");
  await expectSaved(page);

  const appending = await holdCalls(page, "lectures.appendEntries");
  await getTranscript(page).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator('[data-row="0"]')).toBeFocused();
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Translation" }).fill("希腊语分三性。");
  await page.keyboard.press("Control+Enter");
  await appending.waitForCall();
  // A usual save is not shown.
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await appending.release();
  await expectSaved(page);

  const completing = await holdCalls(page, "lectures.complete");
  await save(page);
  const name = saveDialog(page).getByLabel("Lecture name");
  await expect(name).toHaveAttribute("placeholder", "Type lecture name...");
  await name.pressSequentially("The three genders of ancient Greek");
  await expect(name).toHaveValue("The three genders of ancie");
  await expect(saveDialog(page).getByText("26/26", { exact: true })).toBeVisible();
  await saveDialog(page).getByRole("button", { name: "Save" }).click();
  await completing.waitForCall();
  await expect(getSidebar(page).getByText("Saving lecture...")).toBeVisible();
  // A reload during a save.
  await page.reload();
  await page.unroute(matchCalls("lectures.complete"));
  const kept = [
    ["Greek has three genders.", "希腊语分三性。"],
    ["Nouns are declined.", "〔简体中文·演示〕 Nouns are declined。"],
  ];
  await expect.poll(texts).toEqual(kept);
  await expect(page.getByRole("article", { name: "Summary" })).toContainText("Nouns are declined.");

  await page.route(matchCalls("lectures.complete"), (route) => route.abort());
  await save(page);
  await saveDialog(page).getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Save Failed", "Failed to save lecture. Please try again.");
  await page.unroute(matchCalls("lectures.complete"));
  await getStatus(page, "Paused");
  await save(page);
  await expect(saveDialog(page).getByText("0/26", { exact: true })).toBeVisible();
  await saveDialog(page).getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Lecture Saved Successfully", "7 words");
  await getStatus(page, "Ready");
  await expect.poll(rows).toEqual([]);
  const saved = getSidebar(page).getByRole("treeitem", { level: 2 });
  await expect(saved).toHaveText("Greek has three genders. Nouns are declined.");
  await saved.click();
  await expect.poll(texts).toEqual(kept);
});

test("informs guests, browsers that cannot record, and devices with full storage", async ({
  visit,
}) => {
  const guest = await visit();
  await installMicrophone(guest.context());
  await enterAsGuest(guest);
  await guest.goto("/record?lecture=00000000-0000-4000-8000-000000000000");
  await expectToast(guest, "Sign In Required", "Please sign in to create and save lectures");
  await guest.goto("/record?autostart=true");
  await expect(guest).toHaveURL(/\/record$/);
  await getStatus(guest, "Ready");
  await clickNewLecture(guest);
  await expectToast(guest, "New Lecture Ready (Guest Mode)");
  await record(guest);
  await expectToast(guest, "Recording Started");
  await expectRecordedTime(guest);
  await stopRecording(guest);
  await expectToast(guest, "Recording Paused", "Kept on this page only.");
  await clickGenerateSummary(guest);
  await expectToast(guest, "Sign In Required", "Please sign in to use AI summary features");
  await save(guest);
  await expectToast(guest, "Sign In Required", "Please sign in to save lectures");

  const page = await visit();
  await installMicrophone(page.context());
  await signUp(page);
  await page.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("on purpose", "QuotaExceededError");
    };
  });
  await page.goto("/record");
  await record(page);
  await expectToast(
    page,
    "Storage is full",
    "This device cannot store more audio. Recording continues in memory: free up some space and keep " +
      "this page open.",
  );
  await expect(page.getByText("Storage is full; audio is kept in memory")).toBeVisible();
  await stopRecording(page);
  await continueRecording(page);
  await expectToast(page, "Recording Resumed");
  await stopRecording(page);

  await page.addInitScript(() => Reflect.deleteProperty(window, "AudioWorkletNode"));
  await page.goto("/record?autostart=true");
  await expect(page).toHaveURL(/\/record$/);
  await getStatus(page, "Ready");
  await record(page);
  await expectToast(page, "Not Supported", "Speech recognition is not supported in your browser");
});

test("keeps a mark and a note with the lecture, shows them alone and prints them", async ({
  visit,
}) => {
  const page = await visit();
  await installMicrophone(page.context());
  await signUp(page);
  const id = await storeLecture(page, [
    { english: "Light bends in glass.", translated: "光在玻璃中弯曲。" },
    { english: "It bends back where glass ends.", translated: "离开玻璃时又弯回去。" },
    { english: "That is refraction.", translated: "这就是折射。" },
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
  await page.getByRole("button", { name: "More transcript actions" }).click();
  await page.getByRole("menuitem", { name: "Show only marked" }).click();
  await expect(row(1)).toBeHidden();
  await expect(row(2)).toContainText("That is refraction.");
  expect(await findBarriers(page)).toEqual([]);

  await page.goto(`/print?lecture=${id}`);
  const printed = page.getByRole("row").filter({ hasText: "⚑" });
  await expect(printed).toHaveCount(2);
  await expect(printed.first()).toContainText("Ask about Snell");
});
