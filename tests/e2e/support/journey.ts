import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { type LecturePlan, writeLectureFixture } from "#tests/fixtures/lecture.ts";
import { call } from "./library.ts";
import { transcriptOf } from "./transcript.ts";

/** Makes a fixture in a folder of its own. */
export async function recordingOf(plan: LecturePlan) {
  const wav = join(mkdtempSync(join(tmpdir(), "dualect-sound-")), "lecture.wav");
  return { wav, fixture: await writeLectureFixture(wav, plan) };
}

export const newAddress = () => `${randomUUID()}@example.edu`;
export const password = "correct horse battery";

/** Makes an account past the form, signed in where `page` is; ends on `path`. */
export async function signUp(page: Page, path = "/"): Promise<string> {
  const email = newAddress();
  await call(page, "auth.signUp", { email, password });
  await page.goto(path);
  return email;
}

export async function enterAsGuest(page: Page): Promise<void> {
  await page.goto("/auth");
  await page.getByRole("tab", { name: "Guest Mode" }).click();
  await page.getByRole("button", { name: "Continue as Guest" }).click();
  await page.waitForURL((url) => url.pathname !== "/auth");
}

const control = (page: Page, name: string) =>
  page.getByRole("region", { name: "Recording controls" }).getByRole("button", { name });

export const record = (page: Page) => control(page, "Record").click();
const stop = (page: Page) => control(page, "Stop").click();
export const continueRecording = (page: Page) => control(page, "Continue").click();
export const save = (page: Page) => control(page, "Save").click();

/** Waits until the page has shown `text`, spoken after `soundMs` of sound. */
export async function heard(page: Page, text: string, soundMs: number): Promise<void> {
  await expect(transcriptOf(page).getByText(text).first()).toBeVisible({
    timeout: soundMs + 20_000,
  });
}

/** Presses Stop and waits until the last words are in. */
export async function stopAndSettle(page: Page): Promise<void> {
  await stop(page);
  await expect(page.getByText("Paused", { exact: true }).first()).toBeVisible({ timeout: 20_000 });
}

/** A toast with this title. */
export const toast = (page: Page, title: string) =>
  page.getByRole("region", { name: "Notifications" }).getByText(title, { exact: true });
