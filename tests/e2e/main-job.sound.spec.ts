import type { Page } from "@playwright/test";
import {
  createRecording,
  getToastTitle,
  record,
  save,
  signUp,
  stopRecording,
  waitForTranscriptText,
} from "./support/journey.ts";
import { getPart } from "./support/lecture-parts.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript, readRows, toExpectedRows } from "./support/transcript.ts";

const saveDialog = (page: Page) => page.getByRole("dialog", { name: "Save Lecture" });

test("shows, translates and stores every word once and in order", { tag: "@core" }, async ({
  visit,
}) => {
  const { wav, fixture } = await createRecording({
    wordsPerSentence: 4,
    sentencesPerSpeaker: 2,
    to: 16,
  });
  const page = await visit({ wav });
  await signUp(page, "/record");

  await record(page);
  await expect(page.getByText("Recording...", { exact: true })).toBeVisible();
  await expect(getPart(page, "Summary")).toBeHidden();
  const last = fixture.sentences.at(-1)?.text ?? "";
  await waitForTranscriptText(page, last, fixture.durationMs);
  await stopRecording(page);
  await expect.poll(() => readRows(getTranscript(page))).toEqual(toExpectedRows(fixture));

  await save(page);
  await saveDialog(page).getByLabel("Lecture name").fill("Counting aloud");
  await saveDialog(page).getByRole("button", { name: "Save" }).click();
  await expect(getToastTitle(page, "Lecture Saved Successfully")).toBeVisible();
  await expect(page.getByText("Finished", { exact: true })).toBeVisible();
  await expect.poll(() => readRows(getTranscript(page))).toEqual(toExpectedRows(fixture));

  await page.goto("/");
  await page.getByRole("link", { name: "Counting aloud", exact: true }).click();
  await expect.poll(() => readRows(getTranscript(page))).toEqual(toExpectedRows(fixture));
  await page.reload();
  await expect.poll(() => readRows(getTranscript(page))).toEqual(toExpectedRows(fixture));
});
