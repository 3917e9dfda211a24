import { enterAsGuest } from "#tests/e2e/support/journey.ts";
import { installMicrophone } from "#tests/e2e/support/microphone.ts";
import { expect, test } from "#tests/e2e/support/test.ts";
import { capture, captureReloaded, looks } from "./shoot.ts";

/** The empty recording screen, the sample lecture, and the offer to keep a guest's transcript. */

test("captures the empty page and the sample lecture", async ({ visit }) => {
  const page = await visit();
  await enterAsGuest(page);
  await capture(page, "record-first", "/record", looks, async (shown) => {
    await expect(shown.getByRole("figure")).toBeVisible();
    await expect(shown.getByRole("main").locator("aside")).toBeVisible();
  });
  await capture(page, "record-sample", "/record", looks, async (shown, getMessage) => {
    await shown.getByRole("button", { name: getMessage("sample.play") }).click();
    const sentence = shown.getByText("Energy alone cannot answer that.");
    await expect(sentence).toBeVisible({ timeout: 60_000 });
  });
});

test("captures the offer to keep a guest's transcript", async ({ visit }) => {
  const words = Array.from({ length: 40 }, (_, index) => `word${index}`);
  const speech = { words, wordMs: 20, wordsPerSentence: 10, sessionMs: 60_000 };
  const page = await visit({ engines: { speech, translator: { downloadMs: 0 } } });
  await installMicrophone(page.context());
  await enterAsGuest(page);
  await captureReloaded(page, "record-keep", "/record", async (shown) => {
    await shown.keyboard.press("r");
    await expect(shown.getByText("word30").first()).toBeVisible({ timeout: 30_000 });
    await shown.keyboard.press("s");
    const save = shown.locator("[aria-keyshortcuts='Control+s']");
    await expect(save).toBeEnabled({ timeout: 15_000 });
    await shown.keyboard.press("Control+s");
    await expect(shown.getByRole("dialog")).toBeVisible({ timeout: 30_000 });
  });
});
