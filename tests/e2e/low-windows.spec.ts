import type { Page } from "@playwright/test";
import { createVoice } from "#tests/fixtures/voice.ts";
import { findCollisions, measureTextShare } from "./support/controls.ts";
import {
  createSpeech,
  enterAsGuest,
  openRecordingSettings,
  record,
  signUp,
  stopRecording,
} from "./support/journey.ts";
import { encodeKeptSound, keepSound, storeKeptSound } from "./support/kept-sound.ts";
import { measureSidewaysScroll } from "./support/look.ts";
import { installMicrophone } from "./support/microphone.ts";
import { shareLecture, storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript } from "./support/transcript.ts";

/** Windows with little height: at 200 and 400 % zoom, and phones on their side. */

const hear = (count: number, wordMs: number) => ({
  speech: {
    words: Array.from({ length: count }, (_, index) => `word${index}`),
    wordMs,
    wordsPerSentence: 10,
    sessionMs: 300_000,
  },
});

/** The least part of the height that is text while one records. */
const windows = [
  { size: { width: 720, height: 450 }, text: 0.75 },
  { size: { width: 640, height: 360 }, text: 0.75 },
  { size: { width: 480, height: 270 }, text: 0.65 },
  { size: { width: 320, height: 180 }, text: 0.5 },
] as const;

/** A window has its size, and the page's foot is there: without one, all would be text. */
async function show(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await expect
    .poll(() => page.evaluate(() => [innerWidth, innerHeight]))
    .toEqual([size.width, size.height]);
  await expect(page.locator(".recording-foot")).toBeVisible();
}

const getSize = ({ width, height }: { width: number; height: number }) => `${width} × ${height}`;

/** What is printed over something else, or is covered; polled, because a page follows its window later. */
const expectNoCollisions = (page: Page, at: string) =>
  expect.poll(() => findCollisions(page), at).toEqual([]);

const expectTextShare = (page: Page, least: number, at: string) =>
  expect.poll(() => measureTextShare(page), at).toBeGreaterThanOrEqual(least);

/** Whether the middle of the control can be pressed, scrolled to if it has to be. */
async function expectReachable(page: Page, name: string): Promise<void> {
  const control = page.getByRole("button", { name, exact: true }).first();
  await control.click({ trial: true });
}

/** A recording that has filled the page with text. */
async function startRecording(page: Page): Promise<void> {
  await installMicrophone(page.context(), createSpeech({ to: 240 }));
  await signUp(page, "/record");
  await expect(page.getByText("left this month")).toBeVisible({ timeout: 60_000 });
  await record(page);
  await expect(getTranscript(page).getByText("word99").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "What was just said?" })).toBeVisible();
  await page.mouse.move(1, 1);
}

test("has most of a low window for the text while it records", { tag: "@nightly" }, async ({
  visit,
}) => {
  // Words for longer than the test takes: where nothing is heard the page says so.
  const page = await visit({ engines: hear(3_000, 60) });
  await startRecording(page);
  await expect(page.locator("[data-message]")).toHaveCount(0);
  for (const { size, text } of windows) {
    const at = getSize(size);
    await show(page, size);
    await expectTextShare(page, text, at);
    await expectNoCollisions(page, at);
    await expectReachable(page, "Stop");
    await expectReachable(page, "More actions");
  }
  await show(page, { width: 1440, height: 900 });
  await stopRecording(page);
  await show(page, { width: 640, height: 360 });
  // No toast is over what is pressed next.
  await expect(page.locator("[data-toasts] > *").first()).toBeVisible();
  await page.getByRole("button", { name: "More actions", exact: true }).click();
  const menu = page.getByRole("menu");
  await expect(menu).toBeVisible();
  for (const entry of await menu.getByRole("menuitem").all()) await entry.click({ trial: true });
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  for (const name of ["Continue", "Save"]) await expectReachable(page, name);
});

test("has as much of it beside a message, which can be answered", { tag: "@nightly" }, async ({
  visit,
}) => {
  const page = await visit({ engines: hear(200, 20) });
  await startRecording(page);
  // The engine gives no more words, which the page says after some seconds.
  await expect(page.locator("[data-message]")).toBeVisible({ timeout: 60_000 });
  for (const { size, text } of windows.slice(1)) {
    await show(page, size);
    await expectTextShare(page, text, getSize(size));
    await expectReachable(page, "Stop");
    await expectReachable(page, "More actions");
    await page.locator("[data-message] button").click({ trial: true });
  }
});

