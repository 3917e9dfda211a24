import type { WhisperTokenizer } from "@huggingface/transformers";
import { listUnits } from "#shared/word-units.ts";
import type { HypothesisWord } from "./speech-model-messages.ts";

/** Words of the tokens that Whisper writes. */

/** One position of the encoder's output, s. */
export const positionSeconds = 0.02;
/**
 * How late weights look at the beginning of a word within a sentence, s, by their alignment heads, which no others have. In
 * every clip of the streams those of tiny.en are late by 0.06 to 0.13 s (docs/benchmarks.md).
 */
const lateSeconds: Readonly<Record<string, number>> = {
  "1,0 2,0 2,5 3,0 3,1 3,2 3,3 3,4": 0.09,
};
/** In these languages transformers.js divides a text anywhere, in the others at spaces and punctuation. */
const unspacedLanguages = ["ja", "zh", "th"];

/** `times` of tokens, s, without the lateness of weights that have these alignment heads. */
export function correctLateness(
  times: readonly number[],
  heads: readonly (readonly number[])[],
): number[] {
  const late = lateSeconds[heads.join(" ")] ?? 0;
  return times.map((time) => Math.max(0, time - late));
}

/** The words of `tokens`, which begin at `times`, s; with `languageTokens`, words are divided as that language is. */
export function toWords(
  tokenizer: WhisperTokenizer,
  tokens: readonly number[],
  times: readonly number[],
  { seconds, language }: { seconds: number; language: string },
): HypothesisWord[] {
  const [, { chunks = [] }] = tokenizer._decode_asr(
    [
      {
        tokens: tokens.map(BigInt),
        token_timestamps: [...times],
        stride: [seconds, 0, 0],
      },
    ],
    { return_timestamps: "word", time_precision: positionSeconds, force_full_sequences: false },
  ) as unknown as [string, { chunks?: { text: string; timestamp: [number, number | null] }[] }];
  const endMs = Math.round(seconds * 1000);
  const toMs = (time: number) => Math.min(endMs, Math.max(0, Math.round(time * 1000)));
  const pieces = chunks.map(({ text, timestamp: [from, to] }) => ({
    text,
    startMs: toMs(from),
    endMs: toMs(to ?? seconds),
  }));
  const isSpaced = !unspacedLanguages.includes(language);
  return (isSpaced ? joinTornWords(pieces) : pieces).flatMap((word) => divideWord(word, language));
}

/** A piece without a space before it belongs to the word before: "$4" and ".50", "well" and "-known". */
function joinTornWords(pieces: readonly HypothesisWord[]): HypothesisWord[] {
  const words: HypothesisWord[] = [];
  for (const piece of pieces) {
    const last = words.at(-1);
    if (last === undefined || /^\s/u.test(piece.text)) words.push(piece);
    else words[words.length - 1] = { ...last, text: last.text + piece.text, endMs: piece.endMs };
  }
  return words;
}

/** The units of a word with the white space before it; they share its time. */
export function divideWord(
  { text, startMs, endMs }: HypothesisWord,
  language: string,
): HypothesisWord[] {
  const units = listUnits(text);
  const unitMs = Math.max(0, endMs - startMs) / units.length;
  return units.map((unit, index) => {
    const word = unit.text.trim();
    const isJoined = word === unit.text && (index > 0 || unspacedLanguages.includes(language));
    return {
      text: word,
      startMs: Math.round(startMs + unitMs * index),
      endMs: Math.round(startMs + unitMs * (index + 1)),
      ...(isJoined && ({ isJoined } as const)),
    };
  });
}
