import { describe, expect, it } from "vitest";
import { measure } from "#bench/device-speech/figures.ts";
import { listNormalWords } from "#bench/device-speech/normal-words.ts";
import type { Batch, Recognition } from "#bench/device-speech/recognition.ts";
import { findVoice, placeWords } from "#bench/device-speech/spoken-words.ts";
import { cutStream, type SpeechStream } from "#bench/device-speech/streams.ts";
import type { RelayToken } from "#shared/relay.ts";

const sampleRate = 16_000;

/** Sound of `seconds` with a loud tone in `voice`, s. */
function createSound(seconds: number, voice: readonly (readonly [number, number])[]) {
  const samples = new Float32Array(seconds * sampleRate);
  for (const [from, to] of voice)
    for (let at = from * sampleRate; at < to * sampleRate; at += 1)
      samples[at] = Math.sin(at / 3) / 4;
  return samples;
}

/** Four words of 1 s each from 1 to 5 s, music from 6 to 16 s, and one word from 17 to 18 s. */
const stream: SpeechStream = {
  name: "four and one",
  samples: createSound(20, [
    [1, 5],
    [17, 18],
  ]),
  clips: [
    { clip: "a", start: 0.8, end: 5.2, text: "aaaa bbbb cccc dddd." },
    { clip: "music", start: 6, end: 16, text: "" },
    { clip: "b", start: 17, end: 18, text: "Eeee" },
  ],
};

/** `aaaa@1.0-2.0`: a word with its times in s; with a question mark at its end, it is not final. */
function toTokens(text: string): RelayToken[] {
  return text
    .split(" ")
    .filter((one) => one !== "")
    .map((one) => {
      const [, word = "", start, end, mark] = /^(.+)@([\d.]+)-([\d.]+)(\??)$/.exec(one) ?? [];
      return {
        text: ` ${word}`,
        is_final: mark === "",
        start_ms: Number(start) * 1_000,
        end_ms: Number(end) * 1_000,
      };
    });
}

const toRecognition = (...batches: readonly [number, string][]): Recognition => ({
  batches: batches.map(([seconds, text]): Batch => {
    return { atMs: seconds * 1_000, tokens: toTokens(text) };
  }),
  text: "",
  gaps: [],
  busy: [
    { startMs: 1_000, endMs: 4_000 },
    { startMs: 10_000, endMs: 10_400 },
  ],
});

const all = "aaaa@1-2 bbbb@2-3 cccc@3-4 dddd.@4-5";

