import type { Page } from "@playwright/test";
import { toNumberText } from "#local/soniox/number-words.ts";
import {
  createSpeech,
  expectSaved,
  record,
  shareLive,
  signUp,
  stopRecording,
} from "./support/journey.ts";
import { installMicrophone } from "./support/microphone.ts";
import { type Site, startSite } from "./support/site.ts";
import { listEntries } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";

/**
 * A site with the key of a speech service alone, which translates in its stream. The words are numbers, so a text says
 * which sentence it belongs to. `stream-translation.test.ts` holds other languages, faults and Stop.
 */

const phone = { width: 390, height: 844 };
const sentenceWords = 4;
const fixture = createSpeech({ to: 36, wordsPerSentence: sentenceWords, sentencesPerSpeaker: 0 });

/** The sentences as they are said, and as the service translates them. */
const spoken = fixture.sentences.map(({ text }) => text);
const translated = spoken.map((_, sentence) =>
  Array.from({ length: sentenceWords }, (_, word) =>
    toNumberText(sentenceWords * sentence + word + 1, "fr", word === sentenceWords - 1),
  ).join(" "),
);

/** The service begins its sentences with a capital letter, and the page the first one with its speaker. */
const toPlain = (text: string) =>
  text
    .replace(/^\s*\[S1\]\s*/, "")
    .toLowerCase()
    .trim();

let site: Site;
test.beforeAll(async () => {
  site = await startSite({ hasSpeechKey: true });
});
test.afterAll(() => site.close());

/** The French texts of rows, in order, as far as they have come. */
const readRows = async (page: Page) =>
  (await page.locator("[data-row] p[lang=fr]:not([aria-busy])").allTextContents()).map(toPlain);

/** Waits until `page` shows the translation of a sentence as a row. */
const expectTranslated = (page: Page, sentence: number) =>
  expect
    .poll(() => readRows(page), { timeout: fixture.durationMs + 20_000 })
    .toContain(translated.at(sentence));

interface Preview {
  original: string;
  preview: string;
}

/** Gathers what the line of the sentence that is being spoken shows in both languages, from the page's first moment. */
async function watchPreviews(page: Page): Promise<() => Promise<Preview[]>> {
  await page.addInitScript(() => {
    const previews: Preview[] = [];
    Object.assign(globalThis, { previews });
    new MutationObserver(() => {
      const line = document.querySelector("[data-live-line]");
      const [original = "", preview = ""] = ["en", "fr"].map(
        (language) => line?.querySelector(`p[lang=${language}]`)?.textContent?.trim() ?? "",
      );
      const last = previews.at(-1);
      if (preview === "" || (last?.original === original && last.preview === preview)) return;
      previews.push({ original, preview });
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => Reflect.get(globalThis, "previews") as Preview[]);
}

test("with the key of a speech service alone, every sentence is translated while it is spoken and after it, here and on a reader's phone, through a lost stream", async ({
  visit,
}) => {
  const owner = await visit({ site });
  await installMicrophone(owner.context(), fixture);
  const listPreviews = await watchPreviews(owner);
  await owner.addInitScript(() => localStorage.setItem("selectedLanguage", "fr"));
  await signUp(owner, "/record");
  const reader = await visit({ site, viewport: phone });
  await reader.goto(await shareLive(owner));
  await reader.getByRole("combobox", { name: "Language to read in" }).click();
  await reader.getByRole("option", { name: "French" }).click();

  await record(owner);
  await expectTranslated(owner, 1);
  await expectTranslated(reader, 1);
  expect((await listPreviews()).length).toBeGreaterThan(0);

  await site.control("soniox", { errorNow: 503, errorOnStart: 503, errorTimes: 1 });
  await expectTranslated(owner, -1);
  await expectTranslated(reader, -1);
  await stopRecording(owner);
  for (const page of [owner, reader]) await expect.poll(() => readRows(page)).toEqual(translated);
  const lectureId = new URL(owner.url()).searchParams.get("lecture") ?? "";
  const stored = async () =>
    (await listEntries(owner, lectureId)).map((row) => [row.original, toPlain(row.translated)]);
  await expect.poll(stored).toEqual(spoken.map((text, index) => [text, translated[index]]));
  await expectSaved(owner);

  // What was shown while a sentence was spoken is the beginning of its own translation.
  for (const { original, preview } of await listPreviews()) {
    const sentence = spoken.findIndex((text) => text.startsWith(toPlain(original)));
    expect({ original, sentence }).not.toEqual({ original, sentence: -1 });
    expect(translated[sentence]?.slice(0, toPlain(preview).length)).toBe(toPlain(preview));
  }
});
