import { findBarriers } from "./support/axe.ts";
import { createRecording, enterAsGuest, record, stopRecording } from "./support/journey.ts";
import { answerAlert } from "./support/messages.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript, readRows } from "./support/transcript.ts";

/**
 * Chromium's own engines, which have no network here: the recognition ends with `network`, and a
 * translator is never created. Nothing that is said is expected, so a busy machine may drop samples.
 */
test("tells that Chromium's engines do not work, and writes nothing", {
  tag: "@nightly",
}, async ({ visit }) => {
  const { wav } = await createRecording({ to: 30 });
  const page = await visit({ wav, engines: "real" });
  await enterAsGuest(page);
  const notice = page.getByRole("main").locator("aside");
  await expect(notice).toContainText("This browser's own speech recognition is used");
  await expect(notice).toContainText("one-time download");

  await test.step("a language pack that cannot be downloaded", async () => {
    await page.getByRole("button", { name: "Change", exact: true }).click();
    const settings = page.getByRole("dialog", { name: "Recording Settings" });
    await settings.getByRole("button", { name: "Recognize on this device" }).click();
    await expect(settings.getByText(/The download failed\./)).toBeVisible();
    await page.keyboard.press("Escape");
  });

  await record(page);
  const problem = page.getByRole("region", { name: "Speech recognition" });
  await expect(problem).toContainText("cannot reach its service", { timeout: 6_000 });
  await expect(problem).toContainText(/[2-9] seconds of sound wait/);
  await expect(notice).not.toContainText("own speech recognition is used");
  expect(await findBarriers(page)).toEqual([]);
  await stopRecording(page);
  await expect(problem).toContainText(/\d+ seconds of sound wait/);
  await expect(problem.getByRole("button", { name: "Try this browser again" })).toBeHidden();
  expect(await readRows(getTranscript(page))).toEqual([]);
});

test("tells that Chromium's engine finds no microphone of its own", { tag: "@nightly" }, async ({
  visit,
}) => {
  const { wav } = await createRecording({ to: 3 });
  // On Android the engine opens the microphone itself; Chromium's fake microphone is not one for it.
  const page = await visit({
    wav,
    engines: "real",
    userAgent: "Mozilla/5.0 (Linux; Android 15) Chrome",
  });
  await enterAsGuest(page);
  await record(page);
  await answerAlert(
    page,
    "No microphone found",
    "Connect a microphone or turn it on, then try again.",
    "Close",
  );
  await expect(page.getByText("Ready", { exact: true }).first()).toBeVisible();
});