describe("figures of a recognition", () => {
  it("says how late a word appears, and how late it is final", () => {
    const figures = measure(
      stream,
      toRecognition(
        [3, "Aaaa@1.1-2?"],
        [4, "aaaa@1-2 bbbb@2-3?"],
        [7, "bbbb@2-3 cccc@3-4 dddd.@4-5"],
        [20, "eeee@17-18"],
      ),
    );
    // First after 1, 1, 3, 2 and 2 s; final after 2, 4, 3, 2 and 2 s.
    expect(figures.firstMs).toEqual([2_000, 3_000]);
    expect(figures.finalMs).toEqual([2_000, 4_000, 4_000]);
    expect([figures.wordErrors, figures.wordCount]).toEqual([0, 5]);
    expect([figures.interimCount, figures.rewrittenCount]).toEqual([2, 0]);
    expect([figures.wordless, figures.phantoms]).toEqual([[], [0, 0]]);
    expect([figures.startMs, figures.endMs]).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it("counts words that change, and words that disappear", () => {
    const figures = measure(
      stream,
      toRecognition(
        [3, "aaaa@1-2? xxxx@2-3?"],
        [4, "aaaa@1-2 bbbb@2-3? cccc@3-4?"],
        [7, "bbbb@2-3"],
      ),
    );
    expect([figures.interimCount, figures.rewrittenCount]).toEqual([4, 2]);
    expect(figures.wordErrors).toBe(3);
  });

  it("finds words that nobody said, before they are final too", () => {
    const figures = measure(stream, toRecognition([8, `${all} you@7-8?`], [9, "see@8-9"]));
    expect(figures.phantoms).toEqual([1, 1]);
    // It was said, a little before.
    expect(measure(stream, toRecognition([9, "dddd.@4-8"])).phantoms).toEqual([0, 0]);
    expect(measure(stream, toRecognition([12, "dddd.@4-16"])).phantoms).toEqual([1, 0]);
  });

  it("finds speech in which no word lies, also under a word that is too long", () => {
    const wordless = (text: string) =>
      measure(stream, toRecognition([19, text])).wordless.map(({ startMs, endMs }) => [
        startMs,
        endMs,
      ]);
    expect(wordless(`${all} eeee@17-18`)).toEqual([]);
    expect(wordless("aaaa@1-2 dddd@4-5 eeee@17-18")).toEqual([[2_000, 4_000]]);
    expect(wordless("aaaa@1-5.2 eeee@17-18")).toEqual([[2_000, 5_200]]);
    // It is not longer than 1 s.
    expect(wordless(all)).toEqual([]);
    // Words are missing, whatever the times of the others are.
    expect(wordless("aaaa@1-2 dddd@3-4 eeee@17-18")).toEqual([[2_000, 4_000]]);
    const gaps = [{ startMs: 1_900, endMs: 3_500 }];
    const recognition = { ...toRecognition([19, "aaaa@1-2 dddd@4-5"]), gaps };
    expect(measure(stream, recognition).wordless).toEqual([]);
  });

  it("measures the times of words where they are known: at the edges of a clip, or as it says", () => {
    const text = "aaaa@1.2-2 bbbb@2.1-3 cccc@3-4 dddd.@4-5.1 eeee@17-18";
    const round = (values: readonly number[]) => values.map((ms) => Math.round(ms));
    const estimated = measure(stream, toRecognition([19, text]));
    expect([round(estimated.startMs), round(estimated.endMs)]).toEqual([
      [200, 0],
      [100, 0],
    ]);
    const clips = stream.clips.map((clip) => ({
      ...clip,
      words: listNormalWords(clip.text).map((word, index) => {
        const start = Math.max(clip.start, 1) + index;
        return { text: word, start, end: start + 1 };
      }),
    }));
    const aligned = measure({ ...stream, clips }, toRecognition([19, text]));
    expect([round(aligned.startMs), round(aligned.endMs)]).toEqual([
      [200, 100, 0, 0, 0],
      [0, 0, 0, 100, 0],
    ]);
  });

  it("tells computing during speech, with 3 s behind it, from computing in silence", () => {
    const { busySpeech, busySilence, computeFactor } = measure(stream, toRecognition());
    expect(busySpeech).toBeCloseTo(3 / (4.4 + 3 + 3));
    expect(busySilence).toBeCloseTo(0.4 / (20 - 10.4));
    expect(computeFactor).toBeCloseTo(3.4 / 20);
  });
});

it("finds the voice of a clip, with pauses but without closures", () => {
  const samples = createSound(4, [
    [1, 1.5],
    [1.6, 2],
    [2.5, 3],
  ]);
  expect(findVoice(samples, { start: 0.5, end: 3.5 })).toEqual([
    { startMs: 1_000, endMs: 2_000 },
    { startMs: 2_500, endMs: 3_000 },
  ]);
});

it("places words in the voice of their clip, and none in its pauses", () => {
  const samples = createSound(4, [
    [1, 2],
    [2.5, 3.5],
  ]);
  const words = placeWords(samples, [{ clip: "", start: 0.5, end: 4, text: "One two, six and." }]);
  expect(
    words.map(({ text, startMs, endMs }) => [text, Math.round(startMs), Math.round(endMs)]),
  ).toEqual([
    ["one", 1_000, 1_500],
    ["two", 1_500, 2_000],
    ["six", 2_500, 3_000],
    ["and", 3_000, 3_500],
  ]);
});

it("cuts a stream before the first clip that does not end in time", () => {
  const { samples, clips } = cutStream(stream, 10);
  expect(samples.length).toBe(6 * sampleRate);
  expect(clips.map(({ clip }) => clip)).toEqual(["a"]);
});
