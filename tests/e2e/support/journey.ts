import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
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
export const continueRecording = (page: Page) => getControl(page, "Continue").click();
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

export async function enlargeText(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Languages and text" }).click();
  const options = page.getByRole("dialog", { name: "Languages and text" });
  await options.getByRole("button", { name: "Larger text" }).click();
  await page.keyboard.press("Escape");
  await expect(options).toBeHidden();
}
