import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Recogniser } from "#local/soniox/recogniser.ts";
import { sampleWords } from "#local/soniox/sample-words.ts";
import { splitIntoSubwords } from "#local/soniox/subwords.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { createLectureFixture } from "#tests/fixtures/lecture.ts";
import { countRuns } from "#tests/fixtures/property-runs.ts";
import { createNoise, createVoice } from "#tests/fixtures/voice.ts";
import { joinSamples, recognise } from "./recognise.ts";

const rate = 16_000;
const seconds = (count: number) => new Float32Array(count * rate);
const wordCount = (text: string) => text.split(" ").filter(Boolean).length;
const sample = sampleWords.map(({ text }) => text).join(" ");

describe("voice", () => {
  it("yields the sample lecture, about two words and a half for each second of voice", () => {
    const { text } = recognise(createVoice(40_000, rate), rate);
    expect(sample.startsWith(text)).toBe(true);
    expect(wordCount(text)).toBeGreaterThan(50);
    expect(wordCount(text)).toBeLessThan(110);
  });

  it.each<[string, SpokenLanguage[], string]>([
    ["Japanese", ["ja"], "皆さん、おはようございます。今日は一つ、"],
    ["Arabic", ["ar"], "صباح الخير جميعًا. نطرح اليوم سؤالًا بسيطًا."],
    ["the two languages of a dialogue", ["de", "en"], "Guten Morgen zusammen. Heute stellen wir"],
    ["a language that the sample is not translated into", ["nl"], "Good morning, everyone. Today"],
  ])("yields the sample in %s", (_, languages, beginning) => {
    const { text } = recognise(createVoice(20_000, rate), rate, [4096], { languages });
    expect(text.slice(0, beginning.length)).toBe(beginning);
  });

  it("yields fewer words when part of it is silence, and continues at the same word", () => {
    const voice = createVoice(30_000, rate);
    const whole = wordCount(recognise(voice, rate).text);
    const cut = voice.slice();
    cut.fill(0, 10 * rate, 20 * rate);
    const rest = recognise(cut, rate).text;
    expect(sample.startsWith(rest)).toBe(true);
    expect(wordCount(rest)).toBeLessThan(0.8 * whole);
    expect(wordCount(rest)).toBeGreaterThan(0.5 * whole);
  });

  it("yields nothing in silence and sudden noise, and keeps the final time close", () => {
    expect(recognise(seconds(30), rate)).toMatchObject({ text: "", endpoints: 0 });
    const sudden = joinSamples([seconds(5), createNoise(10_000, rate, 0.2), seconds(5)]);
    expect(recognise(sudden, rate).text).toBe("");
    expect(
      recognise(joinSamples([createVoice(8_000, rate), seconds(30)]), rate).lagMs,
    ).toBeLessThan(3_000);
  });

  it("has two speakers with diarization, and none without", () => {
    const voice = createVoice(150_000, rate);
    const speakers = new Set(recognise(voice, rate).finals.map(({ speaker }) => speaker));
    expect([...speakers]).toEqual(["1", "2"]);
    const plain = recognise(voice.subarray(0, 5 * rate), rate, [4096], { diarization: false });
    expect(plain.finals.every((token) => !("speaker" in token))).toBe(true);
  });

  it("does not depend on the slicing of the audio", () => {
    const sound = joinSamples([
      createVoice(6_000, rate, 7),
      seconds(2),
      createVoice(4_000, rate, 8),
    ]);
    const { finals } = recognise(sound, rate);
    expect(finals.length).toBeGreaterThan(20);
    const lengths = fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(lengths, (slices) => {
        expect(recognise(sound, rate, slices).finals).toEqual(finals);
      }),
      { numRuns: countRuns(15) },
    );
  });
});

describe("tokens", () => {
  it("are interim first, then final once, and never before the final time", () => {
    const fixture = createLectureFixture({ to: 20, sampleRate: rate });
    const recogniser = new Recogniser({
      sampleRate: rate,
      diarization: true,
      languages: ["en"],
      identifiesLanguage: false,
      endpointDelayMs: null,
    });
    const shown = new Set<string>();
    let finalMs = 0;
    let finals = "";
    for (let at = 0; at < fixture.samples.length; at += 1600) {
      recogniser.feed(fixture.samples.subarray(at, at + 1600));
      const { tokens, final_audio_proc_ms, total_audio_proc_ms } = recogniser.takeProgress();
      expect(final_audio_proc_ms).toBeGreaterThanOrEqual(finalMs);
      expect(final_audio_proc_ms).toBeLessThanOrEqual(total_audio_proc_ms);
      for (const token of tokens) {
        const name = `${token.start_ms} ${token.text}`;
        expect(token.start_ms).toBeGreaterThanOrEqual(token.is_final ? 0 : finalMs);
        if (!token.is_final) shown.add(name);
        else {
          expect(shown).toContain(name);
          expect(token.start_ms).toBeGreaterThanOrEqual(finalMs - 1);
          finals += token.text;
        }
      }
      const order = tokens.map((token) => token.is_final);
      expect(order).toEqual([...order].sort((a, b) => Number(b) - Number(a)));
      finalMs = final_audio_proc_ms;
    }
    expect(finals.trim()).toBe(fixture.words.map(({ text }) => text).join(" "));
  });

  it("are parts that join to the word and divide its time", () => {
    const word = fc.stringMatching(/^[A-Za-z]{1,14}(-[a-z]{2,9}){0,3}[.,?!]?$/);
    fc.assert(
      fc.property(
        word,
        fc.integer({ min: 0, max: 9_000 }),
        fc.integer({ min: 100, max: 900 }),
        (text, from, length) => {
          const parts = splitIntoSubwords(text, from, from + length);
          expect(parts.map((piece) => piece.text).join("")).toBe(` ${text}`);
          expect(parts[0]?.startMs).toBe(from);
          expect(parts.at(-1)?.endMs).toBe(from + length);
          for (const [index, piece] of parts.slice(1).entries())
            expect(piece.startMs).toBe(parts[index]?.endMs);
        },
      ),
    );
    expect(splitIntoSubwords("entropy.", 0, 400).map(({ text }) => text)).toEqual([
      " entro",
      "py",
      ".",
    ]);
  });

  it("end with an endpoint when the speaker pauses, and only then", () => {
    const talk = (gap: number) =>
      createLectureFixture({ to: 10, sampleRate: rate, sentenceGapMs: gap, tailMs: 3_000 });
    expect(recognise(talk(600).samples, rate).endpoints).toBe(1);
    expect(recognise(talk(1_500).samples, rate).endpoints).toBe(2);
    expect(recognise(talk(1_500).samples, rate, [4096], { endpointDelayMs: null }).endpoints).toBe(
      0,
    );
  });
});
