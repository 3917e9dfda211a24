import type { SpokenLanguage } from "#shared/languages.ts";
import { toNumberText } from "./number-words.ts";

/**
 * The audible test pattern: words as tones that a program can produce and recognise without errors.
 *
 * Word number n (1 to 4095) is a burst of six dual-tone symbols of four bits each:
 *
 *     check 1 · flags · n's three hexadecimal digits, highest first · check 2
 *
 * `flags` holds the speaker (0 to 7) in its upper three bits and, in its lowest, whether a sentence
 * ends here. The two checks make the six symbols a code word of a Reed-Solomon code over GF(16)
 * with distance three. One check comes first and one last, so the start of one burst joined to the end of
 * another (with the audio in between lost) is not a code word.
 */
export const rowFrequencies = [697, 770, 852, 941] as const;
export const columnFrequencies = [1209, 1336, 1477, 1633] as const;

export const symbolMs = 70;
const symbolGapMs = 30;
export const symbolStepMs = symbolMs + symbolGapMs;
export const symbolsPerWord = 6;
/** Length of one word's burst. */
export const wordMs = symbolsPerWord * symbolStepMs - symbolGapMs;
/** Minimum silence between two words. */
export const wordGapMinMs = 150;
const toneAmplitude = 0.3;
export const wordNumberMax = 0xfff;
export const speakersMax = 8;

export interface PatternWord {
  /** 1 to `wordNumberMax`. */
  number: number;
  /** 0 to `speakersMax - 1`. */
  speaker: number;
  endsSentence: boolean;
}

/** The recognised text of `word`: its number in `language`, with the mark at the end of a sentence. */
export const spellWord = (
  { number, endsSentence }: Pick<PatternWord, "number" | "endsSentence">,
  language: SpokenLanguage = "en",
): string => toNumberText(number, language, endsSentence);

/** What speakers 0 to 7 speak where the recogniser finds it out. */
const detectedLanguages = ["en", "de", "ja", "ar", "zh", "hi", "fr", "th"] as const;

/**
 * What `speaker` speaks: with one hint that language, with several theirs by turns, so that two people who take turns
 * speak two languages.
 */
export const getSpokenLanguage = (
  speaker: number,
  hints: readonly SpokenLanguage[],
): SpokenLanguage => hints[speaker % hints.length] ?? detectedLanguages[speaker] ?? "en";

/** The six symbols (0 to 15) of `word`. @throws RangeError for an invalid number or speaker. */
export function encodeWord(word: PatternWord): number[] {
  const { number, speaker } = word;
  if (!Number.isInteger(number) || number < 1 || number > wordNumberMax)
    throw new RangeError(`no word number: ${number}`);
  if (!Number.isInteger(speaker) || speaker < 0 || speaker >= speakersMax)
    throw new RangeError(`no speaker: ${speaker}`);
  const data = [
    speaker * 2 + (word.endsSentence ? 1 : 0),
    (number >> 8) & 15,
    (number >> 4) & 15,
    number & 15,
  ];
  return [checkSum(data, 1), ...data, checkSum(data, 2)];
}

/** The word of these symbols, or null if the checks fail. */
export function decodeWord(symbols: readonly number[]): PatternWord | null {
  const [check1, flags, high, middle, low, check2] = symbols;
  if (symbols.length !== symbolsPerWord || flags === undefined) return null;
  const data = [flags, high ?? 0, middle ?? 0, low ?? 0];
  if (checkSum(data, 1) !== check1 || checkSum(data, 2) !== check2) return null;
  const number = ((high ?? 0) << 8) | ((middle ?? 0) << 4) | (low ?? 0);
  if (number === 0) return null;
  return { number, speaker: flags >> 1, endsSentence: (flags & 1) === 1 };
}

/** The burst of `word` as samples between -1 and 1, `wordMs` long. */
export function synthesize(word: PatternWord, sampleRate: number): Float32Array {
  const samples = new Float32Array(Math.round((wordMs * sampleRate) / 1000));
  encodeWord(word).forEach((symbol, index) => {
    const row = rowFrequencies[symbol >> 2] ?? 0;
    const column = columnFrequencies[symbol & 3] ?? 0;
    const from = Math.round((index * symbolStepMs * sampleRate) / 1000);
    const length = Math.round((symbolMs * sampleRate) / 1000);
    for (let i = 0; i < length; i++) {
      const t = (2 * Math.PI * i) / sampleRate;
      const ramp = Math.min(
        1,
        (i + 1) / (rampMs * sampleRate * 1e-3),
        (length - i) / (rampMs * sampleRate * 1e-3),
      );
      samples[from + i] = toneAmplitude * ramp * (Math.sin(row * t) + Math.sin(column * t));
    }
  });
  return samples;
}

/** Fade at both ends of a symbol: an abrupt start would click, which covers the whole spectrum. */
const rampMs = 2;

/** Σ (xⁱ)^power · digitᵢ over GF(16). With both sums (power 1 and 2), the code has distance three. */
function checkSum(digits: readonly number[], power: 1 | 2): number {
  let sum = 0;
  let factor = 1;
  for (const digit of digits) {
    factor = multiply(factor, 2);
    sum ^= multiply(power === 1 ? factor : multiply(factor, factor), digit);
  }
  return sum;
}

/** Product in GF(16) with x⁴ + x + 1. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let left = a, right = b; right > 0; right >>= 1) {
    if (right & 1) product ^= left;
    left <<= 1;
    if (left & 16) left ^= 0b10011;
  }
  return product;
}
