import { beforeAll, describe, expect, it, vi } from "vitest";
import type { HypothesisWord } from "#client/recognition/device/speech-model.ts";
import { SpeechModelError } from "#client/recognition/device/speech-model-messages.ts";
import { loadWhisper } from "#client/recognition/device/whisper.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { createLectureFixture } from "#tests/fixtures/lecture.ts";
import { loadNodeRuntime } from "#tests/fixtures/speech-model/node-runtime.ts";
import {
  createTinySpeechModel,
  type TinyModel,
  toBlobs,
} from "#tests/fixtures/speech-model/tiny-speech-model.ts";

const sampleRate = 16_000;
const original = { language: "en", prompt: "", said: "", terms: [] } as const;
const tiny = createTinySpeechModel({ wordCount: 99 });

const goOn = async () => {};

const load = (model: TinyModel) => loadWhisper(toBlobs(model), loadNodeRuntime, () => {});

/** The same model with another file in place of its own. */
const replaceFile = (path: string, content: string | Uint8Array<ArrayBuffer>): TinyModel => ({
  contents: new Map([
    ...tiny.contents,
    [path, typeof content === "string" ? new TextEncoder().encode(content) : content],
  ]),
});

const readJson = (path: string) =>
  JSON.parse(new TextDecoder().decode(tiny.contents.get(path) ?? new Uint8Array()));

const texts = (words: readonly HypothesisWord[]) => words.map(({ text }) => text);

describe("a Whisper model", () => {
  let model: Awaited<ReturnType<typeof load>>;
  beforeAll(async () => {
    model = await load(tiny);
  });
  const transcribe = (
    samples: Float32Array<ArrayBuffer>,
    prompt = "",
    terms: readonly string[] = [],
  ) => model({ samples, language: "en", prompt, said: "", terms }, goOn);

  it("recognises every word of a window once, with its time", async () => {
    const { samples, words } = createLectureFixture({ to: 25, sampleRate, tailMs: 1_000 });
    const found = await transcribe(samples);
    expect(texts(found)).toEqual(words.map(({ text }) => text));
    for (const [index, { startMs, endMs }] of found.entries()) {
      const word = words[index];
      expect(Math.abs(startMs - (word?.startMs ?? 0))).toBeLessThanOrEqual(60);
      // Whisper says when the next word begins, not when this one ends.
      expect(endMs).toBeGreaterThanOrEqual((word?.endMs ?? 0) - 60);
      expect(endMs).toBeLessThanOrEqual((words[index + 1]?.startMs ?? word?.endMs ?? 0) + 60);
    }
  });

  it("gives the time of a word after a long pause", async () => {
    const { samples, words } = createLectureFixture({ to: 2, sampleRate, wordGapMs: 9_000 });
    const found = await transcribe(samples);
    expect(texts(found)).toEqual(["one", "two."]);
    for (const [index, { startMs }] of found.entries())
      expect(Math.abs(startMs - (words[index]?.startMs ?? 0))).toBeLessThanOrEqual(60);
  });

  it("hears nothing in silence", async () => {
    expect(await transcribe(new Float32Array(10 * sampleRate))).toEqual([]);
    expect(await transcribe(new Float32Array(0))).toEqual([]);
  });

  it.each(["silence", "speech"])("decodes as many tokens as it is told to: of %s", async (kind) => {
    const { samples: speech } = createLectureFixture({ to: 40, sampleRate });
    const samples = kind === "silence" ? new Float32Array(20 * sampleRate) : speech;
    let steps = 0;
    await model(
      { ...original, samples: samples.slice(0, 20 * sampleRate), tokenCount: 9 },
      async () => {
        steps += 1;
      },
    );
    // The spectrogram is a step too.
    expect(steps).toBe(1 + 9);
  });

  it("recognises a window of 30 s, and times stay inside it", async () => {
    const { samples } = createLectureFixture({ to: 50, sampleRate });
    const found = await transcribe(samples.slice(0, 30 * sampleRate));
    expect(found.length).toBeGreaterThan(30);
    for (const { startMs, endMs } of found) {
      expect(startMs).toBeLessThanOrEqual(endMs);
      expect(endMs).toBeLessThanOrEqual(30_000);
    }
  });

  it("recognises words in a short window", async () => {
    const { samples } = createLectureFixture({ to: 1, sampleRate, leadInMs: 200, tailMs: 200 });
    expect(texts(await transcribe(samples))).toEqual(["one."]);
  });

  it.each([3, 123, 1_050])(
    "recognises the words of a window that begins %i ms later, and none that it has only a part of",
    async (fromMs) => {
      const { samples, words } = createLectureFixture({ to: 8, sampleRate });
      const found = await transcribe(samples.slice((fromMs * sampleRate) / 1_000));
      const whole = words.filter(({ startMs }) => startMs >= fromMs);
      expect(texts(found)).toEqual(whole.map(({ text }) => text));
      for (const [index, { startMs }] of found.entries())
        expect(Math.abs(startMs + fromMs - (whole[index]?.startMs ?? 0))).toBeLessThanOrEqual(60);
    },
  );

  it("recognises the same words after a prompt", async () => {
    const { samples } = createLectureFixture({ to: 5, sampleRate });
    const found = await transcribe(samples);
    expect(await transcribe(samples, "Lecture on numbers. seventeen forty")).toEqual(found);
    expect(await transcribe(samples, "numbers ".repeat(200))).toEqual(found);
  });

  it("recognises the same words after terms, however many there are", async () => {
    const { samples } = createLectureFixture({ to: 5, sampleRate });
    const found = await transcribe(samples);
    const terms = Array.from({ length: 200 }, (_, n) => `seventeen term ${n}`);
    expect(await transcribe(samples, "", ["forty", "forty-one"])).toEqual(found);
    expect(await transcribe(samples, "numbers ".repeat(200), terms)).toEqual(found);
  });

  it("gives the words that the sound begins with their times, and goes on behind them", async () => {
    const { samples } = createLectureFixture({ to: 8, sampleRate });
    const found = await transcribe(samples);
    let steps = 0;
    const said = "one two three";
    const input = { samples, ...original, said };
    const again = await model(input, async () => {
      steps += 1;
    });
    // Of what it was told it is certain.
    const withoutCertainty = found.map(({ text, startMs, endMs }) => ({ text, startMs, endMs }));
    expect(again).toMatchObject(withoutCertainty);
    expect(again.slice(0, 3).map(({ certainty }) => certainty)).toEqual([1, 1, 1]);
    expect(found.every(({ certainty = 0 }) => certainty > 0.9 && certainty < 1)).toBe(true);
    let allSteps = 0;
    await model({ samples, ...original }, async () => {
      allSteps += 1;
    });
    expect(steps).toBe(allSteps - 3);
  });

  it("adds nothing where all words are known", async () => {
    const { samples } = createLectureFixture({ to: 3, sampleRate });
    const found = await model({ samples, ...original, said: "one two three." }, goOn);
    expect(texts(found)).toEqual(["one", "two", "three."]);
  });

  it("ends in the middle of a window when it is told to, and recognises the next one", async () => {
    const { samples, words } = createLectureFixture({ to: 10, sampleRate });
    let steps = 0;
    const reason = new Error("no longer wanted");
    const recognising = model({ samples, ...original }, async () => {
      if (++steps === 5) throw reason;
    });
    await expect(recognising).rejects.toBe(reason);
    expect(steps).toBe(5);
    expect(texts(await transcribe(samples))).toEqual(words.map(({ text }) => text));
  });
});

