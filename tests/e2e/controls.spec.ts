import type { Page } from "@playwright/test";
import { findCollisions, listControls, measureTextShare } from "./support/controls.ts";
import { createSpeech, record, signUp, stopRecording } from "./support/journey.ts";
import { installMicrophone } from "./support/microphone.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript } from "./support/transcript.ts";

/** How much of the page of a recording is text, and how little else there is. */

/** More than a window has room for: the title page has scrolled away. */
const words = Array.from({ length: 200 }, (_, index) => `word${index}`);
const engines = { speech: { words, wordMs: 20, wordsPerSentence: 10, sessionMs: 60_000 } };

/** Windows, the most visible controls while recording, and the least part of the height that is text. */
const windows = [
  { size: { width: 1440, height: 900 }, controls: 9, text: 0.8 },
  { size: { width: 768, height: 1024 }, controls: 9, text: 0.8 },
  { size: { width: 390, height: 844 }, controls: 7, text: 0.86 },
  { size: { width: 320, height: 640 }, controls: 7, text: 0.8 },
  // 200 % zoom.
  { size: { width: 720, height: 450 }, controls: 9, text: 0.75 },
] as const;
const widths = [320, 344, 390, 600, 700, 768, 899, 900, 1024, 1200, 1440, 1920];

async function expectNoCollisions(page: Page, state: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    expect(await findCollisions(page), `${state} at ${width} px`).toEqual([]);
  }
}

test("leaves the window to the text while it records, and prints nothing over anything", async ({
  visit,
}) => {
  const page = await visit({ engines });
  // As long as the test, which hears no word of it: where nothing is heard the page says so.
  await installMicrophone(page.context(), createSpeech({ to: 120 }));
  await signUp(page, "/record");
  await expect(page.getByText("left this month")).toBeVisible({ timeout: 60_000 });
  await expectNoCollisions(page, "ready");

  await record(page);
  await expect(getTranscript(page).getByText("word199").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "What was just said?" })).toBeVisible();
  await expect(page.locator("[data-message]")).toHaveCount(0);
  // A sentence under the pointer has tools.
  await page.mouse.move(1, 1);
  for (const { size, controls, text } of windows) {
    await page.setViewportSize(size);
    const at = `at ${size.width} × ${size.height}`;
    const shown = await listControls(page);
    expect(shown.length, `${at}: ${shown.join(", ")}`).toBeLessThanOrEqual(controls);
    expect(await measureTextShare(page), at).toBeGreaterThanOrEqual(text);
  }
  await expectNoCollisions(page, "recording");

  await page.setViewportSize({ width: 1440, height: 900 });
  await stopRecording(page);
  await expect(page.getByRole("button", { name: "Save", exact: true })).toBeVisible();
  await expectNoCollisions(page, "paused");
});
