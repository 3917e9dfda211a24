import type { Page } from "@playwright/test";
import { findBarriers } from "./support/axe.ts";
import {
  chooseFromMenu,
  closeTextCard,
  enlargeText,
  expectLanguage,
  expectSaved,
  getToastTitle,
  openRecordingSettings,
  openTextCard,
  record,
  signUp,
  stopRecording,
} from "./support/journey.ts";
import { getPart, openPart } from "./support/lecture-parts.ts";
import { measureSidewaysScroll } from "./support/look.ts";
import { installMicrophone } from "./support/microphone.ts";
import { holdCalls } from "./support/procedures.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript, toDemoTranslation } from "./support/transcript.ts";

const getSummary = (page: Page) => getPart(page, "Summary");
/** English and translation of each row, without the speaker's name. */
const getRowTexts = (page: Page) =>
  getTranscript(page)
    .locator("[data-row]")
    .evaluateAll((rows) =>
      rows.map((row) => {
        const [original, translated] = row.querySelectorAll("p[lang]");
        const tag = original?.querySelector("[data-speaker]")?.textContent ?? "";
        return [original?.textContent?.slice(tag.length), translated?.textContent];
      }),
    );

test("summarises, corrects, names speakers, translates again and stores all of it", {
  tag: "@core",
}, async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  const spoken = [
    ["1", "one two three four."],
    ["1", "five six seven eight."],
    ["2", "nine ten eleven twelve."],
  ] as const;
  const id = await storeLecture(
    page,
    spoken.map(([speaker, original]) => ({
      original,
      speaker,
      translated: toDemoTranslation(original),
    })),
  );
  await page.goto(`/record?lecture=${id}`);
  await expect(getTranscript(page).getByText("one two three four.").first()).toBeVisible();
  const context = page.getByRole("textbox", { name: "Context" });
  await openTextCard(page);
  await context.fill("Counting aloud");
  await context.press("Enter");
  await closeTextCard(page);
  await openPart(page, "Summary");
  await expect(getSummary(page)).toContainText("No summary available");
  await getSummary(page).getByRole("button", { name: "Generate Summary" }).click();
  await expect(getToastTitle(page, "Summary Generated")).toBeVisible();
  await expect(getSummary(page).getByRole("listitem").first()).toContainText("one two three four");
  await getSummary(page).getByRole("button", { name: "Edit" }).click();
  await getSummary(page).getByRole("button", { name: "Show the summary in full screen" }).click();
  const dialog = page.getByRole("dialog", { name: "Summary" });
  await dialog.getByRole("textbox", { name: "Summary text" }).fill("# Numbers\n\n- up to *twelve*");
  await expect(dialog.getByRole("heading", { name: "Numbers" })).toBeVisible();
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(
    getSummary(page).getByRole("button", { name: "Show the summary in full screen" }),
  ).toBeFocused();
  await getSummary(page).getByRole("button", { name: "Save Summary" }).click();
  await expect(getToastTitle(page, "Saved")).toBeVisible();
  await expect(getSummary(page).getByRole("heading", { name: "Numbers" })).toBeVisible();
  await page.getByRole("tab", { name: "Summary" }).focus();
  await page.keyboard.press("Escape");
  await expect(getSummary(page)).toBeHidden();
  await expect(getTranscript(page)).toBeFocused();
  await page.getByRole("button", { name: "Summary and questions" }).click();
  await expect(getSummary(page)).toBeVisible();

  await getTranscript(page).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator('[data-row="0"]')).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const original = page.getByRole("textbox", { name: "English" });
  await original.fill("five six seven ate.");
  await original.press("Control+Enter");
  await expect
    .poll(() => getRowTexts(page))
    .toContainEqual(["five six seven ate.", "〔简体中文·演示〕 five six seven ate。"]);
  await expect(page.locator('[data-row="1"]')).toBeFocused();
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "Translation" }).fill("五六七八。");
  await enlargeText(page);
  await expect.poll(() => getRowTexts(page)).toContainEqual(["five six seven ate.", "五六七八。"]);

  await page.getByText("[S1]").first().click();
  const names = page.getByRole("dialog", { name: "Name speakers" });
  await names.getByLabel("Name of [S1]").fill("Ada");
  await names.getByRole("button", { name: "Save" }).click();
  await expect(getTranscript(page).getByText("Ada")).toBeVisible();

  await page.keyboard.press("f");
  const book = page.getByRole("dialog", { name: "Transcript" });
  await expect(book.getByRole("button", { name: "Continue" })).toBeVisible();
  // The tools disappear without input.
  await page.mouse.move(700, 450);
  await chooseFromMenu(page, "Translate again…");
  await page.getByRole("combobox", { name: "Into" }).click();
  await page.getByRole("option", { name: "Spanish" }).click();
  await page.getByRole("button", { name: "Translate", exact: true }).click();
  const spanish = [
    ["one two three four.", "〔Español·demostración〕 one two three four."],
    ["five six seven ate.", "〔Español·demostración〕 five six seven ate."],
    ["nine ten eleven twelve.", "〔Español·demostración〕 nine ten eleven twelve."],
  ];
  await expect.poll(() => getRowTexts(page)).toEqual(spanish);
  await page.getByRole("button", { name: "Leave full screen" }).click();
  await expect(book).toBeHidden();
  await expectSaved(page);

  await page.reload();
  await expect.poll(() => getRowTexts(page)).toEqual(spanish);
  await expect(getTranscript(page).getByText("Ada")).toBeVisible();
  await openTextCard(page);
  await expect(context).toHaveValue("Counting aloud");
  await expectLanguage(page, "Target language", "Spanish");
  await expect(getSummary(page).getByRole("heading", { name: "Numbers" })).toBeVisible();
  await openRecordingSettings(page);
  await expect(page.getByRole("switch", { name: "Speaker Diarization" })).toBeChecked();
  // Within the card of an engine, which is chosen by a click anywhere else on it.
  await page.getByRole("radio", { name: /^Fast:/ }).check();
  expect(await findBarriers(page)).toEqual([]);
});

