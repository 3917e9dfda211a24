import { writeFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { encodeWav } from "#tests/fixtures/wav.ts";
import { runSql } from "./support/accounts.ts";
import { createSpeech, expectSaved, record, signUp, stopRecording } from "./support/journey.ts";
import { query } from "./support/library.ts";
import {
  chooseMediaFiles,
  convertFile,
  expectSpeech,
  getFileCard,
  hasConverter,
  type MediaPlan,
  makeMediaFile,
  prepareMediaFiles,
  readRecognized,
} from "./support/media-files.ts";
import { installMicrophone } from "./support/microphone.ts";
import { type Site, startSite } from "./support/site.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript } from "./support/transcript.ts";

/** A file of twenty minutes in each container, recognised by two pages of which the first crashes. */

const plan = { wordsPerSentence: 4, sentencesPerSpeaker: 2 };
/** Sentences that are recorded live too. */
const liveSentences = 4;

/** Written by the page's own encoders. */
const ownKinds: Readonly<Record<string, MediaPlan>> = {
  "ogg.ogg": { format: "OggOutputFormat", codec: "opus", bitrate: 32_000 },
  "film.webm": {
    format: "WebMOutputFormat",
    codec: "opus",
    bitrate: 96_000,
    channels: 2,
    hasVideo: true,
  },
  "movie.mp4": { format: "Mp4OutputFormat", codec: "opus", bitrate: 48_000 },
  "matroska.mkv": { format: "MkvOutputFormat", codec: "pcm-s16" },
  "wave.wav": { format: "WavOutputFormat", codec: "pcm-s16" },
};

/** Written by FFmpeg, as most files that people have: sound at 44.1 kHz in stereo. */
const picture = ["-f", "lavfi", "-i", "color=black:s=64x64:r=5", "-shortest"];
const convertedKinds: Readonly<Record<string, readonly string[]>> = {
  "lesson.mp3": ["-c:a", "libmp3lame", "-b:a", "96k"],
  "lesson.flac": ["-c:a", "flac"],
  "lesson.mov": ["-c:a", "aac", "-b:a", "96k"],
  "lesson.mp4": [...picture, "-c:v", "mpeg4", "-c:a", "aac", "-b:a", "96k"],
};

/**
 * The room's pace, in times real time. The stand-in takes a hundred times, at which more is heard between two saves than the
 * room knows again after a crash.
 */
const pace = 10;

let site: Site;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  site = await startSite({ env: { SPEECH_PACE: String(pace) } });
  await runSql(site, "update plans set hours_per_month = $1 where tier = 'free'", ["1000"]);
});
test.afterAll(() => site.close());

/** The first sentences of the speech, as a live recording has them. */
async function recordLive(page: Page) {
  const speech = createSpeech({ ...plan, to: liveSentences * plan.wordsPerSentence });
  await installMicrophone(page.context(), speech);
  await signUp(page, "/record");
  await record(page);
  await expect(getTranscript(page).locator("[data-row]")).toHaveCount(liveSentences, {
    timeout: 300_000,
  });
  await stopRecording(page);
  await expectSaved(page);
  const { items } = await query(page, "lectures.list", { limit: 1 });
  return (await query(page, "lectures.get", { id: items[0].id })).entries;
}

for (const name of [...Object.keys(ownKinds), ...Object.keys(convertedKinds)])
  test(
    `recognises twenty minutes of ${name}, over a crash in the middle`,
    {
      tag: "@nightly",
    },
    async ({ visit }, info) => {
      const own = ownKinds[name];
      test.skip(!own && !hasConverter(), `${name} is written by FFmpeg, which is not installed`);
      test.setTimeout(1_800_000);
      const live = await recordLive(await visit({ site }));

      const page = await visit({ site });
      await signUp(page);
      const speech = createSpeech({ ...plan, to: 1_600 });
      expect(speech.durationMs).toBeGreaterThan(1_200_000);
      const path = info.outputPath(name);
      if (own) {
        await prepareMediaFiles(page);
        await writeFile(path, (await makeMediaFile(page, name, speech, own)).buffer);
      } else {
        const wav = info.outputPath("speech.wav");
        await writeFile(wav, encodeWav(speech.samples, speech.sampleRate));
        await convertFile(wav, path, [...(convertedKinds[name] ?? []), "-ar", "44100", "-ac", "2"]);
      }
      const dialog = await chooseMediaFiles(page, path);
      const since = performance.now();
      await dialog.getByRole("button", { name: /^Start/ }).click();
      await expect(getFileCard(page).getByText(/^Recognized: \d:\d\d of/)).toBeVisible({
        timeout: 600_000,
      });
      const readSeconds = (performance.now() - since) / 1_000;
      await expect(getFileCard(page).getByText(/^Recognized: 1\d:\d\d of/)).toBeVisible({
        timeout: 900_000,
      });
      const cdp = await page.context().newCDPSession(page);
      const crashed = page.waitForEvent("crash");
      cdp.send("Page.crash").catch(() => {});
      await crashed;
      const again = await page.context().newPage();
      await page.close();
      await again.goto("/");
      // The file leaves the list with its last words.
      await expect(getFileCard(again).getByText(/^Recognized/)).toBeVisible({ timeout: 60_000 });
      await expect(getFileCard(again).getByText("Recognized and saved")).toBeVisible({
        timeout: 1_500_000,
      });
      const seconds = (performance.now() - since) / 1_000;

      const { entries, usedTime } = await readRecognized(again, name.split(".")[0] ?? "");
      expectSpeech(entries, speech);
      for (const [index, { original, startMs, endMs }] of live.entries()) {
        const row = entries[index];
        expect(row?.original).toBe(original);
        expect(Math.abs((row?.startMs ?? 0) - startMs)).toBeLessThan(200);
        expect(Math.abs((row?.endMs ?? 0) - endMs)).toBeLessThan(200);
      }
      const countedAgain = usedTime - speech.durationMs / 1_000;
      expect(Math.abs(countedAgain)).toBeLessThan(2);
      const late = entries.map(({ startMs }, at) => startMs - (speech.sentences[at]?.startMs ?? 0));
      info.annotations.push({
        type: "figures",
        description: `read in ${readSeconds.toFixed(0)} s, all in ${seconds.toFixed(0)} s; rows begin ${Math.min(...late)} to ${Math.max(...late)} ms after the words; ${countedAgain.toFixed(1)} s counted again`,
      });
    },
  );
