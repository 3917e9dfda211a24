/**
 * Tokens that `text` has for any usual model, rather too many than too few: a third of a token for
 * each character of ASCII, and two for each of another script. (English has a quarter, and a
 * character of Chinese one or less, but other tokenizers and rarer scripts need more.)
 */
export const estimateTokens = (text: string): number => Math.ceil(estimateWeight(text) / 3);

/** The same in thirds of a token, which add up. */
function estimateWeight(text: string): number {
  let ascii = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) < 0x80) ascii += 1;
  return ascii + 6 * (text.length - ascii);
}

/** What a model may think before it answers, in tokens of its output. */
const thinkingTokens = 2_000;
/** No answer is given less, however full the window is. */
const minOutputTokens = 500;

/**
 * The output limit of a call whose answer may have `answerTokens`: with room to think, as far as the
 * window of `contextTokens` has it.
 */
export function getOutputTokens(
  { system, user }: { system: string; user: string },
  answerTokens: number,
  contextTokens: number,
): number {
  const left = contextTokens - estimateTokens(system) - estimateTokens(user);
  return Math.max(minOutputTokens, Math.min(answerTokens + thinkingTokens, left));
}

/** Space behind the end of a sentence, or the very place behind a mark of a script without spaces. */
const sentenceEnd = /(?<=[.!?…]["'”’)\]]{0,3})\s+|(?<=[。！？])(?![。！？”’」』）])\s*|\n\s*/g;

/** Parts that are this full leave room for the sentence that ends each of them, so none is left over. */
const fillRatio = 0.95;

/**
 * Splits `text` into parts of about equal size, none above `maxTokens`, at the ends of sentences. A
 * sentence that is too long by itself is cut between words, and a word between characters. Joined,
 * the parts are `text`.
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
    const more = estimateWeight(piece);
    if (part !== "" && (weight >= target || weight + more > max)) {
      parts.push(part);
      part = "";
      weight = 0;
    }
    part += piece;
    weight += more;
  }
  if (part !== "") parts.push(part);
  return parts;
}

/** Sentences with the space behind them; longer ones in pieces of at most `maxTokens`. */
function* splitIntoPieces(text: string, maxTokens: number): Iterable<string> {
  let from = 0;
  for (const { index, 0: space } of text.matchAll(sentenceEnd)) {
    const end = index + space.length;
    if (end > from) yield* splitSentence(text.slice(from, end), maxTokens);
    from = end;
  }
  if (from < text.length) yield* splitSentence(text.slice(from), maxTokens);
}

function* splitSentence(sentence: string, maxTokens: number): Iterable<string> {
  if (estimateTokens(sentence) <= maxTokens) {
    yield sentence;
    return;
  }
  // Half as many characters as tokens fit whatever they are; a surrogate pair is never empty.
  const longest = Math.max(2, Math.floor(maxTokens / 2));
  let from = 0;
  while (sentence.length - from > longest) {
    // Searched in a slice: without a space, the search would go back to the beginning each time.
    const space = sentence.slice(from, from + longest).lastIndexOf(" ");
    const end = space > longest / 2 ? from + space + 1 : alignToCodePoint(sentence, from + longest);
    yield sentence.slice(from, end);
    from = end;
  }
  yield sentence.slice(from);
}

/** `at`, or one less where it would part a surrogate pair. */
function alignToCodePoint(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1);
  return unit >= 0xd800 && unit < 0xdc00 ? at - 1 : at;
}
