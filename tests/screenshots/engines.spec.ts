import { setRemainingSeconds } from "#tests/e2e/support/billing.ts";
import type { FakeEngines } from "#tests/e2e/support/browser-engines.ts";
import { createSpeech, enterAsGuest, signUp } from "#tests/e2e/support/journey.ts";
import { installMicrophone } from "#tests/e2e/support/microphone.ts";
import { type Site, startSite } from "#tests/e2e/support/site.ts";
import { expect, test } from "#tests/e2e/support/test.ts";
import { captureReloaded, chooseFromLectureMenu, pressRecord } from "./shoot.ts";

/** The choice of engines: before and during a recording, and after the hours are used up. */

const sentence =
  "so the second law says that the entropy of an isolated system never falls and that is why";
const speech = {
  words: Array.from({ length: 12 }, () => sentence)
    .join(" ")
    .split(" "),
  wordMs: 20,
  wordsPerSentence: 18,
  sessionMs: 60_000,
};
const engines: FakeEngines = { speech, translator: { downloadMs: 200 } };

test("captures the first run without a key", async ({ visit }) => {
  const withEngines = await visit({ engines });
  await enterAsGuest(withEngines);
  await captureReloaded(withEngines, "engines-first-run", "/record", async (page) => {
    await expect(page.locator("[data-introduction]")).toBeVisible();
  });
  const without = await visit();
  await enterAsGuest(without);
  await captureReloaded(without, "engines-none", "/record", async (page) => {
    await expect(page.locator("[data-introduction]")).toBeVisible();
  });
});

/** The site's model is asked first, also by a guest whom it does not know yet. */
const unknownGuest = /ai\.translate/;

test("captures a recording with the browser's engines", async ({ visit, expectConsoleErrors }) => {
  expectConsoleErrors(unknownGuest);
  const page = await visit({ engines });
  await installMicrophone(page.context());
  await enterAsGuest(page);
  await captureReloaded(page, "engines-recording", "/record", async (shown) => {
    await pressRecord(shown);
    await expect(shown.getByText(sentence).nth(3)).toBeVisible({ timeout: 30_000 });
  });
});

test("captures a download of the translator", async ({ visit, expectConsoleErrors }) => {
  expectConsoleErrors(unknownGuest);
  const page = await visit({ engines: { ...engines, translator: { downloadMs: 60_000 } } });
  await installMicrophone(page.context());
  await enterAsGuest(page);
  await captureReloaded(page, "engines-download", "/record", async (shown) => {
    await pressRecord(shown);
    await expect(shown.getByRole("main").getByText("25").first()).toBeVisible({ timeout: 30_000 });
  });
});

test("captures the choice of engines", async ({ visit }) => {
  const page = await visit({ engines });
  await enterAsGuest(page);
  await captureReloaded(page, "engines-settings", "/record", async (shown, getMessage) => {
    await chooseFromLectureMenu(shown, getMessage, "lecture.sound");
    await expect(shown.getByRole("dialog").getByRole("radio").first()).toBeVisible();
    await expect(shown.locator("[aria-busy=true]")).toHaveCount(0);
  });
});

test("captures the offer when the hours are used up", async ({ visit, site }) => {
  const page = await visit({ engines });
  await installMicrophone(page.context());
  await page.addInitScript(() => localStorage.setItem("speechEngine", "demo"));
  const email = await signUp(page);
  await setRemainingSeconds(site, email, 0);
  await captureReloaded(page, "engines-offer", "/record", async (shown, getMessage) => {
    const record = shown.getByRole("button", { name: getMessage("record.useBrowser") });
    await expect(record).toBeVisible();
  });
});

test.describe("what does not work", () => {
  /** A site whose demo somebody has to choose. */
  let site: Site;
  test.beforeAll(async () => {
    site = await startSite({ env: { SPEECH: "" } });
  });
  test.afterAll(() => site.close());
  const sound = createSpeech({ to: 60 });

  test("captures both engines failing after some words", async ({ visit, expectConsoleErrors }) => {
    expectConsoleErrors(/NetworkError/);
    const page = await visit({
      site,
      engines: {
        speech: { ...speech, error: "network", failsAfterMs: 3_000 },
        translator: { downloadMs: 0, fails: true },
      },
    });
    await installMicrophone(page.context(), { ...sound, isEndless: true });
    await enterAsGuest(page);
    await captureReloaded(page, "engines-failing", "/record", async (shown) => {
      await pressRecord(shown);
      await expect(shown.locator("[data-message]")).toBeVisible({ timeout: 30_000 });
    });
  });

  test("captures the demo voice where nothing translates", async ({ visit }) => {
    const page = await visit({ site });
    await installMicrophone(page.context(), { ...sound, isEndless: true });
    await enterAsGuest(page);
    await captureReloaded(page, "engines-demo", "/record", async (shown, getMessage) => {
      await shown.getByRole("button", { name: getMessage("engine.tryDemo") }).click();
      await expect(shown.locator("[data-row='2']")).toBeVisible({ timeout: 60_000 });
    });
  });

  test("captures a device without a model", async ({ visit }) => {
    const page = await visit({ site, engines: {} });
    await installMicrophone(page.context(), { ...sound, isEndless: true });
    await enterAsGuest(page);
    await captureReloaded(page, "engines-no-model", "/record", async (shown) => {
      await pressRecord(shown);
      const message = shown.locator("[data-message]");
      await expect(message).toBeVisible({ timeout: 30_000 });
      await message.getByRole("button").first().click();
      await expect(shown.getByRole("dialog").getByText("Whisper small").first()).toBeVisible();
    });
  });
});
