import { createRecording, enterAsGuest, record, stopRecording } from "./support/journey.ts";
import { answerAlert, expectToast } from "./support/messages.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript } from "./support/transcript.ts";

/**
 * Chromium's own engines, which have no network here: the recognition ends with `network`, and a
 * translator is never created. Nothing that is said is expected, so a busy machine may drop samples.
 */
test("tells that Chromium's engines do not work and goes on with the demo", {
  tag: "@nightly",
}, async ({ visit }) => {
  const { wav } = await createRecording({ to: 30 });
  const page = await visit({ wav, engines: "real" });
  await enterAsGuest(page);
  const notice = page.getByRole("main").locator("aside");
  await expect(notice).toContainText("This browser recognizes your speech");
  await expect(notice).toContainText("one-time download");

  await test.step("a language pack that cannot be downloaded", async () => {
    await page.getByRole("button", { name: "Change", exact: true }).click();
    const settings = page.getByRole("dialog", { name: "Recording Settings" });
    await settings.getByRole("button", { name: "Recognize on this device" }).click();
    await expect(settings.getByText(/The download failed\./)).toBeVisible();
    await page.keyboard.press("Escape");
  });

  await record(page);
  await expectToast(
    page,
    "This browser's speech recognition is not working",
    /A demo is used instead/,
  );
  await expect(notice).toContainText("your own words will not be transcribed.");
  await expect(notice).toContainText("This browser could not prepare Simplified Chinese.", {
    timeout: 30_000,
  });
  await expect(getTranscript(page).getByText("〔简体中文·演示〕").first()).toBeVisible();
  await stopRecording(page);
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
