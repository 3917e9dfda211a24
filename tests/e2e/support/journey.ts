import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { captureSampleRate } from "#shared/limits.ts";
import {
  createLectureFixture,
  type LecturePlan,
  writeLectureFixture,
} from "#tests/fixtures/lecture.ts";
import { callProcedure } from "./library.ts";
import { getTranscript } from "./transcript.ts";

/** A lecture for `installMicrophone`. */
export const createSpeech = (plan: LecturePlan) =>
  createLectureFixture({ ...plan, sampleRate: captureSampleRate });

/** A lecture for Chromium's fake microphone, as a file in a temporary folder. */
export async function createRecording(plan: LecturePlan) {
  const wav = join(mkdtempSync(join(tmpdir(), "dualect-sound-")), "lecture.wav");
  return { wav, fixture: await writeLectureFixture(wav, plan) };
}

export const createAddress = () => `${randomUUID()}@example.edu`;
export const password = "correct horse battery";

/** Creates an account without the form and signs `page` in; ends on `path`. */
export async function signUp(page: Page, path = "/"): Promise<string> {
  const email = createAddress();
  await callProcedure(page, "auth.signUp", { email, password });
  await page.goto(path);
  return email;
}

export async function enterAsGuest(page: Page): Promise<void> {
  await page.goto("/auth");
  await page.getByRole("button", { name: "Record without an account" }).click();
  await page.waitForURL((url) => url.pathname !== "/auth");
}

const getControl = (page: Page, name: string) =>
  page.getByRole("region", { name: "Recording controls" }).getByRole("button", { name });

export const record = (page: Page) => getControl(page, "Record").click();
const stop = (page: Page) => getControl(page, "Stop").click();
/** Of a draft at the page's foot, and of a finished lecture at the end of its text. */
export const continueRecording = (page: Page) =>
  page
    .getByRole("main")
    .getByRole("button", { name: /^Continue( recording)?$/ })
    .click();
export const save = (page: Page) => getControl(page, "Save").click();

/** Waits until the page shows `text`, spoken `soundMs` into the recording. */
export async function waitForTranscriptText(
  page: Page,
  text: string,
  soundMs: number,
): Promise<void> {
  const row = getTranscript(page).locator("p:not(figure *)").filter({ hasText: text });
  await expect(row.first()).toBeVisible({ timeout: soundMs + 20_000 });
}

/** Presses Stop, which is answered at once, and waits until the last words have arrived. */
export async function stopRecording(page: Page): Promise<void> {
  const toasts = page.getByRole("region", { name: "Notifications" });
  await Promise.all([
    // From before the press: a toast may be gone when a busy machine looks for it after something else.
    expect(toasts.getByText(/^Recording Paused/)).toBeVisible({ timeout: 30_000 }),
    stop(page).then(() => expect(page.getByText("Paused", { exact: true }).first()).toBeVisible()),
  ]);
}

/** Waits until the server has everything. The page already says "Saved" while a usual save goes on. */
export const expectSaved = (page: Page) =>
  expect(page.locator("[data-save-state]")).toHaveAttribute("data-save-state", "saved");

/** A toast with this title. */
export const getToastTitle = (page: Page, title: string) =>
  page.getByRole("region", { name: "Notifications" }).getByText(title, { exact: true });

const shareDialog = (page: Page) => page.getByRole("dialog", { name: "Share this lecture" });

/** Shares the lecture that is open; returns its link. */
export async function shareLive(page: Page): Promise<string> {
  await page.getByRole("button", { name: /^Share( live)?$/ }).click();
  const link = shareDialog(page).getByRole("textbox", { name: "Link for readers" });
  await expect(link).toHaveValue(/\/live\//);
  const address = await link.inputValue();
  await page.keyboard.press("Escape");
  await expect(shareDialog(page)).toBeHidden();
  return address;
}

/** Opens the lectures over a page that has no header. */
export async function openLectures(page: Page): Promise<Locator> {
  const lectures = page.getByRole("complementary", { name: "Lectures" });
  if (!(await lectures.isVisible()))
    await page.getByRole("button", { name: "Show lectures" }).click();
  await expect(lectures).toBeVisible();
  return lectures;
}

/** Presses New Lecture among the lectures. */
export const startNewLecture = async (page: Page) =>
  (await openLectures(page)).getByRole("button", { name: "New Lecture" }).click();

/** Chooses an entry of the lecture's menu; those that work on the whole text are in a dialog of theirs. */
export async function chooseFromMenu(page: Page, entry: string): Promise<void> {
  await page.getByRole("button", { name: "More actions", exact: true }).click();
  const menu = page.getByRole("menu");
  const item = menu.getByRole("menuitem", { name: entry });
  const improve = menu.getByRole("menuitem", { name: "Improve text and speakers…" });
  await expect(item.or(improve).first()).toBeVisible();
  if (await item.isVisible()) return item.click();
  await improve.click();
  await page.getByRole("dialog").getByRole("button", { name: entry }).click();
}

export const openRecordingSettings = async (page: Page): Promise<Locator> => {
  await chooseFromMenu(page, "Microphone and sound…");
  return page.getByRole("dialog", { name: "Recording Settings" });
};

/** Opens the card with the languages, the context and the look of the text; Escape closes it. */
export async function openTextCard(page: Page): Promise<Locator> {
  const card = page.getByRole("dialog", { name: "Languages and text" });
  if (await card.isVisible()) return card;
  const button = page.getByRole("button", { name: /^Languages and text/ });
  const menu = page.getByRole("button", { name: "More actions", exact: true });
  await expect(button.or(menu).first()).toBeVisible();
  if (await button.first().isVisible()) await button.first().click();
  else await chooseFromMenu(page, "Languages and text…");
  await expect(card).toBeVisible();
  return card;
}

export async function closeTextCard(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "Languages and text" })).toBeHidden();
}

/** Chooses `option` of the list `name` by typing. */
export async function chooseLanguage(
  page: Page,
  name: "Spoken language" | "Target language",
  option: string,
): Promise<void> {
  await (await openTextCard(page)).getByRole("combobox", { name }).click();
  await page.getByRole("combobox", { name: "Search languages" }).fill(option);
  await page
    .getByRole("option", { name: new RegExp(`^${option}`) })
    .first()
    .click();
  await closeTextCard(page);
}

/** Expects that `option` is chosen of the list `name`. */
export async function expectLanguage(
  page: Page,
  name: "Spoken language" | "Target language",
  option: string,
): Promise<void> {
  await expect((await openTextCard(page)).getByRole("combobox", { name })).toHaveText(option);
  await closeTextCard(page);
}

export async function enlargeText(page: Page): Promise<void> {
  await (await openTextCard(page)).getByRole("button", { name: "Larger text" }).click();
  await closeTextCard(page);
}
