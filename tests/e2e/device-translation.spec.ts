import { availableParallelism } from "node:os";
import type { Page } from "@playwright/test";
import { createTinySpeechModel } from "#tests/fixtures/speech-model/tiny-speech-model.ts";
import { createTinyTranslationModel } from "#tests/fixtures/translation-model/tiny-translation-model.ts";
import {
  createSpeech,
  expectSaved,
  openRecordingSettings,
  record,
  signUp,
  stopRecording,
} from "./support/journey.ts";
import { installMicrophone } from "./support/microphone.ts";
import { hubHosts, startModelHub } from "./support/model-hub.ts";
import { startSite } from "./support/site.ts";
import { listEntries } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript, readRows } from "./support/transcript.ts";

/**
 * A browser without engines of its own, and a site without services: models on this device hear and translate, also
 * without a network. The models have no weights and read the test pattern.
 */

const fixture = createSpeech({ to: 20, wordsPerSentence: 5, sentencesPerSpeaker: 0 });
const translations = fixture.sentences.map((_, sentence) =>
  Array.from({ length: 5 }, (_, word) => `s${5 * sentence + word + 1}`).join(" "),
);

/** The document is isolated from other origins, and a speech model's encoder has a second thread. */
async function expectThreads(page: Page): Promise<void> {
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  const countThreads = () =>
    page.workers().filter((worker) => /\/ort\.wasm.*\.mjs$/.test(worker.url())).length;
  // That of a model which was open before may be about to end.
  await expect.poll(countThreads).toBe(availableParallelism() > 1 ? 1 : 0);
}

const readTranslations = async (page: Page) =>
  (await readRows(getTranscript(page))).map(({ translated }) => translated?.replace(/\W+$/u, ""));

test("recognises and translates with downloaded models, in all tabs, and without a network", {
  tag: "@nightly",
}, async ({ visit, expectConsoleErrors }) => {
  expectConsoleErrors(/net::ERR_|^TRPCClientError|WebSocket/);
  const hub = await startModelHub(
    createTinySpeechModel({ wordCount: 40 }).contents,
    createTinyTranslationModel().contents,
  );
  // No demo, unless somebody chooses it.
  const site = await startSite({ env: { SPEECH: "" } });
  const page = await visit({
    site,
    engines: {},
    hosts: { names: hubHosts, port: hub.port },
    serviceWorker: true,
  });
  await installMicrophone(page.context(), fixture);
  // A page that does not know the site yet records with its service.
  const answer = page.waitForResponse((response) => response.url().includes("site.info"));
  await signUp(page, "/record");
  await answer;
  // The service worker stores the engines' files once it is there; models of a usual size take longer to come.
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const second = await page.context().newPage();
  const pairRequests = () => hub.requests.filter((name) => name.startsWith("Xenova/"));
  const help = page.getByRole("status").filter({ hasText: "can translate." });

  await test.step("hears with a model that is downloaded while it records", async () => {
    await record(page);
    const problem = page.getByRole("region", { name: "Speech recognition" });
    await expect(problem).toContainText("This device has no speech model yet.");
    await problem.getByRole("button", { name: "See what can" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Download: Whisper tiny" }).click();
    await expect(problem).toBeHidden({ timeout: 30_000 });
    await expect(page.locator('[data-row="0"]')).toContainText("one two three four five.", {
      timeout: 30_000,
    });
    await expectThreads(page);
  });

  await test.step("says once that nothing translates, and offers a model by its size", async () => {
    await expect(help).toHaveText(
      "Neither this browser nor this site can translate. Translate on this device: 120 MB Settings",
    );
    await expect(page.locator(".animate-breathe")).toHaveCount(0);
    expect(pairRequests()).toEqual([]);
  });

  await test.step("translates the rows that wait, and later ones", async () => {
    await second.goto("/record");
    await openRecordingSettings(second);
    const choice = second
      .getByRole("group", { name: "Who translates and summarizes?" })
      .getByRole("radio", { name: "This device" });
    await expect(choice).toBeDisabled();

    await page.getByRole("button", { name: "Translate on this device: 120 MB" }).click();
    await expect(page.locator('[data-row="0"]')).toContainText("s1 s2 s3 s4 s5", {
      timeout: 30_000,
    });
    await expect(help).toBeHidden();
    await expect(choice).toBeEnabled();
    await second.close();
    await expect(getTranscript(page)).toContainText("nineteen twenty", {
      timeout: fixture.durationMs + 30_000,
    });
    await stopRecording(page);
    await expect.poll(() => readTranslations(page), { timeout: 30_000 }).toEqual(translations);
  });

  await test.step("stores each sentence with the time at which it began", async () => {
    await expectSaved(page);
    const entries = await listEntries(page, new URL(page.url()).searchParams.get("lecture") ?? "");
    expect(entries.map(({ original }) => original)).toEqual(
      fixture.sentences.map(({ text }) => text),
    );
    for (const [index, { startMs }] of entries.entries())
      expect(Math.abs(startMs - (fixture.sentences[index]?.startMs ?? 0))).toBeLessThan(300);
  });

  await test.step("does the same without a network", async () => {
    await hub.close();
    await page.context().setOffline(true);
    await page.goto("/record");
    await record(page);
    await expect(page.locator('[data-row="1"]')).toContainText("s6 s7 s8 s9 s10", {
      timeout: 60_000,
    });
    await expectThreads(page);
    // Row 1 may have shown a preview until now.
    await expect
      .poll(async () => (await readTranslations(page)).slice(0, 2))
      .toEqual(translations.slice(0, 2));
  });
  await site.close();
});