// `reading-surface.test.tsx` and `use-distance-view.test.tsx` hold it every time.
test("the reading options fit into the window, whatever the languages are called", async ({
  visit,
}) => {
  const page = await visit({ viewport: { width: 320, height: 480 } });
  await signUp(page);
  const id = await storeLecture(page, [{ original: "Satu.", translated: "一。" }], {
    sourceLanguage: "id",
    targetLanguage: "zh",
    isTwoWay: true,
  });
  await page.goto(`/record?lecture=${id}`);
  const options = await openTextCard(page);
  await expect(options.getByRole("radio", { name: "Both" })).toBeVisible();
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 480 });
    const [box, inside] = await Promise.all([
      options.boundingBox(),
      options.evaluate((popup) => popup.scrollWidth - popup.clientWidth),
    ]);
    expect(inside, `at ${width}: wider than their frame`).toBe(0);
    expect(box?.x, `at ${width}: beyond the left edge`).toBeGreaterThanOrEqual(0);
    expect(
      (box?.x ?? 0) + (box?.width ?? 0),
      `at ${width}: beyond the right edge`,
    ).toBeLessThanOrEqual(width);
    expect(
      (box?.y ?? 0) + (box?.height ?? 0),
      `at ${width}: beyond the lower edge`,
    ).toBeLessThanOrEqual(480);
  }
});

