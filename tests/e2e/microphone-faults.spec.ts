import { getWaitingMs } from "#shared/recorded-take.ts";
import { createSpeech, expectSaved, record, signUp, stopRecording } from "./support/journey.ts";
import {
  commandMicrophone,
  endedGap,
  getUntoldMs,
  installMicrophone,
  microphoneFaults,
  readElapsedMs,
  untoldMaxMs,
} from "./support/microphone.ts";
import { listTakes } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript } from "./support/transcript.ts";

/** A microphone that stops giving. `tests/browsers/microphone-faults.spec.ts` does the same in other browsers. */

test("goes on by itself whatever takes the microphone, and tells each second that is missing", {
  tag: "@nightly",
}, async ({ visit }) => {
  const page = await visit();
  const sound = createSpeech({ to: 60, wordsPerSentence: 3, sentencesPerSpeaker: 0 });
  await installMicrophone(page.context(), { ...sound, isEndless: true });
  await signUp(page, "/record");
  const rows = getTranscript(page).locator("[data-row]");
  const waitForMore = async () => {
    const before = await rows.count();
    await expect.poll(() => rows.count(), { timeout: 60_000 }).toBeGreaterThan(before);
  };
  await record(page);
  await waitForMore();

  const gaps = page.locator(endedGap.css, { hasText: endedGap.text });
  for (const { name, command, end } of microphoneFaults)
    await test.step(name, async () => {
      const before = await gaps.count();
      await page.evaluate(commandMicrophone, command);
      if (end !== null) {
        await expect(page.locator("[data-message]").first()).toBeVisible({ timeout: 60_000 });
        await page.evaluate(commandMicrophone, end);
      }
      await expect.poll(() => gaps.count(), { timeout: 60_000 }).toBeGreaterThan(before);
      await waitForMore();
      await expect(page.getByText("Recording...", { exact: true }).first()).toBeVisible();
    });

  const elapsedMs = await page.evaluate(readElapsedMs);
  await stopRecording(page);
  await expectSaved(page);
  const id = new URL(page.url()).searchParams.get("lecture") ?? "";
  await expect.poll(async () => (await listTakes(page, id)).map(getWaitingMs)).toEqual([0]);
  const takes = await listTakes(page, id);
  expect(getUntoldMs(takes, elapsedMs)).toBeLessThan(untoldMaxMs);
  const reasons = takes.flatMap(({ gaps }) => gaps.map(({ reason }) => reason));
  expect(reasons.filter((reason) => reason === "notDelivered").length).toBeGreaterThanOrEqual(2);
  expect(reasons).toContain("disconnected");
  expect(await page.evaluate(() => "wasResumedTooEarly" in window)).toBe(false);
});
