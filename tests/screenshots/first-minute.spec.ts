import { messages } from "#tests/e2e/support/interface.ts";
import { createRecording, enterAsGuest } from "#tests/e2e/support/journey.ts";
import { setLook } from "#tests/e2e/support/look.ts";
import { installMicrophone } from "#tests/e2e/support/microphone.ts";
import { expect, test } from "#tests/e2e/support/test.ts";
import {
  capture,
  captureEachWidth,
  captureReloaded,
  type GetMessage,
  looks,
  pressRecord,
  twoLooks,
} from "./shoot.ts";

/** The empty recording screen, the sample lecture, and what becomes of a guest's transcript. */

test("captures the empty page and the sample lecture", async ({ visit }) => {
  const page = await visit();
  await enterAsGuest(page);
  await capture(page, "record-first", "/record", looks, async (shown) => {
    await expect(shown.getByRole("figure")).toBeVisible();
    await expect(shown.locator("[data-introduction]")).toBeVisible();
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
    await pressRecord(shown);
    await expect(shown.getByText("word30").first()).toBeVisible({ timeout: 30_000 });
    await shown.keyboard.press("s");
    const save = shown.locator("[aria-keyshortcuts='Control+s']");
    await expect(save).toBeEnabled({ timeout: 15_000 });
    await shown.keyboard.press("Control+s");
    await expect(shown.getByRole("dialog")).toBeVisible({ timeout: 30_000 });
  });
});

test("captures the confirmation before a guest's words are discarded", async ({ visit }) => {
  const { wav, fixture } = await createRecording({ to: 4, wordsPerSentence: 4 });
  for (const { language, theme } of twoLooks) {
    const page = await visit({ wav });
    await enterAsGuest(page);
    const say: GetMessage = (key) => messages[language][key];
    await setLook(page, { language, theme });
    await page.goto("/record");
    await page.getByRole("button", { name: say("record.start"), exact: true }).click();
    await expect(page.getByText(fixture.words.at(-1)?.text ?? "").first()).toBeVisible({
      timeout: fixture.durationMs + 20_000,
    });
    await page.getByRole("button", { name: say("record.stop"), exact: true }).click();
    await page.getByRole("button", { name: say("sidebar.show") }).click();
    await page.getByRole("button", { name: say("sidebar.newLecture"), exact: true }).click();
    await expect(page.getByRole("alertdialog")).toBeVisible();
    await captureEachWidth(page, `guest-discard-${language}-${theme}`);
  }
});
