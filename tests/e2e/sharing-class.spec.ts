import type { Page } from "@playwright/test";
import { formatDemoMark } from "#local/llm/demo.ts";
import { sampleWords } from "#local/soniox/sample-words.ts";
import { captureSampleRate } from "#shared/limits.ts";
import { createNoise } from "#tests/fixtures/voice.ts";
import { expectSaved, record, shareLive, signUp, stopRecording } from "./support/journey.ts";
import { callProcedure } from "./support/library.ts";
import { installMicrophone } from "./support/microphone.ts";
import { matchCalls } from "./support/procedures.ts";
import type { Site } from "./support/site.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript, readRows } from "./support/transcript.ts";

/** A class: one page records, four read along on phones. */

/** Noise and a pause at 16 kHz; repeated, it is a voice, which the stand-in hears as the sample lecture. */
function createSyllable(): Float32Array {
  const samples = new Float32Array(0.48 * captureSampleRate);
  samples.set(createNoise(420, captureSampleRate, 0.25));
  return samples;
}

const phone = { width: 390, height: 844 };
const breakSeconds = 10;

const shareDialog = (page: Page) => page.getByRole("dialog", { name: "Share this lecture" });

const expectReaders = (owner: Page, count: number) =>
  expect(owner.getByRole("button", { name: `Shared · ${count} reader` })).toBeVisible();

/** When the page of a reader was told that the share has ended, ms since the epoch. */
function watchEnd(reader: Page): { at: number | null } {
  const end: { at: number | null } = { at: null };
  reader.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => {
      if (String(payload).includes('"type":"closed"')) end.at = Date.now();
    }),
  );
  return end;
}

const readStatus = (reader: Page) => reader.locator("[data-live-status]").first();

async function chooseLanguage(reader: Page, name: string): Promise<void> {
  await reader.getByRole("combobox", { name: "Language to read in" }).click();
  await reader.getByRole("option", { name }).click();
}

const readTexts = async (page: Page) =>
  (await readRows(getTranscript(page))).map(({ original, translated }) => [original, translated]);
const readOriginal = async (page: Page) =>
  (await readRows(getTranscript(page))).map(({ original }) => original);

async function readRecordedSeconds(owner: Page): Promise<number> {
  const [minutes = 0, seconds = 0] = ((await owner.getByTitle("Recorded time").textContent()) ?? "")
    .replace(/[^\d:]/g, "")
    .split(":")
    .map(Number);
  return minutes * 60 + seconds;
}

/** The sentences that the page itself has asked the model to translate. */
function watchTranslations(owner: Page): string[] {
  const texts: string[] = [];
  owner.on("request", (request) => {
    if (!matchCalls("ai.translate").test(request.url())) return;
    for (const input of Object.values(request.postDataJSON() as Record<string, { text?: string }>))
      if (input?.text) texts.push(input.text);
  });
  return texts;
}

async function listModelCalls(site: Site, sentence: string): Promise<string[]> {
  const url = `${site.stackUrl}/llm/open?match=${encodeURIComponent(sentence)}`;
  return ((await (await fetch(url)).json()) as { languages: string[] }).languages;
}

