import type { Locator, Page } from "@playwright/test";
import {
  continueRecording,
  heard,
  record,
  recordingOf,
  signUp,
  stopAndSettle,
  toast,
} from "./support/journey.ts";
import { watchLeaks } from "./support/leaks.ts";
import { expect, test } from "./support/test.ts";
import { readRows, transcriptOf } from "./support/transcript.ts";

/** A room opens six sessions of the speech service a minute; the sound of a seventh would wait. */
const cycles = 6;

const sidebar = (page: Page) => page.getByRole("complementary");
const english = async (scope: Locator) => (await readRows(scope)).map((row) => row.english);

test("six times continue and stop: every sentence once, and nothing left open", async ({
  visit,
}) => {
  // The fake microphone begins its file anew with each capture: each cycle says the same sentence.
  const { wav, fixture } = await recordingOf({
    to: 1,
    wordsPerSentence: 1,
    leadInMs: 150,
    tailMs: 1_000,
  });
  const [spoken] = fixture.sentences;
  if (!spoken) throw new Error("the fixture says nothing");
  const page = await visit({ wav });
  const leaks = await watchLeaks(page);
  await signUp(page, "/record");
  const sentences = transcriptOf(page).locator('p[lang="en"]', { hasText: spoken.text });

  await record(page);
  await expect(sentences).toHaveCount(1, { timeout: 20_000 });
  expect(await leaks.liveTracks()).toBe(1);
  await stopAndSettle(page);
  const first = await leaks.holdings();
  expect(first).toMatchObject({ sockets: 0, liveTracks: 0, contexts: 0 });

  for (let cycle = 2; cycle <= cycles; cycle += 1) {
    await continueRecording(page);
    await expect(sentences).toHaveCount(cycle, { timeout: 20_000 });
    await stopAndSettle(page);
  }

  expect(await english(transcriptOf(page))).toEqual(Array(cycles).fill(spoken.text));
  expect(leaks.mostSockets()).toBe(1);
  // Toasts and the auto-save's delay run out by themselves.
  await expect
    .poll(() => leaks.holdings(), { timeout: 20_000 })
    .toMatchObject({ sockets: 0, liveTracks: 0, contexts: 0, worklets: first.worklets });
  await expect
    .poll(async () => (await leaks.holdings()).timers, { timeout: 20_000 })
    .toBeLessThanOrEqual(first.timers);
  await page.reload();
  await expect.poll(() => english(transcriptOf(page))).toEqual(Array(cycles).fill(spoken.text));
});

test("another lecture in the middle of a sentence: what was said stays, in its lecture", async ({
  visit,
}) => {
  const { wav, fixture } = await recordingOf({ to: 14, wordsPerSentence: 7 });
  const words = fixture.words.map(({ text }) => text);
  const page = await visit({ wav });
  const leaks = await watchLeaks(page);
  await signUp(page, "/record");
  await record(page);
  await heard(page, words[0] ?? "", fixture.durationMs);
  await stopAndSettle(page);
  const before = await english(transcriptOf(page));

  await sidebar(page).getByRole("button", { name: "New Lecture" }).click();
  await expect(toast(page, "New Lecture Created")).toBeVisible();
  await record(page);
  await heard(page, words.slice(7, 9).join(" "), fixture.durationMs);
  await expect(page).toHaveURL(/lecture=/);
  const second = page.url();
  await sidebar(page).getByRole("treeitem", { level: 2 }).nth(1).click();
  await expect(toast(page, "Recording Stopped")).toBeVisible({ timeout: 20_000 });
  await expect.poll(() => english(transcriptOf(page))).toEqual(before);
  await expect
    .poll(() => leaks.holdings(), { timeout: 20_000 })
    .toMatchObject({ sockets: 0, liveTracks: 0, contexts: 0 });
  expect(leaks.mostSockets()).toBe(1);

  await page.goto(second);
  await expect.poll(() => english(transcriptOf(page))).not.toEqual(before);
  const said = (await english(transcriptOf(page))).join(" ");
  expect(words.join(" ").startsWith(said)).toBe(true);
  expect(said).toContain(words.slice(7, 9).join(" "));
});