it("recognises a language of a multilingual model, and refuses one that it does not know", async () => {
  const model = await load(createTinySpeechModel({ wordCount: 20, languages: "multilingual" }));
  const { samples } = createLectureFixture({ to: 5, sampleRate });
  const transcribe = (language: SpokenLanguage) =>
    model({ samples, language, prompt: "numbers", said: "", terms: [] }, goOn);
  expect(texts(await transcribe("en"))).toEqual(["one", "two", "three", "four", "five."]);
  // Words are divided anywhere, and keep the spaces that the model writes.
  expect(await transcribe("zh")).toEqual(await transcribe("en"));
  await expect(transcribe("de")).rejects.toMatchObject({ code: "language" });
});

it("refuses other languages than English of a model that knows only that", async () => {
  const model = await load(tiny);
  const { samples } = createLectureFixture({ to: 2, sampleRate });
  const transcribing = model({ samples, ...original, language: "ja" }, goOn);
  await expect(transcribing).rejects.toMatchObject({ code: "language" });
});

describe("loading", () => {
  it("tells when it reads a file", async () => {
    const onRead = vi.fn();
    await loadWhisper(toBlobs(tiny), loadNodeRuntime, onRead);
    expect(onRead.mock.calls.length).toBeGreaterThanOrEqual(tiny.contents.size);
  });

  it("fetches nothing", async () => {
    const fetching = vi.spyOn(globalThis, "fetch");
    await load(tiny);
    const incomplete = new Map(tiny.contents);
    incomplete.delete("tokenizer.json");
    await expect(load({ contents: incomplete })).rejects.toMatchObject({
      code: "damaged",
    });
    expect(fetching).not.toHaveBeenCalled();
    fetching.mockRestore();
  });

  const encoder = "onnx/encoder_model_quantized.onnx";
  const generation = readJson("generation_config.json");
  it.each([
    ["a network that is text", encoder, "<!doctype html>"],
    ["a network that is cut", encoder, tiny.contents.get(encoder)?.slice(0, 4_000) ?? ""],
    ["a configuration that is text", "config.json", "<!doctype html>"],
    ["an empty tokenizer", "tokenizer.json", ""],
    [
      "a model without word times",
      "generation_config.json",
      JSON.stringify({ ...generation, alignment_heads: undefined }),
    ],
  ])("says that the files are damaged: %s", async (_name, path, content) => {
    const error = await load(replaceFile(path, content)).catch((reason) => reason);
    expect(error).toBeInstanceOf(SpeechModelError);
    expect(error.code).toBe("damaged");
  });
});