test("shows one language or both, at every size and from a distance, by keyboard", {
  tag: "@nightly",
}, async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  const id = await storeLecture(page, [
    { original: "It is only unlikely.", translated: "只是不大可能。" },
    { original: "You would have to wait.", translated: "您得等上很久。" },
  ]);
  await page.goto(`/record?lecture=${id}`);
  const firstRow = getTranscript(page).locator("[data-row]").first();
  const original = firstRow.getByText("It is only unlikely.");
  const chinese = firstRow.getByText("只是不大可能。");
  await expect(original).toBeVisible();
  await page.getByRole("button", { name: "Languages and text" }).focus();
  await page.keyboard.press("Enter");
  const options = page.getByRole("dialog", { name: "Languages and text" });
  await options.getByRole("radio", { name: "Both" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(options.getByRole("radio", { name: "Translation" }).first()).toBeChecked();
  await expect(original).toBeHidden();
  await expect(chinese).toBeVisible();
  const larger = options.getByRole("button", { name: "Larger text" });
  while (await larger.isEnabled()) await larger.click();
  await expect(options.getByRole("status")).toHaveText("48");
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(options).toBeHidden();

  await getTranscript(page).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Space");
  await expect(chinese).toBeHidden();
  await expect(original).toHaveCSS("font-size", "48px");
  await original.click();
  await expect(chinese).toBeVisible();

  await page.keyboard.press("f");
  const view = page.getByRole("dialog", { name: "Transcript" });
  const controls = view.getByRole("region", { name: "Recording controls" });
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  await expect(controls).toHaveCSS("opacity", "0");
  expect(await findBarriers(page)).toEqual([]);
  await page.keyboard.press("Tab");
  await expect(controls).toHaveCSS("opacity", "1");
  await page.keyboard.press("f");
  await expect(view).toBeHidden();
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBeNull();

  await page.reload();
  await expect(chinese).toHaveCSS("font-size", "46.56px");
  await expect(original).toBeHidden();
  for (const width of [390, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => measureSidewaysScroll(page)).toBe(0);
  }
});

/** Where the parts around the text are in the window, and the lower edge of the text; how many texts are cut. */
const measurePlaces = (page: Page) =>
  page.evaluate(() => {
    const round = ({ x, y, width, height }: DOMRect) => [x, y, width, height].map(Math.round);
    const button = document.getElementById("record-button")?.getBoundingClientRect();
    const page = document.querySelector("#content h2")?.closest("section")?.getBoundingClientRect();
    const parts = [...document.querySelectorAll<HTMLElement>("[data-row], [data-live-line]")];
    const texts = [...document.querySelectorAll<HTMLElement>("[data-row] p")];
    return {
      end: Math.round(parts.at(-1)?.getBoundingClientRect().bottom ?? 0),
      cut: texts.filter((text) => text.scrollHeight > text.clientHeight + 1).length,
      button: button && round(button),
      page: page && round(page),
    };
  });

/**
 * The first row that is wholly in view, where it stays: when the width or the size changes, the page scrolls back in the
 * next frame, after the layout and before it is painted, and a move up takes 160 ms.
 */
const findReadRow = (page: Page) =>
  page.evaluate(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const box = document.querySelector("[data-row]")?.closest("section");
    for (let still = 0, top = -1; still < 10; still = box?.scrollTop === top ? still + 1 : 0) {
      top = box?.scrollTop ?? 0;
      await nextFrame();
    }
    const top = Math.max(
      box?.getBoundingClientRect().top ?? 0,
      box?.querySelector("[data-page-head]")?.getBoundingClientRect().bottom ?? 0,
    );
    const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
    const first = rows.find((one) => one.getBoundingClientRect().top >= top);
    return { row: first?.dataset.row, y: first?.getBoundingClientRect().y ?? 0 };
  });

