import { getWaitingMs } from "#shared/recorded-take.ts";
import { createSpeech } from "#tests/e2e/support/journey.ts";
import {
  commandMicrophone,
  endedGap,
  getUntoldMs,
  microphoneFaults,
  readElapsedMs,
  untoldMaxMs,
} from "#tests/e2e/support/microphone.ts";
import { until } from "./support/driver.ts";
import type { Target } from "./support/in-page.ts";
import {
  button,
  controls,
  installSound,
  listTakes,
  signUp,
  waitUntilSaved,
} from "./support/journey.ts";
import { expect, test } from "./support/test.ts";

// `tests/e2e/microphone-faults.spec.ts` does it in Chromium.
test("goes on by itself whatever takes the microphone, and tells each second that is missing", {
  tag: "@nightly",
}, async ({ tab: page }) => {
  const sound = createSpeech({ to: 60, wordsPerSentence: 3, sentencesPerSpeaker: 0 });
  await signUp(page, "/record");
  await page.waitFor(button("Record", controls));
  await installSound(page, { ...sound, isEndless: true });
  const rows = { css: "[data-row]" };
  const waitForMore = async (target: Target, before: number) => {
    await until(
      `more than ${before}: ${JSON.stringify(target)}`,
      async () => ((await page.count(target)) > before ? true : undefined),
      60_000,
    );
  };
  await page.click(button("Record", controls));
  await waitForMore(rows, 0);

  for (const { name, command, end } of microphoneFaults)
    await test.step(name, async () => {
      const before = await page.count(endedGap);
      await page.call(commandMicrophone, command);
      if (end !== null) {
        await page.waitFor({ css: "[data-message]" }, 60_000);
        await page.call(commandMicrophone, end);
      }
      await waitForMore(endedGap, before);
      await waitForMore(rows, await page.count(rows));
      await page.waitFor({ css: "p, span", text: "Recording..." });
    });

  const elapsedMs = await page.call(readElapsedMs);
  await page.click(button("Stop", controls));
  await page.waitFor(button("Save", controls));
  await waitUntilSaved(page);
  const takes = await until("all sound is heard", async () => {
    const list = await page.call(listTakes);
    return list.length > 0 && list.every((take) => getWaitingMs(take) === 0) ? list : undefined;
  });
  expect(takes).toHaveLength(1);
  expect(getUntoldMs(takes, elapsedMs)).toBeLessThan(untoldMaxMs);
  const reasons = takes.flatMap(({ gaps }) => gaps.map(({ reason }) => reason));
  expect(reasons.filter((reason) => reason === "notDelivered").length).toBeGreaterThanOrEqual(2);
  expect(reasons).toContain("disconnected");
  expect(await page.call(() => "wasResumedTooEarly" in window)).toBe(false);
});
