import type { Page } from "@playwright/test";
import { findBarriers } from "./support/axe.ts";
import { createSpeech, signUp } from "./support/journey.ts";
import {
  chooseMediaFiles,
  expectSpeech,
  findBox,
  getFileCard,
  type MadeFile,
  makeMediaFile,
  prepareMediaFiles,
  readRecognized,
} from "./support/media-files.ts";
import { expect, test } from "./support/test.ts";

/** Sound and video files become lectures. The stand-in hears the numbered words in their sound. */

const plan = { wordsPerSentence: 4, sentencesPerSpeaker: 2, to: 24, sampleRate: 48_000 };

async function start(page: Page, files: readonly MadeFile[]): Promise<void> {
  const dialog = await chooseMediaFiles(page, [...files]);
  await dialog.getByRole("button", { name: /^Start/ }).click();
  await expect(dialog).toBeHidden();
}

test("makes lectures of five kinds of files, with every word once and at its time", {
  tag: "@core",
}, async ({ visit }) => {
  const page = await visit();
  await signUp(page);
  await prepareMediaFiles(page);
  const speech = createSpeech(plan);
  const make = (name: string, format: string, codec: string, more = {}) =>
    makeMediaFile(page, name, speech, { format, codec, ...more });
  const files = [
    await make("wave.wav", "WavOutputFormat", "pcm-s16", { channels: 2 }),
    await make("ogg.ogg", "OggOutputFormat", "opus", { bitrate: 32_000 }),
    await make("film.webm", "WebMOutputFormat", "opus", {
      bitrate: 96_000,
      channels: 2,
      hasVideo: true,
    }),
    await make("movie.mp4", "Mp4OutputFormat", "opus", { bitrate: 48_000 }),
    await make("matroska.mkv", "MkvOutputFormat", "pcm-s16"),
  ];
  await start(page, files);
  await expect(getFileCard(page).getByText("Recognized and saved")).toHaveCount(5, {
    timeout: 90_000,
  });
  for (const { name } of files) {
    const { entries, usedTime } = await readRecognized(page, name.split(".")[0] ?? "");
    expectSpeech(entries, speech);
    // Charged by its sound, once.
    expect(Math.abs(usedTime - speech.durationMs / 1_000)).toBeLessThan(2);
  }
  expect(await findBarriers(page)).toEqual([]);
  await getFileCard(page).getByRole("button", { name: "Remove wave.wav from this list" }).click();
  await expect(getFileCard(page).getByText("wave.wav")).toHaveCount(0);
});

// `media-queue.test.ts` and `read-sound.test.ts` hold it every time.
test("goes on with a file whose page was closed while it was read, and says what is wrong with others", {
  tag: "@nightly",
}, async ({ visit, expectConsoleErrors }) => {
  expectConsoleErrors(/.*/);
  const page = await visit();
  await signUp(page);
  await prepareMediaFiles(page);
  const speech = createSpeech(plan);
  const file = await makeMediaFile(page, "talk.wav", speech, {
    format: "WavOutputFormat",
    codec: "pcm-s16",
  });
  const mp4 = await makeMediaFile(page, "cut.mp4", speech, {
    format: "Mp4OutputFormat",
    codec: "opus",
    bitrate: 32_000,
  });
  const silent = await makeMediaFile(page, "picture.webm", speech, {
    format: "WebMOutputFormat",
    codec: "opus",
    hasVideo: true,
    hasSound: false,
  });
  const locked = Buffer.from(mp4.buffer);
  locked.write("enca", findBox(locked, "Opus"), "latin1");
  const dialog = await chooseMediaFiles(page, [
    { ...mp4, buffer: mp4.buffer.subarray(0, findBox(mp4.buffer, "moov") - 4) },
    {
      name: "package.mp3",
      mimeType: "",
      buffer: Buffer.from(`PK\x03\x04${"zip".repeat(400)}`, "latin1"),
    },
    silent,
    { name: "nothing.m4a", mimeType: "", buffer: Buffer.alloc(0) },
    { name: "locked.mp4", mimeType: "", buffer: locked },
  ]);
  for (const message of [
    "The file is damaged or incomplete.",
    "This is no sound or video file, whatever its name says.",
    "This video has no sound.",
    "The file is empty (0 bytes).",
    "The file is protected (DRM), so it cannot be read.",
  ])
    await expect(dialog.getByText(message)).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Start" })).toBeDisabled();
  await page.keyboard.press("Escape");

  // The page is closed when the beginning of the file is stored.
  await holdStorageFrom(page, 20);
  await start(page, [file]);
  await page.waitForFunction(() => Reflect.get(globalThis, "isHeld") === true);
  await page.reload();
  const card = getFileCard(page);
  await expect(card.getByText(/^Reading stopped at 0:\d\d of 0:\d\d/)).toBeVisible();
  const again = card.getByLabel("Choose the file again");
  await again.setInputFiles(mp4);
  await expect(card.getByText("This is another file.", { exact: false })).toBeVisible();
  await again.setInputFiles(file);
  await expect(card.getByText("Recognized and saved")).toBeVisible({ timeout: 60_000 });
  const { entries, usedTime } = await readRecognized(page, "talk");
  expectSpeech(entries, speech);
  expect(Math.abs(usedTime - speech.durationMs / 1_000)).toBeLessThan(2);
});

/** Lets nothing more be stored once a take has `chunks` chunks, until the page is left. */
const holdStorageFrom = (page: Page, chunks: number) =>
  page.evaluate((chunks) => {
    // The page creates it with the first file.
    const find = async () => {
      const found = await indexedDB.databases();
      if (!found.some(({ name }) => name === "dualect-takes")) return void setTimeout(find, 5);
      const opening = indexedDB.open("dualect-takes");
      opening.onsuccess = () => watch(opening.result);
    };
    const watch = (database: IDBDatabase) => {
      const transaction = database.transaction(["takes", "chunks", "levels"], "readwrite");
      const takes = transaction.objectStore("takes");
      let isHeld = false;
      const hold = () => {
        takes.get("none").onsuccess = hold;
      };
      takes.getAll().onsuccess = ({ target }) => {
        const { result } = target as IDBRequest<{ nextSeq: number }[]>;
        isHeld = result.some(({ nextSeq }) => nextSeq >= chunks);
        if (!isHeld) return;
        Reflect.set(globalThis, "isHeld", true);
        hold();
      };
      transaction.oncomplete = () => {
        if (!isHeld) watch(database);
      };
    };
    void find();
  }, chunks);
