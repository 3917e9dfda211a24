import { describe, expect, it } from "vitest";
import { joinWords } from "#client/recognition/device/agreement.ts";
import { correctLateness, toWords } from "#client/recognition/device/whisper-words.ts";
import { importTransformers } from "#tests/fixtures/speech-model/node-runtime.ts";
import { createTokenizer } from "#tests/fixtures/speech-model/tiny-speech-model.ts";
import pieces from "#tests/fixtures/speech-model/whisper-pieces.json" with { type: "json" };

const { WhisperTokenizer } = await importTransformers();

/**
 * `pieces`: texts as the two tokenizers of Whisper divide them, that of models for English alone (`original`) and that of
 * all others, in byte-level encoding.
 */
const tables = pieces.flatMap(({ language, text, original, multilingual }) => [
  { tokenizer: "multilingual", language, text, parts: multilingual },
  ...(original ? [{ tokenizer: "original", language, text, parts: original }] : []),
]);

const special = ["<|endoftext|>", "<|startoftranscript|>", "<|notimestamps|>"];

function readWords(parts: readonly string[], language: string) {
  const vocabulary = [...new Set(parts)];
  const config = { tokenizer_class: "WhisperTokenizer", unk_token: special[0] };
  const tokenizer = new WhisperTokenizer(
    createTokenizer(vocabulary, [...special, `<|${language}|>`]),
    config,
  );
  const languageToken = vocabulary.length + special.length;
  const tokens = [languageToken, ...parts.map((part) => vocabulary.indexOf(part))];
  const times = [0, ...parts.map((_, index) => index / 10)];
  return toWords(tokenizer, tokens, times, { seconds: parts.length / 10, language });
}

describe("pieces of words", () => {
  it.each(tables)("are joined: $language, $tokenizer, $text", ({ language, text, parts }) => {
    const words = readWords(parts, language);
    expect(joinWords(words).trim()).toBe(text);
    if (!["zh", "ja"].includes(language))
      expect(words.map((word) => word.text)).toEqual(text.split(" "));
    let clockMs = 0;
    for (const { startMs, endMs } of words) {
      expect(startMs).toBeGreaterThanOrEqual(clockMs);
      expect(endMs).toBeGreaterThanOrEqual(startMs);
      clockMs = startMs;
    }
    expect(words.at(-1)?.endMs).toBe(parts.length * 100);
  });
});

it("has the times of weights that are known to be late earlier, and those of others as they are", () => {
  const times = [0, 0.06, 0.59];
  const tinyEnglish = [1, 2, 2, 3, 3, 3, 3, 3].map((layer, index) => [
    layer,
    [0, 0, 5, 0, 1, 2, 3, 4][index] ?? 0,
  ]);
  expect(correctLateness(times, tinyEnglish)).toEqual([0, 0, 0.5]);
  expect(correctLateness(times, [[0, 0]])).toEqual(times);
});
