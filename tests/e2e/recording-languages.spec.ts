import type { LanguagePair, SpokenLanguage } from "#shared/languages.ts";
import { readNumbers } from "#tests/fixtures/read-numbers.ts";
import { createSpeech, signUp, stopRecording } from "./support/journey.ts";
import { installMicrophone } from "./support/microphone.ts";
import { listEntries, storeLecture } from "./support/stored.ts";
import { expect, test } from "./support/test.ts";
import { readSpokenNumbers, toExpectedNumbers } from "./support/transcript.ts";

interface Lecture {
  name: string;
  pair: LanguagePair;
  /** As in a fixture's plan. */
  languages: SpokenLanguage[];
  speakers: number;
}

const lectures: Lecture[] = [
  {
    ...{ name: "Japanese", languages: ["ja"], speakers: 1 },
    pair: { sourceLanguage: "ja", targetLanguage: "en", isTwoWay: false },
  },
  {
    ...{ name: "Arabic", languages: ["ar"], speakers: 1 },
    pair: { sourceLanguage: "ar", targetLanguage: "en", isTwoWay: false },
  },
  {
    ...{ name: "German and English by turns", languages: ["de", "en"], speakers: 2 },
    pair: { sourceLanguage: "de", targetLanguage: "en", isTwoWay: true },
  },
  {
    ...{ name: "whatever is spoken", languages: [], speakers: 3 },
    pair: { sourceLanguage: "detect", targetLanguage: "fr", isTwoWay: false },
  },
];

for (const { name, pair, languages, speakers } of lectures) {
  test(`stores and shows every word of ${name} once, in its language`, async ({ visit }) => {
    const plan = { to: 12, wordsPerSentence: 4, sentencesPerSpeaker: 1 };
    const fixture = createSpeech({ ...plan, languages, speakers });
    const expected = toExpectedNumbers(fixture);
    const page = await visit();
    await installMicrophone(page.context(), fixture);
    await signUp(page);
    const id = await storeLecture(page, [], pair);
    await page.goto(`/record?lecture=${id}&autostart=true`);
    const rows = page.locator("main");
    await expect
      .poll(() => readSpokenNumbers(rows), { timeout: fixture.durationMs + 20_000 })
      .toEqual(expected);
    await stopRecording(page);
    const stored = async () =>
      (await listEntries(page, id)).flatMap((row) =>
        readNumbers(row.original, [row.spokenIn ?? "en"]),
      );
    await expect.poll(stored).toEqual(expected);
    await page.reload();
    await expect.poll(() => readSpokenNumbers(rows)).toEqual(expected);
  });
}
