import type { Page } from "@playwright/test";
import type { SpokenLanguage } from "#shared/languages.ts";
import type { LectureFixture } from "#tests/fixtures/lecture.ts";
import { readNumbers } from "#tests/fixtures/read-numbers.ts";
import {
  chooseLanguage,
  continueRecording,
  createSpeech,
  expectLanguage,
  record,
  signUp,
  stopRecording,
  waitForTranscriptText,
} from "./support/journey.ts";
import { installMicrophone } from "./support/microphone.ts";
import { watchStillness } from "./support/stillness.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript } from "./support/transcript.ts";

const wide = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

interface Text {
  lang: string;
  dir: string;
  text: string;
  /** Left edge, px. */
  left: number;
}

/** The finished texts of each row, in the order in which they stand in the document. */
const readTexts = (page: Page): Promise<Text[][]> =>
  getTranscript(page)
    .locator("[data-row]")
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll<HTMLElement>("p[lang]:not([aria-busy])")].map((text) => ({
          lang: text.lang,
          dir: text.dir,
          text: (text.textContent ?? "").replace(/^\[S\d+\]/, "").trim(),
          left: Math.round(text.getBoundingClientRect().left),
        })),
      ),
    );

const isDemo = ({ text }: Text) => /^〔.+〕/.test(text);

/** Each row's original and translation as `ja > en`, with the numbers that were said. */
async function readRows(page: Page) {
  return (await readTexts(page)).map((texts) => {
    const original = texts.find((text) => !isDemo(text));
    const translation = texts.find(isDemo);
    const spokenIn = original?.lang as SpokenLanguage;
    return {
      pair: `${spokenIn} ${original?.dir} > ${translation?.lang} ${translation?.dir}`,
      numbers: readNumbers(original?.text ?? "", [spokenIn]).map(({ number }) => number),
    };
  });
}

/** The rows of `fixture`, whose sentences are translated as `pairs` says. */
const toExpected = (fixture: LectureFixture, pairs: Partial<Record<SpokenLanguage, string>>) =>
  fixture.sentences.map(({ text, language }) => ({
    pair: pairs[language],
    numbers: readNumbers(text, [language]).map(({ number }) => number),
  }));

const plan = { to: 9, wordsPerSentence: 3, sentencesPerSpeaker: 0 };

for (const [first, second] of [
  [wide, phone],
  [phone, wide],
] as const)
  test(`recognises Japanese at ${first.width} px, and Arabic after a pause at ${second.width} px`, {
    tag: "@nightly",
  }, async ({ visit }) => {
    const japanese = createSpeech({ ...plan, languages: ["ja"] });
    const arabic = createSpeech({ ...plan, languages: ["ar"] });
    const page = await visit();
    await installMicrophone(page.context(), japanese);
    await signUp(page, "/record");
    await page.setViewportSize(wide);
    await chooseLanguage(page, "Target language", "English");
    await chooseLanguage(page, "Spoken language", "Japanese");
    await page.setViewportSize(first);
    let endWatch = await watchStillness(page);
    await record(page);
    await waitForTranscriptText(page, japanese.sentences.at(-1)?.text ?? "", japanese.durationMs);
    expect(await endWatch()).toEqual([]);
    await stopRecording(page);
    const inJapanese = toExpected(japanese, { ja: "ja ltr > en ltr" });
    await expect.poll(() => readRows(page)).toEqual(inJapanese);

    await page.setViewportSize(wide);
    await chooseLanguage(page, "Spoken language", "Arabic");
    await page.setViewportSize(second);
    endWatch = await watchStillness(page);
    await continueRecording(page);
    await waitForTranscriptText(page, arabic.sentences.at(-1)?.text ?? "", arabic.durationMs);
    expect(await endWatch()).toEqual([]);
    await stopRecording(page);
    const all = [...inJapanese, ...toExpected(arabic, { ar: "ar rtl > en ltr" })];
    await expect.poll(() => readRows(page)).toEqual(all);
    await page.reload();
    await expect.poll(() => readRows(page)).toEqual(all);
    await page.setViewportSize(wide);
    await expectLanguage(page, "Spoken language", "Arabic");
  });

for (const viewport of [wide, phone])
  test(`gives each of two languages its column at ${viewport.width} px`, {
    tag: "@nightly",
  }, async ({ visit }) => {
    const fixture = createSpeech({
      to: 16,
      wordsPerSentence: 4,
      sentencesPerSpeaker: 1,
      languages: ["de", "en"],
    });
    const page = await visit();
    await installMicrophone(page.context(), fixture);
    await signUp(page, "/record");
    await chooseLanguage(page, "Target language", "English");
    await chooseLanguage(page, "Spoken language", "German");
    await chooseLanguage(page, "Spoken language", "German and English");
    await page.setViewportSize(viewport);
    const endWatch = await watchStillness(page);
    await record(page);
    await waitForTranscriptText(page, fixture.sentences.at(-1)?.text ?? "", fixture.durationMs);
    expect(await endWatch()).toEqual([]);
    await stopRecording(page);
    const expected = toExpected(fixture, { de: "de ltr > en ltr", en: "en ltr > de ltr" });
    await expect.poll(() => readRows(page)).toEqual(expected);
    await page.reload();
    await expect.poll(() => readRows(page)).toEqual(expected);
    if (viewport === phone) return;
    // Whoever speaks, German stands on the left.
    for (const texts of await readTexts(page)) {
      const [german, english] = ["de", "en"].map((lang) =>
        texts.find((text) => text.lang === lang),
      );
      expect(german?.left ?? Number.NaN).toBeLessThan(english?.left ?? Number.NaN);
    }
  });

// `room/languages.test.ts` and `session-languages.test.ts` hold it every time.
test("finds out what each person speaks", { tag: "@nightly" }, async ({ visit }) => {
  const plan = { to: 12, wordsPerSentence: 4, sentencesPerSpeaker: 1 };
  const fixture = createSpeech({ ...plan, languages: [], speakers: 3 });
  const page = await visit();
  await installMicrophone(page.context(), fixture);
  await signUp(page, "/record");
  await chooseLanguage(page, "Spoken language", "Detect language");
  await record(page);
  await waitForTranscriptText(page, fixture.sentences.at(-1)?.text ?? "", fixture.durationMs);
  await stopRecording(page);
  const into = "zh-Hans ltr";
  const pairs = { en: `en ltr > ${into}`, de: `de ltr > ${into}`, ja: `ja ltr > ${into}` };
  await expect.poll(() => readRows(page)).toEqual(toExpected(fixture, pairs));
});
