/** A part of a word as the recogniser sends it. */
export interface Subword {
  /** With the leading space where a word begins. */
  text: string;
  startMs: number;
  endMs: number;
  punctuation: boolean;
}

/** Punctuation has a length of its own at the end of its word, as the service gives it. */
const punctuationMs = 60;
const wholePartMax = 5;

/**
 * Splits a word that was said from `startMs` to `endMs` into sub-word pieces whose texts join to the
 * word with a leading space: ` entro` `py` `.`. Compounds part before the hyphen.
 */
export function splitIntoSubwords(word: string, startMs: number, endMs: number): Subword[] {
  const letters = word.replace(/[.,?!;:]+$/, "");
  const marks = word.slice(letters.length);
  const markMs = marks ? Math.min(punctuationMs, Math.round((endMs - startMs) / 4)) : 0;
  const lettersEnd = endMs - markMs;
  const texts = letters.split(/(?=-)/).flatMap(splitLongPart);
  const msPerLetter = (lettersEnd - startMs) / Math.max(1, letters.length);
  let from = startMs;
  let letterCount = 0;
  const parts = texts.map((text, index): Subword => {
    letterCount += text.length;
    const to = Math.round(startMs + letterCount * msPerLetter);
    const piece = {
      text: index === 0 ? ` ${text}` : text,
      startMs: from,
      endMs: to,
      punctuation: false,
    };
    from = to;
    return piece;
  });
  if (marks) parts.push({ text: marks, startMs: lettersEnd, endMs, punctuation: true });
  return parts;
}

function splitLongPart(text: string): string[] {
  if (text.length <= wholePartMax) return [text];
  const at = Math.ceil(text.length * 0.6);
  return [text.slice(0, at), text.slice(at)];
}
