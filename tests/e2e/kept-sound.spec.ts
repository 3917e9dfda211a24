import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { createVoice } from "#tests/fixtures/voice.ts";
import {
  chooseAccountMenuItem,
  getButton,
  getHeading,
  interfaceTexts,
  signIn,
} from "./support/accounts.ts";
import { findBarriers } from "./support/axe.ts";
import { createAddress, password, signUp } from "./support/journey.ts";
import { encodeKeptSound, keepSound, storeKeptSound } from "./support/kept-sound.ts";
import { callProcedure } from "./support/library.ts";
import { expectToast } from "./support/messages.ts";
import { readBrowserStorage } from "./support/played-sound.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

const sound = encodeKeptSound(createVoice(40_000, 16_000));
/** Sentences of a lecture, 5 s each. */
const sentences = Array.from({ length: 8 }, (_, at) => ({
  original: `Sentence number ${at}${" of eight".repeat(at * 3)}.`,
  translated: `第${at}句${"，共八句".repeat(at * 3)}。`,
  startMs: at * 5_000,
  endMs: at * 5_000 + 4_500,
}));
const texts = interfaceTexts.en;
const getRow = (page: Page, position: number) => page.locator(`[data-row="${position}"]`);
const getSlider = (page: Page) => page.getByRole("slider", { name: "Position in the sound" });
/** What is stored of sound: the records, and other files. */
const readStoredSound = async (page: Page) => {
  const { records, files } = await readBrowserStorage(page);
  return { records: records.filter(({ database }) => database === "dualect-takes"), files };
};
const countTakes = async (page: Page) =>
  (await readStoredSound(page)).records.filter(({ store }) => store === "takes").length;

/** Creates a user and lectures with these titles, whose sound is kept, and opens the last one. */
async function storeHeard(page: Page, ...titles: string[]) {
  await keepSound(page);
  const email = await signUp(page);
  const ids: string[] = [];
  for (const title of titles) {
    const id = await storeLecture(page, sentences, { title });
    await page.goto(`/?lecture=${id}`);
    await expect(getRow(page, 0)).toBeVisible();
    await expect
      .poll(async () => (await page.evaluate(() => indexedDB.databases())).map(({ name }) => name))
      .toContain("dualect-takes");
    await storeKeptSound(page, id, sound);
    ids.push(id);
  }
  await page.reload();
  await expect(getSlider(page)).toBeVisible();
  return { email, ids };
}

const measureLoudness = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);

async function signOut(page: Page, choice: "Keep and sign out" | "Delete and sign out") {
  await chooseAccountMenuItem(page, texts, texts.signOut);
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("sound is kept so that you can hear it again");
  await getButton(page, choice).click();
  await page.waitForURL("/auth");
}

// `sound-player.test.ts` holds it every time, and `ask.spec.ts` plays kept sound.
test("plays kept sound by key, click and touch, and marks what sounds", {
  tag: "@nightly",
}, async ({ visit }) => {
  const page = await visit();
  await storeHeard(page, "Light");
  await getRow(page, 2).focus();
  await page.keyboard.press("p");
  await expect(getRow(page, 2)).toHaveAttribute("aria-current", "true");
  await page.keyboard.press("Space");
  await expect(getButton(page, "Play the sound")).toBeVisible();
  await expect(page.locator("[data-row][aria-current]")).toHaveCount(0);

  await getRow(page, 5).getByRole("button", { name: "Hear from here: 0:25" }).click();
  await expect(getRow(page, 5)).toHaveAttribute("aria-current", "true");
  await page.keyboard.press("Space");
  await expect(getButton(page, "Play the sound")).toBeVisible();

  await getSlider(page).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expect(getSlider(page)).toHaveAttribute("aria-valuetext", "0:05 of 0:40");
  await page.keyboard.press("p");
  await expect(getRow(page, 1)).toHaveAttribute("aria-current", "true");
  await getButton(page, "Speed: 1×").click();
  await page.getByRole("menuitemradio", { name: "1.25×" }).click();
  await getButton(page, "Speed: 1.25×").click();
  const skip = page.getByRole("menuitemcheckbox", { name: "Skip silence" });
  await skip.click();
  await getButton(page, "Speed: 1.25×").click();
  await expect(skip).toBeChecked();
  await page.keyboard.press("Escape");
  await getSlider(page).focus();
  await page.keyboard.press("End");
  await getSlider(page).click({ position: { x: 2, y: 10 } });
  await expect(getRow(page, 0)).toHaveAttribute("aria-current", "true");
  await getButton(page, "Pause the sound").click();

  await page.setViewportSize({ width: 390, height: 844 });
  expect(await findBarriers(page)).toEqual([]);
  const second = await getRow(page, 4).boundingBox();
  await getRow(page, 3).click();
  await expect(getButton(page, "Mark")).toBeVisible();
  expect(await getRow(page, 4).boundingBox()).toEqual(second);
  await page.getByRole("toolbar").getByRole("button", { name: "Play" }).click();
  await expect(getRow(page, 3)).toHaveAttribute("aria-current", "true");
  await getRow(page, 3).click();
  await expect(getButton(page, "Mark")).toBeHidden();
  await getSlider(page).focus();
  await page.keyboard.press("End");
  await getRow(page, 7).scrollIntoViewIfNeeded();
  await expect(getRow(page, 7)).toBeInViewport();
});

