import {
  createSpeech,
  enterAsGuest,
  record,
  signUp,
  stopRecording,
} from "#tests/e2e/support/journey.ts";
import { installMicrophone } from "#tests/e2e/support/microphone.ts";
import { expect, test } from "#tests/e2e/support/test.ts";
import { getTranscript } from "#tests/e2e/support/transcript.ts";
import { capture, captureReloaded, twoLooks } from "./shoot.ts";

/** The offer of the demo voice, and its mark wherever its text is. */

const engines = { speech: { words: [], wordMs: 40, wordsPerSentence: 1, sessionMs: 1_000 } };

test("captures the offer", async ({ visit }) => {
  const page = await visit({ engines });
  await enterAsGuest(page);
  await captureReloaded(page, "demo-offer", "/record", async (shown) => {
    await expect(shown.locator("[aria-describedby=demo-offer]")).toBeVisible();
  });
});

test("captures the mark", async ({ visit }) => {
  const page = await visit();
  await installMicrophone(page.context(), createSpeech({ to: 60 }));
  await signUp(page, "/record");
  await record(page);
  await expect(getTranscript(page).locator("[data-row]").nth(2)).toBeVisible({ timeout: 60_000 });
  await stopRecording(page);
  const mark = page.getByRole("note");
  await expect(page).toHaveURL(/lecture=/);
  const { href } = new URL(page.url());
  await capture(page, "demo-recorded", href, twoLooks, async (shown) => {
    await expect(shown.getByRole("note")).toBeVisible();
  });
  const id = new URL(href).searchParams.get("lecture");
  await capture(page, "demo-stored", `/?lecture=${id}`, twoLooks, () => expect(mark).toBeVisible());
  await capture(page, "demo-home", "/", twoLooks, async (shown) => {
    await expect(shown.getByRole("article").first()).toBeVisible();
  });
  await capture(page, "demo-print", `/print?lecture=${id}`, twoLooks, () =>
    expect(mark).toBeVisible(),
  );
  // Chromium does not resize a window in full screen.
  await page.goto(`/?lecture=${id}`);
  await expect(mark).toBeVisible();
  await expect(page.locator("[data-overlay-toggle]").first()).toBeVisible();
  await page.keyboard.press("f");
  await expect(page.locator("[data-idle]")).toBeVisible({ timeout: 15_000 });
  await page.screenshot({ path: "screenshots/demo-full.png" });
});