// `sharing/room/simulation.test.ts` and `sharing/share-room.test.ts` hold it every time.
test("a class reads along, each in their language, every sentence once", {
  tag: "@nightly",
}, async ({ visit, site, expectConsoleErrors }) => {
  test.setTimeout(300_000);
  expectConsoleErrors(/ERR_INTERNET_DISCONNECTED/);
  const owner = await visit();
  await installMicrophone(owner.context(), { samples: createSyllable(), isEndless: true });
  await signUp(owner, "/record");
  await callProcedure(owner, "subscriptions.simulatePayment", { tier: "pro" });
  const requested = watchTranslations(owner);

  const link = await shareLive(owner);
  const open = async (language: string) => {
    const reader = await visit({ viewport: phone });
    const end = watchEnd(reader);
    await reader.goto(link);
    await chooseLanguage(reader, language);
    return { reader, end };
  };
  const anna = await open("French");
  const ben = await open("German");
  const chen = await open("French");
  await expectReaders(owner, 3);
  await expect(readStatus(anna.reader)).toHaveAttribute("data-live-status", "waiting");

  await record(owner);
  await expect(readStatus(anna.reader)).toHaveAttribute("data-live-status", "live");
  const countRows = async () => (await readOriginal(anna.reader)).length;
  await expect.poll(countRows, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
  const [original = ""] = await readOriginal(anna.reader);

  await chooseLanguage(chen.reader, "German");
  await ben.reader.context().setOffline(true);
  await expect(readStatus(ben.reader)).toHaveAttribute("data-live-status", "lost");
  const lostAt = await readRecordedSeconds(owner);

  // Meanwhile a correction, and a reader who joins late.
  const corrected = "Welcome back to the second half of thermodynamics.";
  await owner.locator('[data-row="0"]').focus();
  await owner.keyboard.press("Enter");
  await owner.getByRole("textbox", { name: "English" }).fill(corrected);
  await owner.getByRole("textbox", { name: "English" }).press("Control+Enter");
  const dora = await open("Simplified Chinese");
  await expect.poll(async () => (await readOriginal(dora.reader))[0]).toBe(corrected);
  await expect.poll(async () => (await readOriginal(anna.reader))[0]).toBe(corrected);
  await expect
    .poll(() => readRecordedSeconds(owner), { timeout: 60_000 })
    .toBeGreaterThanOrEqual(lostAt + breakSeconds);
  expect((await readOriginal(ben.reader))[0]).toBe(original);
  await ben.reader.context().setOffline(false);
  await expect(readStatus(ben.reader)).toHaveAttribute("data-live-status", "live");
  await expectReaders(owner, 4);
  // The late one follows as well, also in a window that has become smaller.
  await dora.reader.setViewportSize({ width: 390, height: 420 });
  await expect(dora.reader.locator("[data-row], [data-live-line]").last()).toBeInViewport();
  await expect(dora.reader.locator('[data-row="0"]')).not.toBeInViewport();

  await stopRecording(owner);
  await expectSaved(owner);
  await expect(readStatus(anna.reader)).toHaveAttribute("data-live-status", "paused");
  const expected = await readTexts(owner);
  const sentences = expected.map(([original]) => original ?? "");
  // What was spoken, from its beginning, without a gap or a repeat.
  const spoken = [original, ...sentences.slice(1)].join(" ");
  const lecture = sampleWords.map(({ text }) => text).join(" ");
  expect(sentences.length).toBeGreaterThan(3);
  expect(lecture.slice(0, spoken.length)).toBe(spoken);
  const inLanguage = (name: string) =>
    sentences.map((original) => [original, `${formatDemoMark(name)} ${original}`]);
  await expect.poll(() => readTexts(anna.reader)).toEqual(inLanguage("French"));
  await expect.poll(() => readTexts(ben.reader)).toEqual(inLanguage("German"));
  await expect.poll(() => readTexts(chen.reader)).toEqual(inLanguage("German"));
  await expect.poll(() => readTexts(dora.reader)).toEqual(expected);

  for (const sentence of [original, ...sentences]) {
    // The title is proposed in English.
    const calls = (await listModelCalls(site, sentence)).filter((name) => name !== "English");
    const byPage = requested.filter((text) => text.includes(sentence)).length;
    expect(calls.toSorted(), sentence).toEqual([
      "French",
      "German",
      ...Array.from({ length: byPage }, () => "Simplified Chinese"),
    ]);
  }

  await owner.getByRole("button", { name: "Shared · 4 readers" }).click();
  const request = owner.waitForRequest(matchCalls("shares.end"));
  await shareDialog(owner).getByRole("button", { name: "Stop sharing" }).click();
  await request;
  const stoppedAt = Date.now();
  for (const { reader, end } of [anna, ben, chen, dora]) {
    await expect(readStatus(reader)).toHaveAttribute("data-live-status", "closed");
    expect((end.at ?? Number.POSITIVE_INFINITY) - stoppedAt).toBeLessThan(1_000);
  }
  await anna.reader.reload();
  await expect(anna.reader.getByText("Sharing has ended")).toBeVisible();
});