test("lets the end of the text stand when translations arrive, and at Stop", async ({ visit }) => {
  const words = Array.from({ length: 45 }, (_, index) => `word${index}`);
  const speech = { words, wordMs: 40, wordsPerSentence: 10, sessionMs: 60_000 };
  const page = await visit({ engines: { speech } });
  await page.setViewportSize({ width: 390, height: 844 });
  await installMicrophone(page.context());
  await signUp(page, "/record");
  await expect(page.getByText("This browser's own speech recognition is used")).toBeVisible();
  const { button, page: surface } = await measurePlaces(page);
  const [, y, , height] = button ?? [];
  const translating = await holdCalls(page, "ai.translate");
  await record(page);
  await expect(page.locator('[data-row="3"]')).toBeVisible();
  await expect(getTranscript(page).getByText("word44")).toBeVisible();

  await findReadRow(page);
  const reading = await measurePlaces(page);
  expect(reading).toMatchObject({ button, page: surface, cut: 0 });
  const expectSamePlaces = async () => {
    const { end, ...places } = await measurePlaces(page);
    expect(places).toMatchObject({ page: surface, cut: 0 });
    // Save comes beside it.
    expect([places.button?.[1], places.button?.[3]]).toEqual([y, height]);
    // The browser scrolls by whole pixels.
    expect(Math.abs(end - reading.end)).toBeLessThanOrEqual(1);
  };
  const first = page.locator('[data-row="0"]');
  const firstY = (await first.boundingBox())?.y ?? 0;
  await translating.release();
  await expect(page.locator('[data-row="3"] p[lang="zh-Hans"]')).toBeVisible();
  await findReadRow(page);
  await expectSamePlaces();
  expect((await first.boundingBox())?.y).toBeLessThan(firstY);

  await stopRecording(page);
  await expect(
    page.getByRole("region", { name: "Notifications" }).getByText(/^Recording Paused/),
  ).toBeVisible();
  await expect(page.locator('[data-row="4"] p[lang="zh-Hans"]')).toBeVisible();
  await findReadRow(page);
  // The tabs come over the oldest lines.
  const paused = await measurePlaces(page);
  const getBottom = ([, top = 0, , px = 0]: readonly number[] = []) => top + px;
  expect(paused).toMatchObject({ cut: 0 });
  expect([paused.button?.[1], paused.button?.[3]]).toEqual([y, height]);
  expect(Math.abs(getBottom(paused.page) - getBottom(surface))).toBeLessThanOrEqual(1);
  // It was scrolled twice, by whole pixels.
  expect(Math.abs(paused.end - reading.end)).toBeLessThanOrEqual(2);
});

test("keeps the row that is read in its place when the summary or the size changes", async ({
  visit,
}) => {
  // Narrow enough for the column to take room of the text.
  const page = await visit({ viewport: { width: 1280, height: 900 } });
  await signUp(page);
  const original = "When we mix milk into coffee, nothing forbids the molecules from separating.";
  const id = await storeLecture(
    page,
    Array.from({ length: 120 }, (_, at) => ({
      original: `${at}. ${original}`,
      translated: "牛奶。",
    })),
  );
  await page.goto(`/record?lecture=${id}`);
  const row = page.locator('[data-row="60"]');
  await page.locator('[data-row="0"]').focus();
  await page.keyboard.press("ControlOrMeta+f");
  await page.getByRole("textbox", { name: "Find in lecture" }).fill("60.");
  await expect(row).toBeInViewport();
  await page.keyboard.press("Escape");
  const before = await findReadRow(page);
  const expectSamePlace = async () => {
    const { row: shown, y } = await findReadRow(page);
    expect(shown).toBe(before.row);
    // The browser scrolls by whole pixels.
    expect(Math.abs(y - before.y)).toBeLessThanOrEqual(0.5);
  };
  const width = (await row.boundingBox())?.width ?? 0;
  const side = page.getByRole("button", { name: "Summary and questions" });
  await side.click();
  await expect(getSummary(page)).toBeHidden();
  await expect.poll(async () => (await row.boundingBox())?.width).toBeGreaterThan(width);
  await expectSamePlace();
  await side.click();
  await expect(getSummary(page)).toBeVisible();
  await expectSamePlace();
  await enlargeText(page);
  await expect.poll(async () => (await row.boundingBox())?.height).toBeGreaterThan(70);
  await expectSamePlace();
});
