import { createLectureFixture } from "#tests/fixtures/lecture.ts";
import { getButton } from "./support/accounts.ts";
import { chooseFromMenu, signUp } from "./support/journey.ts";
import { encodeKeptSound, keepSound, storeKeptSound } from "./support/kept-sound.ts";
import { callProcedure } from "./support/library.ts";
import { listEntries, listTakes, storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

const sampleRate = 16_000;
const fixture = createLectureFixture({
  to: 6,
  wordsPerSentence: 2,
  sentencesPerSpeaker: 0,
  leadInMs: 300,
  tailMs: 500,
  sampleRate,
});
const sound = encodeKeptSound(fixture.samples);

// `again-form.test.tsx`, `recognize-kept.test.ts`, `plan-rows.test.ts` and `replace-rows.test.ts` hold it every time.
test("recognizes kept sound again, or only where nothing was heard, and takes that back", {
  tag: "@nightly",
}, async ({ visit }) => {
  const page = await visit();
  await keepSound(page);
  await signUp(page);
  const id = await storeLecture(
    page,
    fixture.sentences.map(({ startMs, endMs }, at) => ({
      original: `Heard wrongly ${at}.`,
      translated: `听错了${at}。`,
      startMs,
      endMs,
    })),
  );
  await page.goto(`/?lecture=${id}`);
  const getRow = (at: number) => page.locator(`[data-row="${at}"]`);
  await expect(getRow(2)).toBeVisible();
  await expect
    .poll(async () => (await page.evaluate(() => indexedDB.databases())).map(({ name }) => name))
    .toContain("dualect-takes");
  await storeKeptSound(page, id, sound);

  await getRow(1).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "English" }).fill("What I heard.");
  await page.keyboard.press("Control+Enter");
  await expect(getRow(1)).toContainText("What I heard.");

  await chooseFromMenu(page, "Recognize again…");
  const dialog = page.getByRole("dialog", { name: "Recognize again" });
  await dialog.getByRole("combobox", { name: "Spoken language" }).click();
  await page.getByRole("combobox", { name: "Search languages" }).fill("Deutsch");
  await page.getByRole("option", { name: "Deutsch" }).click();
  await expect(dialog).toContainText("of your hours");
  await dialog.getByRole("button", { name: "Recognize" }).click();
  await expect(getRow(0)).toContainText("eins zwei.");
  await expect(getRow(1)).toContainText("What I heard.");
  await expect(getRow(2)).toContainText("fünf sechs.");
  // The translations follow.
  await expect(getRow(0)).toContainText("演示");
  const stored = await listEntries(page, id);
  expect(stored.map(({ spokenIn }) => spokenIn)).toEqual(["de", "en", "de"]);

  await getButton(page, "Undo").click();
  await expect(getRow(0)).toContainText("Heard wrongly 0.");
  await expect(getRow(0)).toContainText("听错了0。");
  await expect(getRow(1)).toContainText("What I heard.");
  await expect(getRow(2)).toContainText("Heard wrongly 2.");

  // Another lecture, in which nothing was heard of the second sentence.
  const [first, missed, last] = fixture.sentences;
  if (!first || !missed || !last) throw new Error("The lecture is too short");
  const partlyId = await storeLecture(
    page,
    [first, last].map(({ startMs, endMs }, at) => ({
      original: `Heard ${at}.`,
      translated: `听到${at}。`,
      startMs,
      endMs,
    })),
  );
  const takeId = await storeKeptSound(page, partlyId, sound);
  const lengthMs = missed.endMs - missed.startMs;
  await callProcedure(page, "takes.store", {
    lectureId: partlyId,
    takes: [
      {
        id: takeId,
        startedAt: 0,
        codec: "opus",
        missingMs: 0,
        capturedMs: 9_000,
        acknowledgedMs: 9_000,
        transcribedMs: 9_000,
        gaps: [{ atMs: missed.startMs, lengthMs, reason: "noWords" }],
      },
    ],
  });
  await page.goto(`/?lecture=${partlyId}`);
  const gap = page.locator("[data-gap]");
  await expect(gap).toContainText("Not recognized, 0:0");
  await gap.getByRole("button", { name: "Try again" }).click();
  await expect(dialog).toContainText("Not recognized: 0:0");
  await dialog.getByRole("button", { name: "Recognize" }).click();
  await expect(getRow(1)).toContainText("three four.");
  await expect(gap).toHaveCount(0);
  const filled = await listEntries(page, partlyId);
  expect(filled.map(({ original }) => original)).toEqual(["Heard 0.", "three four.", "Heard 1."]);
  expect((await listTakes(page, partlyId)).flatMap(({ gaps }) => gaps)).toEqual([]);

  await getButton(page, "Undo").click();
  await expect(gap).toHaveCount(1);
  await expect(getRow(1)).toContainText("Heard 1.");
});
