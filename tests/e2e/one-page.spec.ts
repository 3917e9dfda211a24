import type { Page } from "@playwright/test";
import { findBarriers } from "./support/axe.ts";
import {
  continueRecording,
  expectSaved,
  getToastTitle,
  openLectures,
  record,
  save,
  signUp,
  stopRecording,
  waitForTranscriptText,
} from "./support/journey.ts";
import { callProcedure } from "./support/library.ts";
import { installMicrophone } from "./support/microphone.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript } from "./support/transcript.ts";

/** One page for a lecture, from the blank sheet to what is read. */

const getTitle = (page: Page) => page.getByRole("textbox", { name: "Title", exact: true });
const getControls = (page: Page) => page.getByRole("region", { name: "Recording controls" });
const getStatus = (page: Page, text: string) =>
  page.getByRole("main").getByRole("status").getByText(text, { exact: true });
const readRowPlaces = (page: Page) =>
  page
    .locator("[data-row]")
    .evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().y)));

const words = Array.from({ length: 20 }, (_, index) => `word${index}`);
const engines = { speech: { words, wordMs: 40, wordsPerSentence: 10, sessionMs: 60_000 } };

test("leads from Record to the library with three clicks on one page, in a fresh profile", {
  tag: "@core",
}, async ({ visit }) => {
  const page = await visit({ engines });
  await installMicrophone(page.context());
  await signUp(page, "/record");
  await expect(getStatus(page, "Ready")).toBeVisible();
  await page.evaluate(() => {
    const counts = { clicks: 0, pages: new Set([location.pathname]) };
    addEventListener("click", ({ isTrusted, detail }) => {
      if (isTrusted && detail > 0) counts.clicks += 1;
    });
    Reflect.set(window, "counts", counts);
    const { replaceState, pushState } = history;
    for (const [name, change] of Object.entries({ replaceState, pushState }))
      Reflect.set(history, name, (...args: Parameters<typeof pushState>) => {
        change.apply(history, args);
        counts.pages.add(location.pathname);
      });
  });

  await record(page);
  await waitForTranscriptText(page, "word19", 4_000);
  await stopRecording(page);
  await expect(getTranscript(page)).toContainText("word19");
  await expect(page).toHaveURL(/\/record\?lecture=/);
  await expectSaved(page);
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();

  await save(page);
  // The field has the focus.
  const name = page.getByRole("dialog").getByLabel("Lecture name");
  await name.focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Numbers in order");
  await page.keyboard.press("Enter");
  await expect(getToastTitle(page, "Lecture Saved Successfully")).toBeVisible();
  await expect(getTitle(page)).toHaveValue("Numbers in order");
  await expect(page).toHaveTitle("Numbers in order · Dualect");
  await expect(getTranscript(page)).toContainText("word19");
  await expect(getStatus(page, "Finished")).toBeVisible();
  expect(await findBarriers(page)).toEqual([]);
  const { clicks, pages } = await page.evaluate(() => {
    const counts: { clicks: number; pages: Set<string> } = Reflect.get(window, "counts");
    return { clicks: counts.clicks, pages: [...counts.pages] };
  });
  expect(clicks).toBeLessThanOrEqual(3);
  expect(pages).toEqual(["/record"]);
  const lectures = await openLectures(page);
  await expect(lectures.getByRole("treeitem", { name: "Numbers in order" })).toHaveAttribute(
    "aria-current",
    "true",
  );
  expect(await findBarriers(page)).toEqual([]);

  await page.goto("/");
  await page.getByRole("link", { name: "Numbers in order", exact: true }).click();
  await expect(getTranscript(page)).toContainText("word19");
  await page.getByRole("main").getByRole("button", { name: "New Lecture" }).click();
  await expect(page.getByText("Ready when you are")).toBeVisible();
});

// `lecture-screen.test.tsx` holds it every time.
test("reads one lecture while another is recorded, and continues it where it stands", {
  tag: "@nightly",
}, async ({ visit }) => {
  const page = await visit({ engines });
  await installMicrophone(page.context());
  await signUp(page, "/record");
  const entries = Array.from({ length: 4 }, (_, at) => ({
    original: `Sentence ${at}.`,
    translated: `第${at}句。`,
  }));
  const id = await storeLecture(page, entries, { title: "Optics" });
  await callProcedure(page, "lectures.complete", { id, title: "Optics", titleSource: "person" });
  await record(page);
  await waitForTranscriptText(page, "word19", 4_000);

  await page.getByRole("link", { name: "Back to Home" }).click();
  await page.getByRole("link", { name: "Optics", exact: true }).click();
  await expect(page.locator('[data-row="3"]')).toBeVisible();
  await expect(getStatus(page, "Finished")).toBeVisible();
  const back = getControls(page).getByRole("link", { name: "Back to the recording" });
  await expect(back).toBeVisible();
  expect(await findBarriers(page)).toEqual([]);
  await back.click();
  await expect(getTranscript(page)).toContainText("word19");
  await stopRecording(page);

  await page.goto(`/?lecture=${id}`);
  await expect(page).toHaveURL(`/record?lecture=${id}`);
  await expect(getStatus(page, "Finished")).toBeVisible();
  const before = await readRowPlaces(page);
  await continueRecording(page);
  await expect(getStatus(page, "Recording...")).toBeVisible();
  expect((await readRowPlaces(page)).slice(0, 4)).toEqual(before);
  await expect(page).toHaveURL(`/record?lecture=${id}`);
});

test("shows in one tab what another one corrects, and keeps what both write", {
  tag: "@core",
}, async ({ visit }) => {
  const first = await visit();
  await signUp(first, "/");
  const id = await storeLecture(first, [
    { original: "Sells divide.", translated: "卖分裂。" },
    { original: "The rust is energy.", translated: "锈是能量。" },
  ]);
  const second = await first.context().newPage();
  for (const page of [first, second]) {
    await page.goto(`/record?lecture=${id}`);
    await expect(page.locator('[data-row="1"]')).toBeVisible();
  }
  const edit = async (page: Page, row: number, field: "English" | "Translation", text: string) => {
    await page.locator(`[data-row="${row}"]`).focus();
    await page.keyboard.press("F2");
    await page.getByRole("textbox", { name: field }).fill(text);
  };
  const finish = (page: Page) => page.keyboard.press("Control+Enter");

  // The second tab has never had the focus since.
  await edit(second, 1, "Translation", "其余是能量。");
  await edit(first, 0, "English", "Cells divide.");
  await finish(first);
  await expect(second.locator('[data-row="0"]')).toContainText("Cells divide.");
  // Another field of the sentence that is being edited there.
  await edit(first, 1, "English", "The rest is energy.");
  await finish(first);
  await expectSaved(first);
  await finish(second);
  for (const page of [first, second]) {
    const row = page.locator('[data-row="1"]');
    await expect(row).toContainText("The rest is energy.");
    await expect(row).toContainText("其余是能量。");
  }
  await first.reload();
  await expect(first.locator('[data-row="1"]')).toContainText("其余是能量。");
  await expect(first.locator('[data-row="0"]')).toContainText("Cells divide.");
});
