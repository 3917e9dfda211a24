/** A period after these does not end a sentence. */
const abbreviation =
  /(?:^|[\s("'[])(?:mr|mrs|ms|dr|prof|st|jr|sr|vs|etc|e\.g|i\.e|cf|fig|figs|eq|eqs|no|vol|pp?|ch|sec|approx|[a-z])\.$/iu;

/** The number of a list item at the start of a line. */
const listNumber = /^\d{1,3}\.$/;

/** Longer than every match of the two patterns above: only the end of a text has to be tested. */
const endLength = 16;

/** A text without one of these is one sentence; the expensive segmenter is not called. */
const boundary = /[\p{Sentence_Terminal}.\u2024\ufe52\uff0e\n\r\u0085\u2028\u2029]/u;

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });

/** A part of a text, `to` exclusive, without surrounding white space. */
interface TextRange {
  from: number;
  to: number;
}

/** The sentences of `text` (one line), in order. Only white space lies between them. */
export function findSentences(text: string): TextRange[] {
  const ranges: TextRange[] = [];
  let from = 0;
  const segments = boundary.test(text) ? segmenter.segment(text) : [{ index: 0, segment: text }];
  for (const { index, segment } of segments) {
    const to = index + segment.length;
    if (to < text.length && isUnfinished(text, from, to)) continue;
    const part = text.slice(from, to);
    const trimmed = part.trim();
    if (trimmed !== "") {
      const begin = from + (part.length - part.trimStart().length);
      ranges.push({ from: begin, to: begin + trimmed.length });
    }
    from = to;
  }
  return ranges;
}

/**
 * Whether the text from `from` to `to` ends with an abbreviation or is only a number. Tests the last characters only, as
 * a text of nothing but abbreviations grows with each of them.
 */
function isUnfinished(text: string, from: number, to: number): boolean {
  let end = to;
  while (end > from && /\s/.test(text.charAt(end - 1))) end -= 1;
  const tail = text.slice(Math.max(from, end - endLength), end).trimStart();
  return abbreviation.test(tail) || (end - from <= endLength && listNumber.test(tail));
}

/** Splits `text` into parts of at most `max` characters, at spaces if possible. */
export function splitText(text: string, max: number): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > max) {
    const space = rest.lastIndexOf(" ", max);
    // Never inside a surrogate pair.
    const hard = /[\ud800-\udbff]/.test(rest[max - 1] ?? "") ? max - 1 : max;
    const cut = space > max / 2 ? space : hard;
    parts.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  if (rest !== "") parts.push(rest);
  return parts;
}