test("shows each page, its menu and its dialog in a window of 320 × 180", {
  tag: "@nightly",
}, async ({ visit }) => {
  const page = await visit({ viewport: { width: 320, height: 180 } });
  await signUp(page, "/record");
  const id = await storeLecture(page, [{ original: "Light bends.", translated: "光会弯曲。" }]);
  for (const path of ["/", "/profile", "/ask", "/glossary", "/trash", `/record?lecture=${id}`]) {
    await page.goto(path);
    await expect(page.getByRole("main").first(), path).toBeVisible();
    await expect.poll(() => measureSidewaysScroll(page), path).toBe(0);
    if (path !== "/profile") continue;
    await page.mouse.move(160, 90);
    const sections = page.getByRole("navigation", { name: "Settings" });
    const last = sections.getByRole("link", { name: "Programs" });
    // At the very top: above it nothing would be read. Parts of the page may come while it is scrolled.
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 600);
        return (await sections.boundingBox())?.y;
      })
      .toBe(0);
    await expect
      .poll(async () => {
        await page.keyboard.press("End");
        return last.getAttribute("aria-current");
      })
      .toBe("true");
    await expect(last).toBeInViewport({ ratio: 0.9 });
  }
  await expect(page.locator("[data-row]").first()).toBeVisible();

  await page.getByRole("button", { name: "More actions", exact: true }).click();
  const menu = page.getByRole("menu");
  await expect(menu).toBeVisible();
  for (const entry of await menu.getByRole("menuitem").all()) {
    await entry.scrollIntoViewIfNeeded();
    await expect(entry).toBeInViewport({ ratio: 0.9 });
  }
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await page.goto("/record");
  const dialog = await openRecordingSettings(page);
  await expect(dialog).toBeVisible();
  const controls = await dialog.getByRole("switch").all();
  expect(controls.length).toBeGreaterThan(0);
  for (const control of controls) {
    await control.scrollIntoViewIfNeeded();
    await expect(control).toBeInViewport({ ratio: 0.9 });
  }
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toBeHidden();

  const reader = await visit({ viewport: { width: 320, height: 180 } });
  await reader.goto(await shareLecture(page, id));
  await expect(reader.locator("[data-row]").first()).toBeVisible();
  await expect
    .poll(() =>
      reader.locator("main").evaluate((main) => main.getBoundingClientRect().height / innerHeight),
    )
    .toBeGreaterThanOrEqual(0.5);
});

test("has the player of a paused recording beside its buttons", { tag: "@nightly" }, async ({
  visit,
}) => {
  const page = await visit();
  await keepSound(page);
  await signUp(page);
  const id = await storeLecture(page, [{ original: "Light bends.", translated: "光会弯曲。" }]);
  await page.goto(`/record?lecture=${id}`);
  await expect(page.locator("[data-row]").first()).toBeVisible();
  await expect
    .poll(async () => (await page.evaluate(() => indexedDB.databases())).map(({ name }) => name))
    .toContain("dualect-takes");
  await storeKeptSound(page, id, encodeKeptSound(createVoice(20_000, 16_000)));
  await page.reload();
  await expect(page.getByRole("slider", { name: "Position in the sound" })).toBeVisible();
  const foot = page.locator(".recording-foot");
  for (const [width, height] of [
    [640, 360],
    [720, 450],
    [844, 390],
  ] as const) {
    const at = getSize({ width, height });
    await show(page, { width, height });
    await expect.poll(async () => (await foot.boundingBox())?.height, at).toBeLessThan(60);
    await expectNoCollisions(page, at);
    for (const name of ["Play the sound", "Continue", "Save"]) await expectReachable(page, name);
  }
});

test("begins a guest's recording in a low window", async ({ visit }) => {
  const page = await visit({ viewport: { width: 640, height: 360 } });
  await installMicrophone(page.context());
  await enterAsGuest(page);
  await page.goto("/record");
  await record(page);
  await expect(page.getByRole("button", { name: "Stop", exact: true })).toBeVisible();
  await expectTextShare(page, 0.75, "a guest's");
});
