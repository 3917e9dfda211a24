import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import { emptyLectureView } from "#client/lecture/read-only-lecture.ts";
import { Transcript } from "#client/lecture/rows/transcript.ts";
import { Signal } from "#client/lib/observable.ts";
import { Hearing } from "#client/reading/hearing/hearing.ts";
import type { TranslationLanguage } from "#shared/languages.ts";
import { createRow } from "#tests/unit/client/kit/rows.ts";
import { createVoice, SimulatedVoices } from "#tests/unit/client/kit/simulated-voices.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

/**
 * Twenty minutes of a lecture in English at 150 words a minute. `ratio`: characters of its translation by those of the
 * original; `perSecond`: characters that usual voices speak.
 */
const languages: Partial<Record<TranslationLanguage, { ratio: number; perSecond: number }>> = {
  ar: { ratio: 0.9, perSecond: 12.5 },
  de: { ratio: 1.17, perSecond: 15 },
  es: { ratio: 1.2, perSecond: 17 },
  fr: { ratio: 1.2, perSecond: 16 },
  hi: { ratio: 1, perSecond: 13 },
  it: { ratio: 1.15, perSecond: 16 },
  ja: { ratio: 0.45, perSecond: 7.5 },
  ko: { ratio: 0.5, perSecond: 7 },
  pt: { ratio: 1.12, perSecond: 16 },
  ru: { ratio: 1.1, perSecond: 14 },
  "zh-cn": { ratio: 0.31, perSecond: 4.6 },
};
const lengthMs = 20 * 60_000;
const msPerWord = 60_000 / 150;

const readSentences = (language: string): string[] =>
  JSON.parse(readFileSync(`tests/fixtures/sentences/${language}.json`, "utf8")).sentences;

/** From 0 to 1, the same ones each time. */
function createChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

interface Voice {
  perSecond: number;
  /** It speaks `rate ** exponent` times as fast if it is asked for `rate`. */
  exponent: number;
}

interface Sentence {
  endMs: number;
  translated: string;
  translatedMs: number;
}

/** What is said, and what is written of it: sentences of 3 to 40 words, translated within 1 to 4 s. */
function createLecture(language: TranslationLanguage, ratio: number): Sentence[] {
  const english = readSentences("en");
  const foreign = readSentences(language === "zh-cn" ? "zh" : language).join(" ");
  const chance = createChance(7);
  const sentences: Sentence[] = [];
  let at = 0;
  for (let endMs = 0; endMs < lengthMs; ) {
    const joined = chance() < 0.2 ? 2 : 1;
    const original = Array.from({ length: joined }, (_, n) => english[(at + n) % english.length]);
    at += joined;
    const said = original.join(" ");
    endMs += said.split(" ").length * msPerWord;
    const characters = Math.max(2, Math.round(said.length * ratio));
    const from = Math.floor(chance() * (foreign.length - characters));
    const translated = foreign.slice(from, from + characters).replace(/^\P{L}*/u, "A");
    sentences.push({ endMs, translated, translatedMs: endMs + 1_000 + 3_000 * chance() });
  }
  return sentences;
}

/** Plays the lecture, and notes what its listener hears. */
async function listen(language: TranslationLanguage, voice: Voice, sentences: Sentence[]) {
  const clock = new ManualClock(0);
  const chance = createChance(11);
  const voices = new SimulatedVoices(
    clock,
    [createVoice(language === "zh-cn" ? "zh-cn" : language)],
    ({ text, rate }) => {
      const seconds = (text.length / voice.perSecond) * (0.9 + 0.2 * chance()) + 0.25;
      return (seconds * 1_000) / rate ** voice.exponent;
    },
  );
  const transcript = new Transcript();
  const view = new Signal({
    ...emptyLectureView,
    status: "recording" as const,
    sourceLanguage: "en" as const,
    targetLanguage: language,
  });
  const hearing = new Hearing(
    { view, transcript },
    { clock, synthesizer: voices, languageTags: ["en"] },
    { language, voiceId: null, pace: 1 },
    null,
  );
  const begun: string[] = [];
  const translated = new Set<string>();
  let behindMax = 0;
  /** Finished sentences that wait, as the listener counts them: neither begun nor marked. */
  const count = () => {
    const { rowId, notSpoken } = hearing.state.get();
    if (rowId !== null && begun.at(-1) !== rowId) begun.push(rowId);
    const waiting = [...translated].filter((id) => !begun.includes(id) && !notSpoken.has(id));
    behindMax = Math.max(behindMax, waiting.length);
  };
  hearing.state.subscribe(count);
  for (const [position, sentence] of sentences.entries()) {
    clock.after(sentence.endMs, () =>
      transcript.append([
        createRow({
          position,
          translation: "waiting",
          translated: "",
          translatedInto: null,
          startMs: position,
          endMs: position + 1,
        }),
      ]),
    );
    clock.after(sentence.translatedMs, () => {
      const change: Partial<TranscriptRow> = {
        translation: "done",
        translated: sentence.translated,
        translatedInto: language,
      };
      transcript.change(`${position}`, change);
      translated.add(`${position}`);
      count();
    });
  }
  // The last ones are spoken after the lecture.
  await clock.advance(lengthMs + 120_000);
  const { notSpoken } = hearing.state.get();
  hearing.dispose();
  return { begun, notSpoken, behindMax, spoken: voices.spoken };
}

const listed = Object.entries(languages) as [
  TranslationLanguage,
  { ratio: number; perSecond: number },
][];

it.each(listed)(
  "speaks a lecture in %s as it is given, and marks each sentence that it leaves out",
  async (language, { ratio, perSecond }) => {
    const sentences = createLecture(language, ratio);
    for (const exponent of [0.7, 1, 1.6]) {
      const { begun, notSpoken, behindMax, spoken } = await listen(
        language,
        { perSecond, exponent },
        sentences,
      );
      const ids = sentences.map((_, position) => `${position}`);
      expect(begun).toEqual(ids.filter((id) => !notSpoken.has(id)));
      expect(behindMax).toBeLessThanOrEqual(2);
      // A usual voice keeps up with most of it, at a pace that can be listened to.
      expect(notSpoken.size).toBeLessThan(sentences.length * 0.1);
      const speeds = spoken.map(({ rate }) => rate ** exponent);
      expect(Math.max(...speeds)).toBeLessThan(1.3 * 1.15);
      expect(Math.max(...speeds.slice(40))).toBeLessThan(1.3 * 1.1);
    }
  },
);

it("marks what a voice cannot keep up with, and stays two sentences behind", async () => {
  const sentences = createLecture("de", 1.17);
  const { begun, notSpoken, behindMax } = await listen(
    "de",
    { perSecond: 8, exponent: 1 },
    sentences,
  );
  const ids = sentences.map((_, position) => `${position}`);
  expect(notSpoken.size).toBeGreaterThan(sentences.length * 0.2);
  expect(begun).toEqual(ids.filter((id) => !notSpoken.has(id)));
  expect(behindMax).toBe(2);
});
