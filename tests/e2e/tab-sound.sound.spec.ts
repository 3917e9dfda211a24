import { expect, type Page } from "@playwright/test";
import { createNoise } from "#tests/fixtures/voice.ts";
import { encodePcm16 } from "#tests/fixtures/wav.ts";
import {
  createSpeech,
  openRecordingSettings,
  record,
  signUp,
  stopRecording,
  waitForTranscriptText,
} from "./support/journey.ts";
import { installMicrophone } from "./support/microphone.ts";
import { test } from "./support/test.ts";
import { getTranscript, readRows } from "./support/transcript.ts";

const title = "A course in another tab";
const sampleRate = 16_000;

/** A tab of the same browser, which plays `samples` when the returned function is called. */
async function openTab(page: Page, samples: Float32Array) {
  const tab = await page.context().newPage();
  const pcm = Buffer.from(encodePcm16(samples)).toString("base64");
  await tab.evaluate((name) => {
    document.title = name;
  }, title);
  await page.bringToFront();
  const play = () =>
    tab.evaluate(
      ([pcm, sampleRate]) => {
        const values = new Int16Array(
          Uint8Array.from(atob(pcm), (char) => char.charCodeAt(0)).buffer,
        );
        const context = new AudioContext();
        const buffer = new AudioBuffer({ length: values.length, sampleRate });
        buffer.copyToChannel(
          Float32Array.from(values, (value) => value / 0x7fff),
          0,
        );
        const player = new AudioBufferSourceNode(context, { buffer });
        player.connect(context.destination);
        player.start();
      },
      [pcm, sampleRate] as const,
    );
  return { tab, play };
}

async function chooseSound(page: Page, name: string) {
  const settings = await openRecordingSettings(page);
  await settings.getByRole("radio", { name }).check();
  return settings;
}

const readText = async (page: Page) =>
  (await readRows(getTranscript(page))).map(({ original }) => original).join(" ");

// Chromium logs that for the picture that is asked for, and shares the tab all the same.
test.beforeEach(({ expectConsoleErrors }) =>
  expectConsoleErrors(/Permissions policy violation: camera/),
);

// `source-mixer.test.ts`, `display-stream.test.ts` and `session-start.test.ts` hold it every time.
test("records a tab, says that it was closed, and goes on with another one", {
  tag: "@nightly",
}, async ({ visit }) => {
  const page = await visit({ sharedTab: title });
  await signUp(page, "/record");
  await chooseSound(page, "Tab or screen sound");
  await page.keyboard.press("Escape");
  await expect(page.getByText("The sound of a tab or a screen is recorded.")).toBeVisible();

  const plan = { wordsPerSentence: 4, sentencesPerSpeaker: 0 };
  const speech = createSpeech({ ...plan, to: 16 });
  const first = await openTab(page, speech.samples);
  await record(page);
  await expect(page.getByText("Recording...", { exact: true })).toBeVisible();
  await first.play();
  const [, second] = speech.sentences;
  await waitForTranscriptText(page, second?.text ?? "", second?.endMs ?? 0);
  await first.tab.close();
  const alert = page.getByRole("alertdialog", { name: "The shared sound has ended" });
  await expect(alert).toBeVisible();
  await expect(page.getByText("Paused", { exact: true }).first()).toBeVisible();

  const rest = createSpeech({ ...plan, from: 21, to: 24 });
  const other = await openTab(page, rest.samples);
  await alert.getByRole("button", { name: "Choose again" }).click();
  await expect(page.getByText("Recording...", { exact: true })).toBeVisible();
  await other.play();
  const last = rest.sentences.at(-1)?.text ?? "";
  await waitForTranscriptText(page, last, rest.durationMs);
  await stopRecording(page);

  // Every word once and in order: those before the tab was closed, then those of the other one.
  const text = await readText(page);
  expect(text.endsWith(last)).toBe(true);
  const before = text.slice(0, -last.length).trim().replace(/\.$/, "");
  expect(before.length).toBeGreaterThanOrEqual((second?.text ?? "").length);
  const spoken = speech.sentences.map((sentence) => sentence.text).join(" ");
  expect(spoken.startsWith(before)).toBe(true);
  await expect(getTranscript(page).getByText(/the source of the sound was gone/)).toBeVisible();
});

test("records a microphone and a tab, tells them apart, and goes on without the tab", async ({
  visit,
}) => {
  const page = await visit({ sharedTab: title });
  const plan = { wordsPerSentence: 4, sentencesPerSpeaker: 0 };
  const person = createSpeech({ ...plan, to: 8, tailMs: 120_000 });
  const noise = createNoise(person.durationMs, sampleRate, 0.001);
  const samples = person.samples.map((sample, at) => sample + (noise[at] ?? 0));
  await installMicrophone(page.context(), { samples });
  await signUp(page, "/record");
  const settings = await chooseSound(page, "Microphone and tab");
  await settings.getByRole("switch", { name: "Speaker Diarization" }).uncheck();
  await page.keyboard.press("Escape");

  const speech = createSpeech({ ...plan, from: 9, to: 16 });
  const { tab, play } = await openTab(page, speech.samples);
  await record(page);
  const spoken = person.sentences.at(-1)?.text ?? "";
  await waitForTranscriptText(page, spoken, 10_000);
  await expect(page.locator("[data-source]")).toHaveCount(2);
  await play();
  const last = speech.sentences.at(-1)?.text ?? "";
  await waitForTranscriptText(page, last, speech.durationMs);
  await tab.close();
  const notice = page.locator("[data-message]");
  await expect(notice).toContainText("The shared sound has ended.");
  await expect(notice).toContainText("The microphone is still recorded.");
  await stopRecording(page);

  const expected = [...person.sentences, ...speech.sentences].map(({ text }) => text).join(" ");
  const text = await readText(page);
  expect(text.replaceAll(/\[(Microphone|Tab)\] ?/g, "")).toBe(expected);
  expect(text.match(/\[\w+\]/g)).toEqual(["[Microphone]", "[Tab]"]);
});
