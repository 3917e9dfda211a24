import { createRecording, enterAsGuest, record, stopRecording } from "./support/journey.ts";
import { expectToast } from "./support/messages.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript } from "./support/transcript.ts";

/**
 * Chromium's own engines, which have no network here: the recognition ends with `network`, and a
 * translator is never created.
 */
test("tells that Chromium's engines do not work and goes on with the demo", async ({ visit }) => {
  const { wav } = await createRecording({ to: 30 });
  const page = await visit({ wav, engines: "real" });
  await enterAsGuest(page);
  const notice = page.getByRole("main").locator("aside");
  await expect(notice).toContainText("Your speech is recognised by this browser");
  await expect(notice).toContainText("one-time download");
  await record(page);
  await expectToast(page, "This browser's recognition does not work", /A demo takes its place/);
  await expect(notice).toContainText("Your own words will not be transcribed.");
  await expect(notice).toContainText("This browser could not prepare Simplified Chinese.", {
    timeout: 30_000,
  });
  await expect(getTranscript(page).getByText("〔简体中文·演示〕").first()).toBeVisible();
  await stopRecording(page);
});
