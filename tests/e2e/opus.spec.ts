import { createSpeech, expectSaved, record, signUp, stopRecording } from "./support/journey.ts";
import { installMicrophone, readElapsedMs } from "./support/microphone.ts";
import { countSentSound, opusBytesPerSecond, readSentSound } from "./support/sent-sound.ts";
import { listTakes } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

const lengthMs = 600_000;

// The figure with which `tests/browsers/opus.spec.ts` compares other browsers.
test("sends Opus to the end of ten minutes", { tag: "@nightly" }, async ({ visit }) => {
  test.setTimeout(lengthMs + 300_000);
  const page = await visit();
  const sound = createSpeech({ to: 60, wordsPerSentence: 5, sentencesPerSpeaker: 0 });
  await installMicrophone(page.context(), { ...sound, isEndless: true });
  await page.addInitScript(countSentSound);
  await signUp(page, "/record");
  await record(page);
  await expect
    .poll(() => page.evaluate(readElapsedMs), { timeout: lengthMs + 60_000 })
    .toBeGreaterThanOrEqual(lengthMs);
  await stopRecording(page);
  await expectSaved(page);
  const id = new URL(page.url()).searchParams.get("lecture") ?? "";
  const takes = await listTakes(page, id);
  expect(takes.map(({ codec }) => codec)).toEqual(["opus"]);
  const { bytes, codecs } = await page.evaluate(readSentSound);
  expect([...new Set(codecs)]).toEqual(["opus"]);
  const capturedMs = takes.reduce((sum, take) => sum + take.capturedMs, 0);
  const perSecond = bytes / (capturedMs / 1_000);
  console.log(`Chromium: ${Math.round(perSecond)} bytes/s, ${capturedMs} ms captured`);
  expect(Math.abs(perSecond / opusBytesPerSecond - 1)).toBeLessThan(0.05);
});
