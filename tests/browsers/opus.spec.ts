import { getWaitingMs } from "#shared/recorded-take.ts";
import { createSpeech } from "#tests/e2e/support/journey.ts";
import { readElapsedMs } from "#tests/e2e/support/microphone.ts";
import {
  countSentSound,
  opusBytesPerSecond,
  readSentSound,
} from "#tests/e2e/support/sent-sound.ts";
import { until } from "./support/driver.ts";
import {
  button,
  controls,
  installSound,
  listTakes,
  signUp,
  waitUntilSaved,
} from "./support/journey.ts";
import { expect, test } from "./support/test.ts";

const lengthMs = 600_000;

// `chunk-encoder.test.ts` holds the check of packets every time.
test("sends Opus to the end of ten minutes, as few bytes as Chromium", {
  tag: "@nightly",
}, async ({ tab: page }) => {
  test.setTimeout(lengthMs + 300_000);
  const sound = createSpeech({ to: 60, wordsPerSentence: 5, sentencesPerSpeaker: 0 });
  await signUp(page, "/record");
  await page.waitFor(button("Record", controls));
  await page.call(countSentSound);
  await installSound(page, { ...sound, isEndless: true });
  await page.click(button("Record", controls));
  await until(
    "ten minutes have passed",
    async () => ((await page.call(readElapsedMs)) >= lengthMs ? true : undefined),
    lengthMs + 60_000,
  );
  await page.click(button("Stop", controls));
  await page.waitFor(button("Save", controls));
  await waitUntilSaved(page);
  const takes = await until("all sound is heard", async () => {
    const list = await page.call(listTakes);
    return list.length > 0 && list.every((take) => getWaitingMs(take) === 0) ? list : undefined;
  });
  expect(takes.map(({ codec }) => codec)).toEqual(["opus"]);
  const { bytes, codecs } = await page.call(readSentSound);
  expect([...new Set(codecs)]).toEqual(["opus"]);
  const capturedMs = takes.reduce((sum, take) => sum + take.capturedMs, 0);
  const perSecond = bytes / (capturedMs / 1_000);
  console.log(
    `${page.driver.version}: ${Math.round(perSecond)} bytes/s, ${capturedMs} ms captured`,
  );
  expect(perSecond / opusBytesPerSecond).toBeGreaterThan(0.9);
  expect(perSecond / opusBytesPerSecond).toBeLessThan(1.1);
});
