import type { Locator, Page } from "@playwright/test";
import {
  chooseLanguage,
  closeTextCard,
  createSpeech,
  expectLanguage,
  getToastTitle,
  openLectures,
  openTextCard,
  record,
  signUp,
  startNewLecture,
  stopRecording,
  waitForTranscriptText,
} from "./support/journey.ts";
import { watchLeaks } from "./support/leaks.ts";
import { expectToast } from "./support/messages.ts";
import { installMicrophone } from "./support/microphone.ts";
import { storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript, readRows } from "./support/transcript.ts";

/** Transitions and messages of the recording screen that need speech. */

const original = async (scope: Locator) => (await readRows(scope)).map((row) => row.original);

/** Language and direction of each row's translation. */
const readLanguages = (page: Page) =>
  getTranscript(page)
    .locator("[data-row]")
    .evaluateAll((rows) =>
      rows.map((row) => {
        const translation = row.querySelector<HTMLElement>('p[lang]:not([lang="en"])');
        return `${translation?.lang} ${translation?.dir}`;
      }),
    );

test.afterEach(async ({ site }) => {
  await site.control("llm", { reset: true });
  await site.control("soniox", { reset: true });
});

// `session-loading.test.ts`, `session-languages.test.ts`, `session-details.test.ts` and `session-stop.test.ts` hold it every time.
test("continues a lecture from its URL, sets its context, changes its language and saves while recording", {
  tag: "@nightly",
}, async ({ visit, site }) => {
  const fixture = createSpeech({
    to: 12,
    wordsPerSentence: 3,
    sentencesPerSpeaker: 0,
  });
  const [first, second] = fixture.sentences;
  const last = fixture.sentences.at(-1);
  if (!first || !second || !last) throw new Error("the fixture says too little");
  const page = await visit();
  await installMicrophone(page.context(), fixture);
  await signUp(page);
  const grammar = "Grammar studies gender, number, case, person, tense, mood.";
  const stored = Array(12).fill({ original: grammar, translated: "语法。" });
  const id = await storeLecture(page, stored, { title: "Grammar" });
  // Longer than a busy machine needs to stop the recording.
  await site.control("llm", { delayMs: 8_000, match: last.text });

  await page.goto(`/record?lecture=${id}&autostart=true`);
  await expectToast(page, "Recording Resumed");
  await expect(page).toHaveURL(`/record?lecture=${id}`);
  await waitForTranscriptText(page, first.text, fixture.durationMs);
  await expect.poll(() => readLanguages(page)).toHaveLength(13);
  await chooseLanguage(page, "Target language", "Arabic");
  const context = page.getByRole("textbox", { name: "Context" });
  await openTextCard(page);
  await expect(context).toHaveValue(/grammar/, { timeout: 20_000 });
  await closeTextCard(page);
  await waitForTranscriptText(page, last.text, fixture.durationMs);
  await page.keyboard.press("s");
  await expectToast(page, "Finalizing Translations");
  await expectToast(page, "Recording Paused & Auto-Saved");
  const spoken = fixture.sentences.map(({ text }) => text);
  const before = [...Array(12).fill(grammar), ...spoken];
  await expect.poll(() => original(getTranscript(page))).toEqual(before);

  await site.control("llm", { reset: true });
  await page.keyboard.press("r");
  await expectToast(page, "Recording Resumed");
  const sentences = getTranscript(page).locator('p[lang="en"]:not([data-announcements] *)');
  await expect(sentences.filter({ hasText: second.text })).toHaveCount(2, { timeout: 20_000 });
  // While it records, Save is in the menu.
  await page.keyboard.press("ControlOrMeta+s");
  const dialog = page.getByRole("dialog", { name: "Save Lecture" });
  await dialog.getByLabel("Lecture name").fill("Grammar, and counting");
  await expect(dialog.getByText("21/26", { exact: true })).toBeVisible();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expectToast(page, "Lecture Saved Successfully", /^1\d\d words$/);
  await expect(page.getByText("Finished", { exact: true })).toBeVisible();
  const lectures = await openLectures(page);
  await expect(lectures.getByRole("treeitem", { name: "Grammar, and counting" })).toBeVisible();
  await page.keyboard.press("Escape");
  const said = () => original(getTranscript(page));
  await expect.poll(async () => (await said()).length).toBeGreaterThanOrEqual(18);
  const kept = await said();
  expect(kept.slice(0, 16)).toEqual(before);
  // Save cuts the text; nothing may be repeated or out of order. Other tests, without load on the
  // machine, check that no word is missing.
  const splitWords = (texts: readonly string[]) => texts.join(" ").replaceAll(".", "").split(" ");
  const order = splitWords(kept.slice(16)).map((word) => splitWords(spoken).indexOf(word));
  expect(order.slice(0, -1).every((at, index) => at < (order[index + 1] ?? 0))).toBe(true);
  await page.reload();
  await expect.poll(said).toEqual(kept);
  const shown = await readLanguages(page);
  expect(shown.slice(0, 13)).toEqual(Array(13).fill("zh-Hans ltr"));
  expect(shown.slice(15)).toEqual(Array(kept.length - 15).fill("ar rtl"));
  await expectLanguage(page, "Target language", "Arabic");
  await openTextCard(page);
  await expect(context).toHaveValue(/grammar/);
});

test("keeps a sentence in its lecture when another lecture is opened meanwhile", {
  tag: "@nightly",
}, async ({ visit }) => {
  const fixture = createSpeech({ to: 14, wordsPerSentence: 7 });
  const words = fixture.words.map(({ text }) => text);
  const page = await visit();
  await installMicrophone(page.context(), fixture);
  const leaks = await watchLeaks(page);
  await signUp(page, "/record");
  await record(page);
  await waitForTranscriptText(page, words[0] ?? "", fixture.durationMs);
  await stopRecording(page);
  const before = await original(getTranscript(page));

  await startNewLecture(page);
  await expect(getToastTitle(page, "New Lecture Created")).toBeVisible();
  await record(page);
  await waitForTranscriptText(page, words.slice(7, 9).join(" "), fixture.durationMs);
  await expect(page).toHaveURL(/lecture=/);
  const second = page.url();
  await (await openLectures(page)).getByRole("treeitem", { level: 2 }).nth(1).click();
  await expect(getToastTitle(page, "Recording Stopped")).toBeVisible({ timeout: 20_000 });
  await expect.poll(() => original(getTranscript(page))).toEqual(before);
  await expect
    .poll(() => leaks.countResources(), { timeout: 20_000 })
    .toMatchObject({ sockets: 0, liveTracks: 0, contexts: 0 });
  expect(leaks.getMaxSockets()).toBe(1);

  await page.goto(second);
  const readAll = async () => (await original(getTranscript(page))).join(" ");
  await expect.poll(readAll).toContain(words.slice(7, 9).join(" "));
  expect(words.join(" ").startsWith(await readAll())).toBe(true);
});
