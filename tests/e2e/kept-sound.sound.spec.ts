import type { Page } from "@playwright/test";
import { getButton } from "./support/accounts.ts";
import {
  createRecording,
  openRecordingSettings,
  record,
  save,
  signUp,
  stopRecording,
  waitForTranscriptText,
} from "./support/journey.ts";
import { expectToast } from "./support/messages.ts";
import { listenToSound } from "./support/played-sound.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript, readRows, toExpectedRows } from "./support/transcript.ts";

const getPlayer = (page: Page) => page.getByRole("region", { name: "Sound of this lecture" });

async function keepSound(page: Page): Promise<void> {
  const settings = await openRecordingSettings(page);
  await settings.getByRole("switch", { name: "Keep the sound on this device" }).click();
  await getButton(page, "Close").click();
}

test("plays exactly the sentence that was clicked", { tag: "@nightly" }, async ({ visit }) => {
  const { wav, fixture } = await createRecording({
    to: 6,
    wordsPerSentence: 2,
    sentencesPerSpeaker: 0,
    sentenceGapMs: 700,
  });
  const [, second, third] = fixture.sentences;
  if (!second || !third) throw new Error("the fixture says too little");
  const page = await visit({ wav });
  const readPlayed = await listenToSound(page);
  await signUp(page, "/record");
  await keepSound(page);
  await record(page);
  await waitForTranscriptText(page, third.text, fixture.durationMs);
  await stopRecording(page);
  await expect.poll(() => readRows(getTranscript(page))).toEqual(toExpectedRows(fixture));
  await save(page);
  const dialog = page.getByRole("dialog", { name: "Save Lecture" });
  await dialog.getByLabel("Lecture name").fill("Counting aloud");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Lecture Saved Successfully");

  await page.goto("/");
  await page.getByRole("link", { name: "Counting aloud", exact: true }).click();
  await expect(getPlayer(page)).toBeVisible();
  const rows = getTranscript(page).locator("[data-row]");
  await rows.nth(1).click();
  await page.getByRole("toolbar").getByRole("button", { name: "Play" }).click();
  await expect(rows.nth(1)).toHaveAttribute("aria-current", "true");
  await page.waitForFunction(
    (row) => document.querySelector(`[data-row="${row}"]`)?.matches("[aria-current]"),
    await rows.nth(2).getAttribute("data-row"),
  );
  await page.keyboard.press("Space");
  await expect(getButton(page, "Play the sound")).toBeVisible();
  // The key may come late: then the next sentence has begun.
  const played = await readPlayed();
  expect(played.slice(0, second.text.length)).toBe(second.text);
  expect(`${second.text} ${third.text}`.slice(0, played.length)).toBe(played);

  const download = page.waitForEvent("download");
  const type = process.env.CODEC === "pcm_s16le" ? "wav" : "ogg";
  await page.getByRole("button", { name: "Speed: 1×" }).click();
  await page
    .getByRole("menuitem", { name: `Download as ${type === "wav" ? "WAV" : "Ogg (Opus)"}` })
    .click();
  expect((await download).suggestedFilename()).toBe(`Counting aloud.${type}`);
});
