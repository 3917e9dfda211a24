import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { createVoice } from "#tests/fixtures/voice.ts";
import { findBarriers } from "./support/axe.ts";
import { findCollisions, listControls, measureTextShare } from "./support/controls.ts";
import { createSpeech, record, signUp, stopRecording } from "./support/journey.ts";
import { encodeKeptSound, keepSound, storeKeptSound } from "./support/kept-sound.ts";
import { callProcedure } from "./support/library.ts";
import { installMicrophone } from "./support/microphone.ts";
import { shareLecture, storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript } from "./support/transcript.ts";

/** How much of the page of a recording is text, and how little else there is. */

/** More than a window has room for: the title page has scrolled away. They last as long as the test: see below. */
const words = Array.from({ length: 1_500 }, (_, index) => `word${index}`);
const engines = { speech: { words, wordMs: 80, wordsPerSentence: 10, sessionMs: 120_000 } };

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
    const message = `${state} at ${width} px`;
    await expect.poll(() => findCollisions(page), { message }).toEqual([]);
  }
}

test("leaves the window to the text while it records, and prints nothing over anything", async ({
  visit,
}) => {
  const page = await visit({ engines });
  // As long as the test: where nothing is heard, or no words come, the page says so.
  await installMicrophone(page.context(), createSpeech({ to: 120 }));
  await signUp(page, "/record");
  await expect(page.getByText("left this month")).toBeVisible({ timeout: 60_000 });
  await expectNoCollisions(page, "ready");

  await record(page);
  await expect(getTranscript(page).getByText("word199").first()).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole("button", { name: "What was just said?" })).toBeVisible();
  await expect(page.locator("[data-message]")).toHaveCount(0);
  // A sentence under the pointer has tools.
  await page.mouse.move(1, 1);
  for (const { size, controls, text } of windows) {
    await page.setViewportSize(size);
    const message = `at ${size.width} × ${size.height}`;
    await expect
      .poll(async () => (await listControls(page)).length, { message })
      .toBeLessThanOrEqual(controls);
    await expect.poll(() => measureTextShare(page), { message }).toBeGreaterThanOrEqual(text);
  }
  await expectNoCollisions(page, "recording");

  await page.setViewportSize({ width: 1440, height: 900 });
  await stopRecording(page);
  await expect(page.getByRole("button", { name: "Save", exact: true })).toBeVisible();
  await expectNoCollisions(page, "paused");
});

const sound = encodeKeptSound(createVoice(20_000, 16_000));
const sentences = Array.from({ length: 60 }, (_, at) => ({
  original: `Sentence ${at} of a lecture that fills more than one window with its text.`,
  translated: `这节课的第 ${at} 句，文字比一个窗口多。`,
  startMs: at * 4_000,
  endMs: at * 4_000 + 3_500,
  speaker: `${at % 3}`,
}));

/** Windows, the most visible controls of a finished lecture, and the least part of the height that is text while it is read. */
const readWindows = [
  { size: { width: 1440, height: 900 }, controls: 17, text: 0.88 },
  { size: { width: 768, height: 1024 }, controls: 14, text: 0.85 },
  { size: { width: 390, height: 844 }, controls: 10, text: 0.93, reading: 3 },
  { size: { width: 320, height: 640 }, controls: 10, text: 0.91, reading: 3 },
  { size: { width: 720, height: 450 }, controls: 14, text: 0.89, reading: 4 },
] as const;

test("shows a finished lecture with few controls, and on a phone its text almost alone", async ({
  visit,
}) => {
  const page = await visit();
  await keepSound(page);
  await signUp(page);
  const id = await storeLecture(page, sentences, { title: "Entropy and the arrow of time" });
  await callProcedure(page, "lectures.complete", { id, title: "Entropy and the arrow of time" });
  await callProcedure(page, "lectures.change", { id, summary: "Entropy is counted." });
  await page.goto(`/record?lecture=${id}`);
  await expect(page.locator("[data-row]").first()).toBeVisible();
  await expect
    .poll(async () => (await page.evaluate(() => indexedDB.databases())).map(({ name }) => name))
    .toContain("dualect-takes");
  await storeKeptSound(page, id, sound);
  await page.reload();
  const slider = page.getByRole("slider", { name: "Position in the sound" });
  for (const { size, controls, text, ...small } of readWindows) {
    await page.setViewportSize(size);
    await page.reload();
    await expect(slider).toBeVisible();
    await expect(page.getByRole("tab", { name: "Summary", exact: true })).toBeVisible();
    const at = `at ${size.width} × ${size.height}`;
    await expect
      .poll(async () => (await listControls(page)).length, { message: at })
      .toBeLessThanOrEqual(controls);
    await expect.poll(() => findCollisions(page), { message: at }).toEqual([]);
    const rows = page.locator("section", { has: page.locator("[data-row]") }).last();
    await rows.hover();
    // Reads on until the page has begun to listen, and its head has left.
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, 80);
          return measureTextShare(page);
        },
        { message: at },
      )
      .toBeGreaterThanOrEqual(text);
    if ("reading" in small)
      await expect
        .poll(async () => listControls(page), { message: at })
        .toHaveLength(small.reading);
  }
  // The way to go on is at the end of the text.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await page.getByRole("button", { name: "Continue recording" }).scrollIntoViewIfNeeded();
  await expect(page.getByRole("button", { name: "Continue recording" })).toBeInViewport();
  await expect(slider).toBeVisible();
  expect(await findBarriers(page)).toEqual([]);
});

test("leaves a reader six controls, and the questions their text", async ({ visit }) => {
  const owner = await visit();
  await signUp(owner);
  const id = await storeLecture(owner, sentences, { title: "Entropy" });
  const path = await shareLecture(owner, id);
  const reader = await visit();
  await reader.addInitScript(() => localStorage.setItem("readerLanguage", "zh-cn"));
  await reader.goto(path);
  for (const [width, height] of [
    [1440, 900],
    [768, 1024],
    [390, 844],
    [320, 640],
  ] as const) {
    await reader.setViewportSize({ width, height });
    await expect(reader.locator("[data-row]").first()).toBeVisible();
    await expect.poll(() => listControls(reader), { message: `${width} px` }).toHaveLength(6);
  }

  const term = {
    id: randomUUID(),
    language: "en",
    term: "window",
    translations: {},
    note: "",
    position: 0,
    isLeftOut: false,
    origin: { kind: "person", name: "" },
  };
  await callProcedure(owner, "glossary.change", { folderId: null, changes: [term] });
  await owner.goto("/ask");
  const examples = owner.getByRole("region", { name: "From your lectures" }).getByRole("button");
  await expect(examples.first()).toBeVisible();
  await examples.first().click();
  await expect(owner.getByRole("button", { name: "Ask further" })).toBeVisible();
  await owner.goto("/ask");
  await expect(owner.getByRole("article").first()).toBeVisible();
  for (const [width, height, most] of [
    [1440, 900, 15],
    [768, 1024, 15],
    [390, 844, 13],
    [320, 640, 12],
  ] as const) {
    await owner.setViewportSize({ width, height });
    await expect
      .poll(async () => (await listControls(owner)).length, { message: `${width} px` })
      .toBeLessThanOrEqual(most);
    expect(await findBarriers(owner)).toEqual([]);
  }
});
