/** A part of a word, sent as one token. */
export interface Subword {
  /** With the word's leading space. */
  text: string;
  startMs: number;
  endMs: number;
  punctuation: boolean;
}

/** Duration of punctuation, which is a token of its own as with the service. */
const punctuationMs = 60;
const wholePartMax = 5;

/**
 * Splits a word spoken from `startMs` to `endMs` into parts, for example ` entro` `py` `.`. The parts'
 * texts join to the word with `space` before it. Compounds are split before the hyphen.
 */
export function splitIntoSubwords(
  word: string,
  startMs: number,
  endMs: number,
  space: "" | " " = " ",
): Subword[] {
  const letters = word.replace(/[.,?!;:。、！？।؟،]+$/, "");
  const marks = word.slice(letters.length);
  const markMs = marks ? Math.min(punctuationMs, Math.round((endMs - startMs) / 4)) : 0;
  const lettersEnd = endMs - markMs;
  const texts = letters.split(/(?=-)/).flatMap(splitLongPart);
  const msPerLetter = (lettersEnd - startMs) / Math.max(1, letters.length);
  let partStart = startMs;
  let letterCount = 0;
  const parts = texts.map((text, index): Subword => {
    letterCount += text.length;
    const partEnd = Math.round(startMs + letterCount * msPerLetter);
    const subword = {
      text: index === 0 ? space + text : text,
      startMs: partStart,
      endMs: partEnd,
      punctuation: false,
    };
    partStart = partEnd;
    return subword;
  });
  if (marks) parts.push({ text: marks, startMs: lettersEnd, endMs, punctuation: true });
  return parts;
}

function splitLongPart(text: string): string[] {
  if (text.length <= wholePartMax) return [text];
  const at = Math.ceil(text.length * 0.6);
  return [text.slice(0, at), text.slice(at)];
}