test("gives kept sound as it is kept, and as WAV for programs that open no Ogg", {
  tag: "@nightly",
}, async ({ visit }) => {
  const page = await visit();
  await storeHeard(page, "Light");
  async function download(name: RegExp) {
    await page.getByRole("button", { name: "Speed: 1×" }).click();
    const entry = page.getByRole("menuitem", { name });
    await expect(entry).toBeVisible();
    const [file] = await Promise.all([page.waitForEvent("download"), entry.click()]);
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
  }

  const ogg = await download(/Ogg \(Opus\)/);
  expect(ogg.name).toBe("Light.ogg");
  expect(ogg.bytes.toString("latin1", 0, 4)).toBe("OggS");

  const wav = await download(/WAV, for all programs/);
  expect(wav.name).toBe("Light.wav");
  expect(wav.bytes.toString("latin1", 8, 16)).toBe("WAVEfmt ");
  expect(wav.bytes.readUInt32LE(24)).toBe(16_000);
  expect(wav.bytes.readUInt32LE(40)).toBe(wav.bytes.length - 44);
  const samples = new Int16Array(wav.bytes.buffer.slice(wav.bytes.byteOffset + 44));
  expect(samples.length / 16_000).toBeGreaterThan(39.5);
  const heard = measureLoudness(Float32Array.from(samples, (sample) => sample / 32_768));
  const said = measureLoudness(createVoice(40_000, 16_000));
  expect(heard / said).toBeGreaterThan(0.7);
  expect(heard / said).toBeLessThan(1.4);
});

test("lists and deletes kept sound, also with its lecture", { tag: "@nightly" }, async ({
  visit,
}) => {
  const page = await visit();
  const { ids } = await storeHeard(page, "Light", "Optics", "Heat");
  await page.goto("/profile");
  const list = page.getByRole("region", { name: "Sound on this device" });
  await expect(list.getByRole("listitem")).toHaveCount(3);
  await expect(list.getByText(/^[0-9.]+ MB in all$/)).toBeVisible();
  await getButton(page, "Delete the sound of Light").click();
  const question = page.getByRole("alertdialog", { name: "Delete the sound?" });
  expect(await findBarriers(page)).toEqual([]);
  await question.getByRole("button", { name: "Delete" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(2);

  await callProcedure(page, "lectures.delete", { id: ids.at(-1) });
  await page.reload();
  await expect(list.getByText("Heat · in the trash")).toBeVisible();
  expect(await countTakes(page)).toBe(2);
  await page.goto("/trash");
  await getButton(page, "Delete Heat forever").click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete forever" }).click();
  await expect.poll(() => countTakes(page)).toBe(1);

  await page.goto("/profile");
  await getButton(page, "Delete all sound").click();
  await question.getByRole("button", { name: "Delete" }).click();
  await expect(list.getByText("No sound is kept on this device yet.")).toBeVisible();
  expect((await readStoredSound(page)).records).toEqual([]);
  await page.reload();
  await expect(list.getByText("No sound is kept on this device yet.")).toBeVisible();
  await expect(page.getByText("Kept sound is gone")).toBeHidden();
});

test("says once that the browser has deleted kept sound", { tag: "@nightly" }, async ({
  visit,
}) => {
  const page = await visit();
  const { ids } = await storeHeard(page, "Light");
  await page.goto("/trash");
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        indexedDB.deleteDatabase("dualect-takes").onsuccess = resolve;
      }),
  );
  await page.goto(`/?lecture=${ids[0]}`);
  await expectToast(page, "Kept sound is gone");
  await expect(getSlider(page)).toBeHidden();
  await page.goto("/profile");
  await expect(page.getByText("No sound is kept on this device yet.")).toBeVisible();
  await expect(page.getByText("Kept sound is gone")).toBeHidden();
});

test("keeps the sound of one user from the next one of the browser", { tag: "@nightly" }, async ({
  visit,
  expectConsoleErrors,
}) => {
  // The lecture is not the other user's.
  expectConsoleErrors(/status of 404/);
  const page = await visit();
  const { email, ids } = await storeHeard(page, "Light");
  const address = `/?lecture=${ids[0]}`;
  // What is kept stays on the disk, with its user's id, and the next user's page does not read it.
  await signOut(page, "Keep and sign out");
  const other = createAddress();
  await callProcedure(page, "auth.signUp", { email: other, password });
  await page.goto("/profile");
  await expect(page.getByText("No sound is kept on this device yet.")).toBeVisible();
  const kept = await readStoredSound(page);
  expect(kept.records.length).toBeGreaterThan(sound.length);
  expect(new Set(kept.records.flatMap(({ userId }) => userId ?? []))).toHaveProperty("size", 1);
  await page.goto(address);
  await expect(getHeading(page, "Lecture Not Found")).toBeVisible();
  await expect(getSlider(page)).toBeHidden();
  await chooseAccountMenuItem(page, texts, texts.signOut);
  await page.waitForURL("/auth");

  await signIn(page, texts, email);
  await page.waitForURL("/");
  await page.goto("/profile");
  await expect(page.getByText("Light", { exact: true })).toBeVisible();
  await page.goto(address);
  await expect(getSlider(page)).toBeVisible();
  await signOut(page, "Delete and sign out");
  await signIn(page, texts, other);
  await page.waitForURL("/");
  expect(await readStoredSound(page)).toEqual({ records: [], files: [] });
});
