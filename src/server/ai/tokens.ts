import type { Llm, Prompt } from "#server/ports.ts";

/**
 * Estimates the tokens of `text`, rather too many than too few, by the needs of cl100k_base (measured on 2026-11-25; newer
 * tokenizers need less): a third of a token for each ASCII character, of which English needs a quarter; one and a third for
 * Greek, Cyrillic, Hebrew, Arabic, Devanagari and the scripts of East Asia, of which Korean needs 1.3; two for all others,
 * of which Telugu needs as many.
 */
export const estimateTokens = (text: string): number => Math.ceil(estimateWeight(text) / 3);

/** The estimate in thirds of a token: an integer, so sums are exact. */
function estimateWeight(text: string): number {
  let weight = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) weight += 1;
    else weight += isCompact(unit) ? 4 : 6;
  }
  return weight;
}

const isCompact = (unit: number): boolean =>
  (unit >= 0x370 && unit < 0x800) ||
  (unit >= 0x900 && unit < 0x980) ||
  (unit >= 0x3000 && unit < 0xd800);

/** Output tokens for the reasoning of a model of which nothing else is known. */
export const defaultReasoningTokens = 2_000;
/** Lowest output limit of a longer answer, however full the window is. */
const minOutputTokens = 500;

/** The output limit of a call: `answerTokens` and reasoning, but no more than the window has left. */
export function getOutputTokens(
  { system, user }: Prompt,
  answerTokens: number,
  { contextTokens, reasoningTokens = defaultReasoningTokens }: Window,
): number {
  const left = contextTokens - estimateTokens(system) - estimateTokens(user);
  const wanted = Math.ceil(answerTokens) + reasoningTokens;
  return Math.min(wanted, Math.max(minOutputTokens, left));
}

type Window = Pick<Llm, "contextTokens" | "reasoningTokens">;

/** The space after a sentence; in scripts without spaces, the position after its punctuation mark. */
const sentenceEnd =
  /(?<=[.!?…؟۔।॥]["'”’»)\]]{0,3})\s+|(?<=[。！？｡])(?![。！？｡”’」』）])\s*|\n\s*/g;

/** Parts are planned smaller than the limit, so that the sentence at the end of each fits as well. */
const fillRatio = 0.95;

/**
 * Splits `text` at sentence ends into parts of about equal size, each at most `maxTokens`. A longer sentence is
 * cut between words, and a longer word between characters. The joined parts are `text`.
 */
export function splitText(text: string, maxTokens: number): string[] {
  const total = estimateWeight(text);
  const max = 3 * maxTokens;
  if (total <= max) return text === "" ? [] : [text];
  const target = total / Math.ceil(total / (fillRatio * max));
  const parts: string[] = [];
  let part = "";
  let weight = 0;
  for (const piece of splitIntoPieces(text, maxTokens)) {
    const pieceWeight = estimateWeight(piece);
    if (part !== "" && (weight >= target || weight + pieceWeight > max)) {
      parts.push(part);
      part = "";
      weight = 0;
    }
    part += piece;
    weight += pieceWeight;
  }
  if (part !== "") parts.push(part);
  return parts;
}

/** Sentences with the space after them; longer ones in pieces of at most `maxTokens`. */
function* splitIntoPieces(text: string, maxTokens: number): Iterable<string> {
  let start = 0;
  for (const { index, 0: space } of text.matchAll(sentenceEnd)) {
    const end = index + space.length;
    if (end > start) yield* splitSentence(text.slice(start, end), maxTokens);
    start = end;
  }
  if (start < text.length) yield* splitSentence(text.slice(start), maxTokens);
}

function* splitSentence(sentence: string, maxTokens: number): Iterable<string> {
  if (estimateTokens(sentence) <= maxTokens) {
    yield sentence;
    return;
  }
  // A character has at most two tokens. Two code units, so that a surrogate pair always fits.
  const maxLength = Math.max(2, Math.floor(maxTokens / 2));
  let start = 0;
  while (sentence.length - start > maxLength) {
    // Searches a slice: in the whole sentence, a missing space would be searched back to the beginning.
    const space = sentence.slice(start, start + maxLength).lastIndexOf(" ");
    const end =
      space > maxLength / 2 ? start + space + 1 : alignToCodePoint(sentence, start + maxLength);
    yield sentence.slice(start, end);
    start = end;
  }
  yield sentence.slice(start);
}

/** `index`, or one less if it would split a surrogate pair. */
function alignToCodePoint(text: string, index: number): number {
  const unit = text.charCodeAt(index - 1);
  return unit >= 0xd800 && unit < 0xdc00 ? index - 1 : index;
}
